"""What Slack's events mean to us, and what people wrote in plain words."""

from typing import Any

import pytest

from bots.ports import Place
from bots.slack.client import Identity
from bots.slack.events import (
    Asked,
    Deleted,
    Edited,
    Overheard,
    Translated,
    command_incoming,
    translate,
)
from bots.slack.markup import decoded, escaped, link, mentions

US = Identity("U0US", "B0US", "T1", "Footnote")

MENTION = {
    "type": "app_mention",
    "channel": "C1",
    "user": "U7",
    "text": "<@U0US> how much leave?",
    "ts": "10.1",
}
MESSAGE = MENTION | {"type": "message", "channel_type": "channel"}
DIRECT = MESSAGE | {"channel": "D7", "channel_type": "im", "text": "how much leave?"}
REPLY = MESSAGE | {"thread_ts": "9.0", "text": "and for part-time?"}


def changed(before: dict[str, Any], text: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "subtype": "message_changed",
        "channel": before["channel"],
        "channel_type": before["channel_type"],
        "hidden": True,
        "ts": "11.0",
        "event_ts": "11.0",
        "message": before | {"text": text, "edited": {"ts": "10.9"}} | more,
        "previous_message": before,
    }


def meaning(translated: Translated | None) -> object:
    """A translation in a word or two, for the table."""
    match translated:
        case Asked(incoming, again):
            return ("asked", incoming.text, incoming.thread_key, incoming.place.value, again)
        case Overheard(incoming, names_others):
            return ("overheard", incoming.text, names_others)
        case Edited(incoming, _, mentions_anew):
            return ("edited", incoming.text, incoming.message_key, mentions_anew)
        case Deleted(key):
            return ("deleted", key)
    return None


ASKED = ("asked", "how much leave?", "slack:C1/10.1", "channel", False)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        pytest.param(MENTION, ASKED, id="a mention"),
        pytest.param(MESSAGE, ASKED, id="the same post as a message"),
        pytest.param(
            MENTION | {"thread_ts": "9.0"},
            ("asked", "how much leave?", "slack:C1/9.0", "channel", False),
            id="a mention in a thread stays in it",
        ),
        pytest.param(
            DIRECT, ("asked", "how much leave?", "slack:D7/10.1", "direct", False), id="direct"
        ),
        pytest.param(
            DIRECT | {"thread_ts": "9.0"},
            ("asked", "how much leave?", "slack:D7/9.0", "direct", False),
            id="direct, in a thread",
        ),
        pytest.param(
            MESSAGE | {"channel": "G1", "channel_type": "mpim"},
            ("asked", "how much leave?", "slack:G1/10.1", "group", False),
            id="a group message that names us",
        ),
        pytest.param(
            MESSAGE | {"channel_type": "mpim", "text": "lunch?"}, None, id="a group's own talk"
        ),
        pytest.param(
            MENTION | {"edited": {"ts": "10.2"}}, (*ASKED[:4], True), id="an edited mention"
        ),
        pytest.param(
            MENTION | {"text": "<@U0US>"},
            ("asked", "", "slack:C1/10.1", "channel", False),
            id="a bare mention",
        ),
        pytest.param(MESSAGE | {"subtype": "file_share"}, ASKED, id="a file with a question"),
        pytest.param(MESSAGE | {"subtype": "thread_broadcast"}, ASKED, id="also to the channel"),
        pytest.param(REPLY, ("overheard", "and for part-time?", False), id="talk in a thread"),
        pytest.param(
            REPLY | {"text": "<@U9> what do you think?"},
            ("overheard", "@U9 what do you think?", True),
            id="talk to somebody else",
        ),
        pytest.param(MESSAGE | {"text": "lunch?"}, None, id="talk in a channel"),
        pytest.param(MESSAGE | {"bot_id": "B9"}, None, id="another bot"),
        pytest.param(MESSAGE | {"user": "U0US"}, None, id="ourselves"),
        pytest.param(DIRECT | {"user": "USLACKBOT"}, None, id="Slackbot"),
        pytest.param(MESSAGE | {"subtype": "bot_message"}, None, id="an integration"),
        pytest.param(MESSAGE | {"subtype": "channel_join"}, None, id="a join"),
        pytest.param(MESSAGE | {"hidden": True}, None, id="hidden"),
        pytest.param({"type": "message"}, None, id="nothing in it"),
        pytest.param(
            changed(DIRECT, "how much sick leave?"),
            ("edited", "how much sick leave?", "D7/10.1", False),
            id="an edit",
        ),
        pytest.param(
            changed(REPLY, "<@U0US> and for part-time?"),
            ("edited", "and for part-time?", "C1/10.1", True),
            id="an edit that now names us",
        ),
        pytest.param(changed(MESSAGE, MESSAGE["text"]), None, id="a preview was added"),
        pytest.param(changed(DIRECT, "x", bot_id="B9"), None, id="a bot edits itself"),
        pytest.param(changed(DIRECT, "x", user="U0US"), None, id="our own edit"),
        pytest.param(
            changed(DIRECT, "", subtype="tombstone"), ("deleted", "D7/10.1"), id="a tombstone"
        ),
        pytest.param(
            {
                "type": "message",
                "subtype": "message_deleted",
                "channel": "C1",
                "deleted_ts": "10.1",
            },
            ("deleted", "C1/10.1"),
            id="a deletion",
        ),
    ],
)
def test_what_an_event_means(event: dict[str, Any], expected: object) -> None:
    assert meaning(translate(event, US)) == expected


