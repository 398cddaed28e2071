"""What activities of Teams mean: which are questions, and what they ask."""

from typing import Any

import pytest

from bots.ports import Incoming, Place
from bots.teams.translate import Arrived, Asked, Deleted, Edited, Overheard, Voted, translate
from tests.teams_fakes import ANN, BOT_ID, CHANNEL, group, in_channel, mention, personal


def asked(activity: dict[str, Any]) -> Incoming:
    """The question in an activity."""
    event = translate(activity)
    assert isinstance(event, Asked)
    return event.incoming


def test_a_personal_message_is_a_question() -> None:
    incoming = asked(personal("How long is leave?"))

    assert incoming.text == "How long is leave?"
    assert incoming.place is Place.DIRECT
    assert incoming.asker == f"teams:{ANN}"
    assert incoming.conversation_key == incoming.thread_key == "teams:a:ann"
    assert incoming.timezone == "Europe/Berlin"


def test_a_channel_post_belongs_to_its_thread() -> None:
    incoming = asked(in_channel())

    assert incoming.place is Place.CHANNEL
    assert incoming.conversation_key == f"teams:{CHANNEL}"
    assert incoming.thread_key == f"teams:{CHANNEL};messageid=1700000000001"


def test_a_group_chat_is_one_thread() -> None:
    incoming = asked(group())

    assert incoming.place is Place.GROUP
    assert incoming.thread_key == "teams:19:group@thread.v2"


def test_the_same_message_has_the_same_key_however_often_it_comes() -> None:
    assert asked(personal()).message_key == asked(personal()).message_key
    assert asked(personal()).message_key != asked(personal(id="2")).message_key


def test_a_message_without_an_id_is_known_by_its_content() -> None:
    first = {key: value for key, value in personal("a").items() if key != "id"}

    assert asked(first).message_key == asked(dict(first)).message_key
    assert asked(first).message_key != asked(first | {"text": "b"}).message_key


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("<at>Footnote</at> how long?", "how long?", id="at the beginning"),
        pytest.param("how long, <at>Footnote</at>", "how long,", id="at the end"),
        pytest.param("Tell me, <at>Footnote</at>, how long?", "Tell me, , how long?", id="inside"),
        pytest.param("<at>Footnote</at>: how long?", "how long?", id="with a colon"),
        pytest.param("<at>Footnote</at>，假期多长？", "假期多长？", id="with a Chinese comma"),
        pytest.param(
            "<at>Footnote</at>&nbsp;how &lt; long &amp; far?", "how < long & far?", id="entities"
        ),
        pytest.param(
            "<at>Footnote</at> what is the Footnote style?",
            "what is the Footnote style?",
            id="name in the question",
        ),
        pytest.param(
            "<at>Footnote</at>\r\nfirst\r\n\r\nsecond", "first\n\nsecond", id="lines stay"
        ),
        pytest.param("<at>Footnote</at>", "", id="a bare mention"),
    ],
)
def test_only_our_own_mention_is_taken_out(text: str, said: str) -> None:
    assert asked(in_channel(text)).text == said


def test_other_mentions_stay_readable() -> None:
    activity = in_channel(
        "<at>Ann Lee</at> says ask <at>Footnote</at>: who is <at>Ben</at>?",
        entities=[mention("Ann Lee", "29:x"), mention(), mention("Ben", "29:ben")],
    )

    assert asked(activity).text == "Ann Lee says ask : who is Ben?"


def test_a_namesake_keeps_his_mention() -> None:
    activity = in_channel(
        "<at>Footnote</at> what did <at>Footnote</at> write?",
        entities=[mention(), mention("Footnote", "29:namesake")],
    )

    assert asked(activity).text == "what did Footnote write?"


@pytest.mark.parametrize(
    "entities",
    [
        pytest.param([{"type": "mention"}], id="no mentioned"),
        pytest.param([{"type": "mention", "mentioned": "x", "text": 5}], id="other types"),
        pytest.param("mention", id="no list"),
        pytest.param([None, 3, ["mention"]], id="no objects"),
    ],
)
def test_nonsense_entities_mention_nobody(entities: Any) -> None:
    assert isinstance(translate(in_channel(entities=entities)), Overheard)
    assert asked(personal(entities=entities)).text == "How long is parental leave?"


