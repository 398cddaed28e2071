"""Every knob of the assistant, typed, in one place.

Values come from (first wins) environment variables `FOOTNOTE_<GROUP>__<KEY>`, then one TOML
file, then the defaults below, which run as they are. Only the composition root calls
`load_settings`; everybody else is handed the group it needs.
"""

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

ENV_PREFIX = "FOOTNOTE_"
CONFIG_VARIABLE = "FOOTNOTE_CONFIG"


def _split_commas(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


_AUDIENCE = re.compile(r"workspace|(?:slack|slack-group|teams|group):\S+|mail:[^\s@]+@[^\s@]+")
AUDIENCE_FORMS = (
    "workspace, slack:…, slack-group:…, teams:…, mail:someone@example.com or group:<name>"
)
"""What an audience word looks like, for people."""


def _audience_word(word: str) -> str:
    if not _AUDIENCE.fullmatch(word):
        raise ValueError(f"{word!r} is nobody I know; use {AUDIENCE_FORMS}")
    return word.casefold() if word.startswith("mail:") else word


_OcrLanguage = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_/]{0,40}$")]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Port = Annotated[int, Field(ge=0, le=65535)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_commas)]
Audience = Annotated[
    tuple[Annotated[str, AfterValidator(_audience_word)], ...],
    NoDecode,
    BeforeValidator(_split_commas),
]


_MOST_WORKERS = 32


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Group(BaseModel):
    """Base of all groups: read-only, and a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class StoreSettings(Group):
    """The one database."""

    url: str = ""
    """`sqlite:///path/file.db` or `postgresql://…`; empty: `footnote.db` in the data folder."""


class ModelSettings(Group):
    """Who decides what to read and answer; `extractive` needs no key and no network."""

    kind: Literal["extractive", "openai"] = "extractive"
    """`extractive` answers by rule; `openai` asks an OpenAI-compatible server."""
    base_url: str = ""
    """Address of the server, ending in `/v1`; empty means the vendor's own."""
    name: str = ""
    """Model for full calls."""
    small_name: str = ""
    """Model for small calls (search words, plan, notes); empty means `name`."""
    api_key: SecretStr | None = None
    """Key of the server; local servers take any word."""
    temperature: float = Field(0.0, ge=0.0, le=1.0)
    """Sampling temperature, 0 to 1."""
    timeout_s: float = Field(30.0, gt=0, le=600)
    """Seconds one call may take."""
    daily_tokens: int = Field(2_000_000, ge=0)
    """Tokens a workspace may use a day, 0 for no limit; past it answers are extractive."""
    notes_per_hour: int = Field(30, ge=0, le=100_000)
    """Documents the model describes in one line for the map, an hour at most; 0 for none."""


class LoopSettings(Group):
    """Bounds of one question."""

    max_rounds: int = Field(6, ge=1, le=10)
    """Rounds (one decision each) before the last one is forced."""
    top_k_documents: int = Field(5, ge=1, le=20)
    """Documents on the shortlist."""
    confidence_threshold: Fraction = 0.8
    """Support at or above this, 0 to 1, ends the loop as answered."""
    window_chars: int = Field(2_000, ge=200, le=20_000)
    """Length of one reading window, in characters."""
    overlap: float = Field(0.2, ge=0.0, le=0.9)
    """Share of a window repeated at the start of the next one."""
    round_one_chars: int = Field(5_000, ge=500, le=50_000)
    """Text shown in the first round, in characters."""
    round_one_windows: int = Field(6, ge=1, le=20)
    """Windows shown in the first round."""
    call_tokens: int = Field(4_000, ge=500, le=200_000)
    """Tokens one call may send."""
    sections_per_document: int = Field(3, ge=1, le=50)
    """Sections read in one document before it is set aside."""
    tool_failures: int = Field(2, ge=1, le=10)
    """Failed tools in a row that end the loop."""
    leaf_tokens: int = Field(12_000, ge=1_000)
    """Tokens one leaf may use."""
    parts_tokens: int = Field(16_000, ge=1_000)
    """Tokens that parts asked together may use."""
    question_tokens: int = Field(40_000, ge=1_000)
    """Tokens one question may use."""
    work_s: float = Field(45.0, gt=0, le=600)
    """Seconds of work, then the best verified finding is sent."""
    plan_depth: int = Field(3, ge=1, le=5)
    """Levels of a plan tree."""
    plan_leaves: int = Field(6, ge=1, le=20)
    """Leaves of a plan tree."""
    plan_parallel: int = Field(4, ge=1, le=16)
    """Leaves answered side by side."""
    coverage_gate: Fraction = 0.5
    """Share of the question's weight found by search below which other words are tried."""


