"""Where messages come from and what is kept of them: platforms, listeners, conversations."""

from pydantic import Field, SecretStr

from config.settings.words import Group, Port, Words


class SlackSettings(Group):
    """Slack; off until `bot_token` is set."""

    bot_token: SecretStr | None = None
    """Bot token, `xoxb-…`."""
    app_token: SecretStr | None = None
    """App-level token, `xapp-…`; with it Socket Mode is used and no public address is needed."""
    signing_secret: SecretStr | None = None
    """Signing secret; without an app token it means HTTP mode on `/slack/events`."""
    api_url: str = "https://slack.com/api/"
    """Address of the Web API, ending in `/api/`."""


class TeamsSettings(Group):
    """Microsoft Teams; without `app_id` the public listener stays on loopback."""

    app_id: str = ""
    """Application (client) id of the bot's registration."""
    app_password: SecretStr | None = None
    """Client secret of the registration."""
    tenants: Words = ()
    """Tenant ids that may talk to the bot; the first is the bot's own."""
    token_issuer: str = ""
    """Issuer of incoming tokens; empty means the vendor's (for tests)."""
    openid_metadata_url: str = ""
    """Where signing keys are announced; empty means the vendor's (for tests)."""
    login_url: str = ""
    """Where outgoing tokens are fetched; empty means the vendor's (for tests)."""
    oauth_scope: str = ""
    """Scope of outgoing tokens; empty means the vendor's (for tests)."""


class AdminSettings(Group):
    """Who may operate the bot from chat."""

    slack: Words = ()
    """Slack user ids `U…`, usergroup ids `S…`, or `workspace-admins`."""
    teams: Words = ()
    """`aadObjectId`s of Teams users."""


class PublicSettings(Group):
    """The listener that the internet may reach: Teams, Slack in HTTP mode, health."""

    host: str = "127.0.0.1"
    """Address to listen on; beyond loopback needs `teams.app_id` or a Slack signing secret."""
    port: Port = 3978
    """TCP port, 0 for any free one."""


class PrivateSettings(Group):
    """The listener for the people of the house: playground, sources, readiness, metrics."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Port = 3979
    """TCP port, 0 for any free one."""
    token: SecretStr | None = None
    """Bearer token; without one only direct loopback requests are answered."""
    base_url: str = ""
    """Address of this listener as readers reach it, written into links; empty means no links."""


class ConversationSettings(Group):
    """How messages are taken and what is remembered of them."""

    at_once: int = Field(4, ge=1, le=64)
    """Questions worked on at the same time; the others queue."""
    asker_per_minute: int = Field(10, ge=1)
    """Questions a minute from one asker."""
    channel_per_minute: int = Field(30, ge=1)
    """Questions a minute in one channel."""
    follow_up_minutes: int = Field(30, ge=0, le=1_440)
    """Minutes for which earlier turns count as the same conversation."""
    memory_turns: int = Field(6, ge=0, le=50)
    """Turns of a thread that are remembered whole."""
    question_chars: int = Field(4_000, ge=100, le=10_000)
    """Longest question, in characters; a longer one is refused with a sentence."""
    restart_minutes: int = Field(5, ge=0, le=60)
    """Minutes within which a question cut off by a restart is taken up again."""
    shutdown_s: float = Field(20.0, gt=0, le=120)
    """Seconds that running questions get to finish at shutdown."""


class PrivacySettings(Group):
    """What is kept of whom, and for how long."""

    texts_days: int = Field(30, ge=1, le=3_650)
    """Days for which question texts and traces with texts are kept."""
    traces_days: int = Field(180, ge=1, le=3_650)
    """Days for which traces without texts are kept."""
    audit_days: int = Field(365, ge=1, le=3_650)
    """Days for which the audit is kept."""


class ChannelSettings(Group):
    """How the bot behaves in one channel."""

    enabled: bool = True
    """Whether it answers there."""
    sources: Words = ()
    """Sources it answers from; empty means all that the channel may read."""
    follow_ups: bool = False
    """Whether follow-ups without a mention are answered."""
    language: str = "auto"
    """Language of fixed phrases: `auto`, `en`, `zh`."""
    askers: Words = ("workspace",)
    """Who may ask there."""
