"""What Slack's refusals mean for us."""

from collections.abc import Mapping
from typing import Any

from slack_sdk.errors import SlackApiError

from agent.errors import ConfigError, ServiceUnreachable
from bots.ports import DeliveryDelayed, DeliveryRefused

SIMPLER = frozenset(
    {
        "invalid_arguments",
        "invalid_blocks",
        "invalid_blocks_format",
        "invalid_metadata_format",
        "invalid_metadata_schema",
        "metadata_must_be_sent_from_app",
        "metadata_too_large",
        "msg_blocks_too_long",
        "msg_too_long",
    }
)
"""Slack will not take this form of a message; a simpler one may do."""
NOT_THERE = frozenset({"cant_update_message", "edit_window_closed", "message_not_found"})
"""The message to be edited cannot be; another one can be posted."""
LATER = frozenset({"rate_limited", "ratelimited", "service_unavailable"})
"""Nothing was taken; later it may be."""
UNCLEAR = frozenset({"fatal_error", "internal_error", "request_timeout", "unknown_error"})
"""Slack's own words: part of it may have been done."""
TOKEN_REFUSED = frozenset(
    {"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"}
)
"""No call will succeed with this token."""


def auth_problem(error: SlackApiError) -> ConfigError | ServiceUnreachable:
    """What to tell an operator about a refused token."""
    code = error_code(error)
    if code in TOKEN_REFUSED:
        return ConfigError(
            f"Slack refuses the token ({code}).",
            hint="Copy the tokens of the app's page anew: slack.bot_token (xoxb-…) and "
            "slack.app_token (xapp-…); see docs/slack.md.",
        )
    return ServiceUnreachable(
        f"Slack refuses to say who we are ({code}).", hint="Try again later, or see docs/slack.md."
    )


def error_code(error: SlackApiError) -> str:
    """Slack's word for what went wrong."""
    response = error.response
    data = response if isinstance(response, Mapping) else getattr(response, "data", None)
    said = data.get("error") if isinstance(data, Mapping) else None  # else a server's own page
    return str(said or "unknown_error")


def is_passing(error: SlackApiError) -> bool:
    """Whether the same call may succeed a moment later."""
    status = getattr(error.response, "status_code", 200)
    return error_code(error) in LATER | UNCLEAR or (isinstance(status, int) and status >= 500)


def delivery_problem(error: SlackApiError) -> Exception:
    """What a refused post means for the delivery; UNCLEAR ones stay what they are."""
    code = error_code(error)
    if code in LATER:
        return DeliveryDelayed(code, retry_after_s=_retry_after_s(error))
    if is_passing(error):
        return error
    return DeliveryRefused(code)


def _retry_after_s(error: SlackApiError) -> float:
    headers: Mapping[str, Any] = getattr(error.response, "headers", None) or {}
    named = {str(name).lower(): value for name, value in headers.items()}
    try:
        return float(named.get("retry-after", 0))
    except (TypeError, ValueError):
        return 0.0