@pytest.mark.parametrize(
    "activity",
    [
        pytest.param(personal(value={"action": "vote"}) | {"text": None}, id="a card submit"),
        pytest.param(personal(text="", value={"a": 1}), id="a card submit with empty text"),
        pytest.param(personal(type="typing"), id="typing"),
        pytest.param(
            personal(type="messageReaction", reactionsAdded=[{"type": "like"}]), id="a like"
        ),
        pytest.param(personal() | {"from": {"id": BOT_ID}}, id="ourselves"),
        pytest.param(personal() | {"from": {"id": "28:other"}}, id="another bot"),
        pytest.param(personal() | {"from": {"id": "x", "role": "bot"}}, id="a bot by its role"),
        pytest.param(personal(type="endOfConversation"), id="an unknown type"),
        pytest.param(personal(type="invoke", name="task/fetch"), id="another invoke"),
    ],
)
def test_no_question(activity: dict[str, Any]) -> None:
    assert translate(activity) is None


def test_talk_without_our_name_is_overheard_not_asked() -> None:
    alone = translate(in_channel("anybody there?", entities=[]))
    named = translate(in_channel("<at>Ben</at>?", entities=[mention("Ben", "29:ben")]))

    assert isinstance(alone, Overheard)
    assert not alone.names_others
    assert isinstance(named, Overheard)
    assert named.names_others


def test_an_edit_carries_the_newest_text_under_the_same_key() -> None:
    edit = personal("How long is sick leave?", type="messageUpdate") | {
        "channelData": {"eventType": "editMessage"}
    }
    event = translate(edit)

    assert isinstance(event, Edited)
    assert event.incoming.text == "How long is sick leave?"
    assert event.incoming.message_key == asked(personal()).message_key


def test_a_deletion_names_the_message() -> None:
    event = translate(personal(type="messageDelete"))

    assert event == Deleted(asked(personal()).message_key)


@pytest.mark.parametrize(
    ("activity", "arrived"),
    [
        pytest.param(personal(type="installationUpdate", action="add"), True, id="installed"),
        pytest.param(
            personal(type="installationUpdate", action="add-upgrade"), True, id="upgraded"
        ),
        pytest.param(personal(type="installationUpdate", action="remove"), False, id="removed"),
        pytest.param(
            personal(type="conversationUpdate", membersAdded=[{"id": BOT_ID}]), True, id="added"
        ),
        pytest.param(
            personal(type="conversationUpdate", membersAdded=[{"id": "29:x"}]),
            False,
            id="another was added",
        ),
        pytest.param(
            personal(type="conversationUpdate", membersRemoved=[{"id": BOT_ID}]),
            False,
            id="taken out",
        ),
    ],
)
def test_arrivals(activity: dict[str, Any], arrived: bool) -> None:
    assert isinstance(translate(activity), Arrived) is arrived


def test_a_greeting_is_no_reply() -> None:
    event = translate(personal(type="installationUpdate", action="add"))

    assert isinstance(event, Arrived)
    assert event.incoming.address["activity_id"] == ""


@pytest.mark.parametrize("words", ["too short", '{"feedbackText": "too short"}'])
def test_a_vote_carries_its_sentence(words: str) -> None:
    value = {"actionName": "feedback", "actionValue": {"reaction": "dislike", "feedback": words}}
    event = translate(
        personal(type="invoke", name="message/submitAction", value=value, replyToId="m7")
    )

    assert isinstance(event, Voted)
    assert (event.reply_id, event.liked, event.words) == ("m7", False, "too short")


@pytest.mark.parametrize(
    ("attachment", "pictures"),
    [
        pytest.param({"contentType": "image/png"}, True, id="an image"),
        pytest.param(
            {"contentType": "application/vnd.microsoft.teams.file.download.info"}, True, id="a file"
        ),
        pytest.param(
            {"contentType": "text/html", "content": "<p>hi</p>"}, False, id="the text as HTML"
        ),
        pytest.param(
            {"contentType": "text/html", "content": '<p><img src="x"></p>'},
            True,
            id="a pasted image",
        ),
        pytest.param(
            {
                "contentType": "text/html",
                "content": '<img itemtype="http://schema.skype.com/Emoji">',
            },
            False,
            id="an emoji",
        ),
        pytest.param(
            {"contentType": "application/vnd.microsoft.card.adaptive"}, False, id="a card"
        ),
    ],
)
def test_pictures_are_noticed(attachment: dict[str, Any], pictures: bool) -> None:
    assert asked(personal(attachments=[attachment])).pictures is pictures


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param({"from": "nobody", "conversation": 5, "recipient": None}, id="other types"),
        pytest.param({"text": "\ud800 half a character \0"}, id="text that no store takes"),
        pytest.param({"channelData": ["x"], "localTimezone": "../../etc/passwd"}, id="odd values"),
        pytest.param(
            {"conversation": {"id": "x", "conversationType": "seance"}}, id="unknown place"
        ),
    ],
)
def test_nonsense_never_raises(broken: dict[str, Any]) -> None:
    event = translate(personal() | broken)

    if isinstance(event, Asked):
        event.incoming.text.encode("utf-8")
        assert "\0" not in event.incoming.text