def test_a_message_knows_where_its_reply_belongs() -> None:
    translated = translate(MENTION | {"files": [{"id": "F1"}]}, US)

    assert isinstance(translated, Asked)
    incoming = translated.incoming
    assert incoming.message_key == "C1/10.1"
    assert incoming.conversation_key == "slack:C1"
    assert incoming.asker == "slack:U7"
    assert incoming.address == {"channel": "C1", "ts": "10.1", "thread_ts": "10.1", "user": "U7"}
    assert incoming.pictures


def test_a_slash_command_is_private_to_who_gave_it() -> None:
    incoming = command_incoming(
        {
            "command": "/reindex",
            "text": " handbook ",
            "channel_id": "D7",
            "user_id": "U7",
            "trigger_id": "t1",
            "response_url": "https://hooks.example/1",
        }
    )

    assert (incoming.text, incoming.message_key) == ("handbook", "command/t1")
    assert incoming.place is Place.DIRECT
    assert incoming.address["command"] == "/reindex"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("<@U0US> how long?", "how long?", id="mention first"),
        pytest.param("<@U0US>: how long?", "how long?", id="mention with a colon"),
        pytest.param("how long <@U0US> is it?", "how long is it?", id="mention in the middle"),
        pytest.param("how long? <@U0US>", "how long?", id="mention last"),
        pytest.param("<@U0US> <@U0US|footnote> hi", "hi", id="mentioned twice"),
        pytest.param("<@U0USER> knows?", "@U0USER knows?", id="somebody with a longer id"),
        pytest.param("ask <@U9|bob>", "ask @bob", id="other people keep their name"),
        pytest.param("in <#C1|people-help> or <#C2>", "in #people-help or #C2", id="channels"),
        pytest.param("see <https://a.example/x|the page>", "see the page (https://a.example/x)",
                     id="a link with a label"),
        pytest.param("<https://a.example|a.example>", "https://a.example", id="a bare link"),
        pytest.param("<mailto:a@b.example|a@b.example>", "a@b.example", id="an address"),
        pytest.param("<!here> <!subteam^S1|@people> <!date^1^{date}|today>", "@here @people today",
                     id="groups and dates"),
        pytest.param("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c", id="escapes, once"),
        pytest.param("two\n\nparagraphs  here", "two\n\nparagraphs here", id="line breaks stay"),
        pytest.param("", "", id="nothing"),
    ],
)  # fmt: skip
def test_what_people_wrote_is_read_as_plain_text(written: str, read: str) -> None:
    assert decoded(written, "U0US") == read


def test_whom_a_message_names() -> None:
    assert mentions("<@U1> and <@U2|bob> and <!subteam^S1|@x> <#C1> <https://x.example>") == {
        "U1",
        "U2",
        "S1",
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
        ("*bold* _it_ ~no~ `code`", "\u2060*bold\u2060* \u2060_it\u2060_ \u2060~no\u2060~ "
         "\u2060`code\u2060`"),
        ("snake_case and 5 * 3", "snake_case and 5 * 3"),
        ("https://a.example", "https://\u2060a.example"),
    ],
)  # fmt: skip
def test_plain_text_formats_and_links_nothing(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_a_link_cannot_be_broken_by_its_address_or_label() -> None:
    assert link("https://a.example/x|y>z w?a=1&b=2", "A | B > C") == (
        "<https://a.example/x%7Cy%3Ez%20w?a=1&amp;b=2|A ¦ B &gt; C>"
    )