class EmbedderSettings(Group):
    """Vectors for search, none by default."""

    kind: Literal["none", "openai", "folder"] = "none"
    """`openai` asks `/embeddings` of a server; `folder` loads an ONNX model from `path`."""
    base_url: str = ""
    """Address of the server, ending in `/v1`; empty means the vendor's own."""
    name: str = ""
    """Model name."""
    api_key: SecretStr | None = None
    """Key of the server; local servers take any word."""
    timeout_s: float = Field(10.0, gt=0, le=600)
    """Seconds one call may take."""
    path: Path | None = None
    """Folder that holds `model.onnx` and `tokenizer.json`."""
    query_prefix: str = ""
    """What the model wants before a question, `query: `; a folder's own files may say it too."""
    text_prefix: str = ""
    """What the model wants before a text, `passage: `."""


class RerankerSettings(Group):
    """A second opinion on the order of passages, none by default."""

    kind: Literal["none", "openai", "folder"] = "none"
    """`openai` asks `/rerank` of a server; `folder` loads an ONNX cross-encoder from `path`."""
    base_url: str = ""
    """Address of the server, without `/rerank`."""
    name: str = ""
    """Model name."""
    api_key: SecretStr | None = None
    """Key of the server; local servers take any word."""
    timeout_s: float = Field(10.0, gt=0, le=600)
    """Seconds one call may take."""
    path: Path | None = None
    """Folder that holds `model.onnx` and `tokenizer.json`."""


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


class TraceSettings(Group):
    """How questions were worked on, for the tools of an operator."""

    folder: Path | None = None
    """Folder for traces as JSON lines, one line a round, one file a day; none: only in the store.
    Its files go with the question texts, after `privacy.texts_days`."""


class SyncSettings(Group):
    """How sources are kept in step."""

    interval_s: float = Field(900.0, ge=10)
    """Seconds between runs of a source."""
    batch_documents: int = Field(50, ge=1, le=1_000)
    """Documents committed together."""
    workers: int = Field(0, ge=0, le=_MOST_WORKERS)
    """Parser processes side by side; 0: one for each core."""
    nice: int = Field(10, ge=0, le=19)
    """How far parser processes stand back for answers, 0 (not at all) to 19."""
    file_bytes: int = Field(100_000_000, ge=1_000)
    """Largest file read, in bytes."""
    parse_s: float = Field(60.0, gt=0, le=3_600)
    """Seconds one file may take to parse."""
    parse_bytes: int = Field(1 << 30, ge=1 << 28)
    """Memory one parser process may use, in bytes."""

    @property
    def processes(self) -> int:
        """Parser processes side by side, at least one."""
        return self.workers or min(_cores(), _MOST_WORKERS)


class OcrSettings(Group):
    """Text recognition for scanned pages of PDFs, off by default; it needs tesseract."""

    enabled: bool = False
    """Whether pages without a text layer are recognised; their footnotes say so."""
    command: str = Field("tesseract", min_length=1)
    """The program, by name or path."""
    languages: Annotated[tuple[_OcrLanguage, ...], NoDecode, BeforeValidator(_split_commas)] = (
        "eng",
    )
    """Its language packs, the likeliest first: `eng`, `chi_sim`, `deu`; each must be installed."""
    dpi: int = Field(300, ge=72, le=600)
    """Dots per inch at which pages are looked at."""
    max_pages: int = Field(50, ge=1, le=2_000)
    """Pages recognised of one document; what is beyond stays unread and is named."""
    page_s: float = Field(30.0, gt=0, le=600)
    """Seconds one page may take."""
    confidence: int = Field(50, ge=0, le=100)
    """Words that the program is less sure of, 0 to 100, are left out."""


class PathRule(Group):
    """Narrows who may read a part of a source."""

    path: str
    """Glob over paths inside the source, `/hr/**`."""
    audience: Audience
    """Audience words or `group:<name>`; readers must belong to this as well."""


class SourceSettings(Group):
    """One configured drive."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,40}$")
    """The word used in `/reindex handbook`: small letters, digits, `-`, `_`."""
    kind: Literal["folder"] = "folder"
    """What kind of drive it is."""
    path: Path
    """The folder; relative paths count from the working directory."""
    audience: Audience = ()
    """Who may get answers from it; empty means nobody."""
    contact: str = ""
    """Channel, group or address that knows more."""
    trust: Literal["own", "external"] = "own"
    """`external` where outsiders write; footnotes say so."""
    egress: Literal["any", "none"] = "any"
    """`none` keeps its text from every outside model."""
    include: Words = ()
    """Globs of files to read, `**/*.md`; empty means all."""
    exclude: Words = ()
    """Globs of files to leave out."""
    link: str = ""
    """Template of a document's address, `https://drive.example/{path}`; empty means our viewer."""
    acl: Literal["none"] = "none"
    """Whether permissions are mirrored from the drive; a folder has none."""
    rules: tuple[PathRule, ...] = ()
    """Path rules, each narrowing the audience."""


class GroupSettings(Group):
    """A named set of people for path rules."""

    members: Audience = ()
    """Audience words: `slack-group:S…`, `mail:…`."""


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


def _default_sources() -> tuple[SourceSettings, ...]:
    return (
        SourceSettings(
            name="handbook",
            path=Path("examples/library"),
            audience=("workspace",),
            contact="#people-help",
        ),
    )


