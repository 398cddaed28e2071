"""Slack's markup, both ways: what people wrote as plain text, plain text as Slack shows it."""

import re

_TOKEN = re.compile(r"<(?P<target>[^<>|]+)(?:\|(?P<label>[^<>]*))?>")
_FORMAT = re.compile(r"(?<!\w)([*_~`])(?=\S)|(?<=\S)([*_~`])(?!\w)")
_ADDRESS = re.compile(r"(?<=\w)://|\bwww\.", re.IGNORECASE)
_WORD_JOINER = "\u2060"
_BLANKS = re.compile(r"[ \t\u00a0]{2,}")


def escaped(text: str) -> str:
    """Text for `mrkdwn`: shown as it stands, nobody mentioned, nothing formatted or linked."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _ADDRESS.sub(lambda sign: sign[0] + _WORD_JOINER, text)
    return _FORMAT.sub(lambda sign: _WORD_JOINER + sign[0], text)


def link(url: str, label: str) -> str:
    """A link in `mrkdwn`; an address that would break it is encoded."""
    address = url.replace("&", "&amp;").replace("<", "%3C").replace(">", "%3E").replace("|", "%7C")
    return f"<{address.replace(' ', '%20')}|{escaped(label).replace('|', '¦')}>"


def decoded(text: str, bot_user_id: str) -> str:
    """What somebody wrote, as plain text, without our own mention."""
    without_us = re.sub(rf"[ \t]*<@{re.escape(bot_user_id)}(?:\|[^<>]*)?>[ \t]*", " ", text)
    shown = unescape_slack(_TOKEN.sub(_token, without_us))
    return _BLANKS.sub(" ", shown).strip().lstrip(",:，：").strip()


def mentions(text: str) -> frozenset[str]:
    """The ids of people and groups whom a message names."""
    targets = (match["target"] for match in _TOKEN.finditer(text))
    return frozenset(
        target.removeprefix("@").removeprefix("!subteam^")
        for target in targets
        if target.startswith(("@", "!subteam^"))
    )


def unescape_slack(text: str) -> str:
    """`&amp;`, `&lt;` and `&gt;` as characters; Slack escapes these three and no others."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _token(match: re.Match[str]) -> str:
    target, label = match["target"], match["label"] or ""
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("@"):
        return f"@{label or target[1:]}"
    if target.startswith("!"):
        return label if label else f"@{target[1:].split('^')[0]}"
    address = target.removeprefix("mailto:").removeprefix("tel:")
    return _labelled(address, label)


def _labelled(address: str, label: str) -> str:
    bare = re.sub(r"^https?://", "", address)
    return address if label in ("", address, bare) else f"{label} ({address})"
