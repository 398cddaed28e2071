"""Whether the settings of the chat platforms go together."""

from bots.doctor.checks import Check, failed, ok, warning
from config.settings import Settings


async def slack(settings: Settings) -> list[Check]:
    """The tokens that go together."""
    wanted = settings.slack
    if wanted.bot_token is None:
        return [ok("slack", "Off: slack.bot_token is not set.")]
    if wanted.app_token is None and wanted.signing_secret is None:
        return [
            failed(
                "slack",
                "A bot token is set, but nothing that receives messages.",
                "Set slack.app_token (Socket Mode) or slack.signing_secret (HTTP): docs/slack.md.",
            )
        ]
    how = "Socket Mode" if wanted.app_token else "HTTP at /slack/events"
    return [ok("slack", f"On, by {how}."), *_admins("slack", settings.admins.slack)]


async def teams(settings: Settings) -> list[Check]:
    """The registration, its secret and its tenants."""
    wanted = settings.teams
    if not wanted.app_id:
        return [ok("teams", "Without app id: the endpoint answers local clients only.")]
    if wanted.app_password is None:
        fix = "Set FOOTNOTE_TEAMS__APP_PASSWORD: docs/teams.md."
        return [failed("teams", "An app id is set, but no secret to reply with.", fix)]
    checks = [ok("teams", "On, at /api/messages.")]
    if not wanted.tenants:
        fix = "Set teams.tenants to your own tenant id."
        checks.append(warning("teams", "Every tenant may talk to the bot.", fix))
    return checks + _admins("teams", settings.admins.teams)


def _admins(platform: str, admins: tuple[str, ...]) -> list[Check]:
    if admins:
        return []
    fix = f"Set admins.{platform} (FOOTNOTE_ADMINS__{platform.upper()})."
    return [warning(platform, "Nobody there may /reindex.", fix)]