class Settings(BaseSettings):
    """The whole configuration of one running assistant."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_nested_delimiter="__",
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
    )

    data_dir: Path = Path(".footnote")
    """Folder for the database and caches."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least important log lines written."""
    store: StoreSettings = StoreSettings()
    model: ModelSettings = ModelSettings()
    loop: LoopSettings = LoopSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    reranker: RerankerSettings = RerankerSettings()
    slack: SlackSettings = SlackSettings()
    teams: TeamsSettings = TeamsSettings()
    admins: AdminSettings = AdminSettings()
    public: PublicSettings = PublicSettings()
    private: PrivateSettings = PrivateSettings()
    conversation: ConversationSettings = ConversationSettings()
    privacy: PrivacySettings = PrivacySettings()
    trace: TraceSettings = TraceSettings()
    sync: SyncSettings = SyncSettings()
    ocr: OcrSettings = OcrSettings()
    sources: tuple[SourceSettings, ...] = Field(default_factory=_default_sources)
    """The drives, `[[sources]]`; the default is the sample library."""
    groups: dict[str, GroupSettings] = Field(default_factory=dict)
    """Named groups of people, `[groups.hr]`."""
    channels: dict[str, ChannelSettings] = Field(default_factory=dict)
    """Channels by id, `[channels."slack:C012…"]`; `default` holds the defaults."""
    glossary: dict[str, str] = Field(default_factory=dict)
    """Abbreviations and what they stand for."""

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        names = [source.name for source in self.sources]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two sources are called {', '.join(twice)}; give each its own name")
        return self

    @model_validator(mode="after")
    def _groups_are_known(self) -> Self:
        for place, words in self._audiences():
            for word in words:
                if word.startswith("group:") and word.removeprefix("group:") not in self.groups:
                    raise ValueError(f"{place}: no [groups.{word[6:]}] is set")
        return self

    def _audiences(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for source in self.sources:
            yield f"source {source.name}", source.audience
            for rule in source.rules:
                yield f"source {source.name}, rule {rule.path}", rule.audience
        for key, channel in self.channels.items():
            yield f'channels."{key}"', channel.askers

    @model_validator(mode="after")
    def _channels_are_known(self) -> Self:
        names = {source.name for source in self.sources}
        for key, channel in self.channels.items():
            if key != "default" and not re.fullmatch(r"[a-z]+:\S+", key):
                raise ValueError(
                    f'channels."{key}" is no channel; use its id, "slack:C…" or "teams:…"'
                )
            if unknown := sorted(set(channel.sources) - names):
                raise ValueError(f'channels."{key}" names a source {unknown[0]!r} that is not set')
        return self

    def channel(self, key: str) -> ChannelSettings:
        """How the bot behaves in a channel, `slack:C012…`; the defaults where nothing is set."""
        return self.channels.get(key) or self.channels.get("default", ChannelSettings())

    @property
    def store_url(self) -> str:
        """Where the database is."""
        return self.store.url or f"sqlite:///{self.data_dir / 'footnote.db'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment first, then what the file said (handed over as arguments)."""
        return env_settings, init_settings


class SettingsFileError(ValueError):
    """The settings file is missing or is no TOML."""


def settings_file(explicit: Path | None) -> Path | None:
    """The file to read: the one named, else `FOOTNOTE_CONFIG`, else `footnote.toml` here."""
    if explicit:
        return explicit
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    here = Path("footnote.toml")
    return here if here.is_file() else None


def load_settings(file: Path | None = None) -> Settings:
    """Read environment and file, once.

    Args:
        file: the settings file; None looks where `settings_file` says.

    Raises:
        SettingsFileError: the file is missing or is no TOML, or a variable is no JSON.
        pydantic.ValidationError: a value or key cannot be used; see `config.explain`.
    """
    path = settings_file(file)
    given: dict[str, Any] = (_read_toml(path) if path else {}) | _unknown_variables()
    try:
        return Settings(**given)
    except SettingsError as error:
        name = str(error).split('"')[1] if '"' in str(error) else ""
        raise SettingsFileError(
            f"The variable {ENV_PREFIX}{name.upper()} cannot be read: a whole group or list is "
            f"JSON there. Set its keys one by one, {ENV_PREFIX}{name.upper()}__<KEY>, "
            "or use the settings file."
        ) from error


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsFileError(
            f"The settings file {path} cannot be read ({error.strerror}). "
            "Name an existing file with --config or FOOTNOTE_CONFIG."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsFileError(
            f"The settings file {path} is no TOML: {error}. Mend that line; "
            "config/footnote.toml is a commented example."
        ) from error


def _unknown_variables() -> dict[str, str]:
    """Misspelt top-level variables, which pydantic-settings would pass over in silence."""
    known = {name.upper() for name in Settings.model_fields}
    unknown: dict[str, str] = {}
    for variable, value in os.environ.items():
        if not variable.startswith(ENV_PREFIX) or variable == CONFIG_VARIABLE:
            continue
        if variable.removeprefix(ENV_PREFIX).split("__")[0] not in known:
            unknown[variable.removeprefix(ENV_PREFIX).lower()] = value
    return unknown
