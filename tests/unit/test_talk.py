"""Messages that are no questions, and questions that come with small talk."""

import json
from pathlib import Path

import pytest

from agent.domain import Facts, SourceState
from agent.phrases import language_of
from agent.talk import reply, split_talk
from agent.talk.kinds import TalkKind

HANDED = Path(__file__).parents[2].parent / "shared" / "evaldata"
FACTS = Facts(bot_name="Footnote", kept_days=30, visible_to="people in this channel")
SOURCES = (SourceState("Handbook", 751, "#ask-people"), SourceState("Wiki", 1))
EXAMPLES = ("How long is parental leave?", "年假多少天？")


def answer(text: str) -> str:
    said = reply(text, FACTS, SOURCES, EXAMPLES, language_of(text))
    assert said is not None
    return said


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("hi", TalkKind.GREETING),
        ("hey @Footnote 👋", TalkKind.GREETING),
        ("<@U0KB> hello!", TalkKind.GREETING),
        ("Footnote, good morning", TalkKind.GREETING),
        ("Good morning everyone!", TalkKind.GREETING),
        ("yo", TalkKind.GREETING),
        ("are you there?", TalkKind.GREETING),
        ("👋", TalkKind.GREETING),
        ("在吗？", TalkKind.GREETING),
        ("你好呀", TalkKind.GREETING),
        ("早上好！", TalkKind.GREETING),
        ("thx", TalkKind.THANKS),
        ("no that's all, thank you so much!!", TalkKind.THANKS),
        ("OK thanks, got it!", TalkKind.THANKS),
        ("that was very helpful", TalkKind.THANKS),
        (":pray:", TalkKind.THANKS),
        ("收到，多谢！", TalkKind.THANKS),
        ("非常感谢", TalkKind.THANKS),
        ("ok", TalkKind.ACKNOWLEDGED),
        ("ok cool", TalkKind.ACKNOWLEDGED),
        ("Great!", TalkKind.ACKNOWLEDGED),
        ("👍", TalkKind.ACKNOWLEDGED),
        ("好的", TalkKind.ACKNOWLEDGED),
        ("bye", TalkKind.GOODBYE),
        ("have a nice weekend", TalkKind.GOODBYE),
        ("再见", TalkKind.GOODBYE),
        ("what time is it", TalkKind.NOT_A_PERSON),
        ("What day is it today?", TalkKind.NOT_A_PERSON),
        ("现在几点了？", TalkKind.NOT_A_PERSON),
        ("???", TalkKind.NO_QUESTION),
        (" \n\t ", TalkKind.NO_QUESTION),
        ("\x00\x07\x1b", TalkKind.NO_QUESTION),
        ("😀😀", TalkKind.NO_QUESTION),
        ("。。。", TalkKind.NO_QUESTION),
        ("@Footnote", TalkKind.NO_QUESTION),
        ("help", TalkKind.HELP),
        ("?", TalkKind.HELP),
        ("hi can you help me?", TalkKind.HELP),
        ("what can you do", TalkKind.HELP),
        ("how does this work?", TalkKind.HELP),
        ("你能做什么？", TalkKind.HELP),
        ("怎么用", TalkKind.HELP),
        ("who are you", TalkKind.ABOUT),
        ("What is Footnote?", TalkKind.ABOUT),
        ("你是谁？", TalkKind.ABOUT),
        ("are you chatgpt?", TalkKind.NOT_A_PERSON),
        ("Am I talking to a human?", TalkKind.NOT_A_PERSON),
        ("你是机器人吗", TalkKind.NOT_A_PERSON),
        ("what documents can you read?", TalkKind.SOURCES),
        ("where do you get your answers from?", TalkKind.SOURCES),
        ("你都能查哪些文档？", TalkKind.SOURCES),
        ("who can see my questions?", TalkKind.PRIVACY),
        ("can my manager see my questions?", TalkKind.PRIVACY),
        ("is this private?", TalkKind.PRIVACY),
        ("谁能看到我的问题？", TalkKind.PRIVACY),
        ("how long do you keep my questions?", TalkKind.RETENTION),
        ("我的问题会保存多久", TalkKind.RETENTION),
        ("can I trust your answers?", TalkKind.TRUST),
        ("who should I ask if you don't know?", TalkKind.WHOM_TO_ASK),
    ],
)
def test_small_talk_is_known(text: str, kind: TalkKind) -> None:
    assert split_talk(text) == (kind, "")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("hi there, what's the hotel limit per night?", "what's the hotel limit per night?"),
        ("great, thank you! do we also get pet insurance?", "do we also get pet insurance?"),
        ("ok so what about sick leave", "so what about sick leave"),
        ("Thanks. And how do I book?", "And how do I book?"),
        ("hello footnote, how many days", "how many days"),
        ("hi how many days", "how many days"),
        ("你好，想问下 CronJob 默认保留几个", "CronJob 默认保留几个"),
        ("谢谢，那年假呢？", "那年假呢？"),
        ("你好请问年假几天", "请问年假几天"),
    ],
)
def test_a_question_beside_small_talk_goes_on_alone(text: str, question: str) -> None:
    kind, rest = split_talk(text)

    assert kind is not None
    assert rest == question
    assert reply(text, FACTS, SOURCES, EXAMPLES, "en") is None


@pytest.mark.parametrize(
    "text",
    [
        "hi-res images: where are they?",
        "okta password reset",
        "how long are audit logs kept?",
        "who can see salaries?",
        "is my salary private?",
        "what documents do I need for a visa?",
        "thanksgiving holiday",
        "help desk phone number",
        "test environment url",
        "你好奇心测试是什么",
        "早会几点开始",
    ],
)
def test_a_question_about_documents_is_no_small_talk(text: str) -> None:
    assert split_talk(text) == (None, text)
    assert reply(text, FACTS, SOURCES, EXAMPLES, language_of(text)) is None


def test_thanks_behind_a_question_are_left_out() -> None:
    assert split_talk("what is the hotel limit? thanks!") == (None, "what is the hotel limit?")


def test_an_empty_message_is_nothing() -> None:
    assert split_talk("") == (TalkKind.NO_QUESTION, "")


def test_the_bot_answers_to_the_name_it_was_given() -> None:
    assert split_talk("Handy, hello", "Handy") == (TalkKind.GREETING, "")


def test_a_long_row_of_thanks_ends() -> None:
    kind, _ = split_talk("thanks, " * 2_000)

    assert kind is TalkKind.THANKS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hi", "I am Footnote. Ask me a question; I answer from Handbook (751 documents) and Wiki"),
        ("你好", "我是 Footnote。请直接提问，我会根据Handbook（751 份文档）和Wiki（1 份文档）回答"),
        ("who can see my questions?", "people in this channel. I keep its text for 30 days."),
        ("how long do you keep my questions?", "for 30 days"),
        ("我的问题会保存多久", "保留 30 天"),
        ("are you chatgpt?", "not a person and not a general chatbot"),
        ("can I trust you?", "the quoted words stand in their source, not that the sentence"),
        ("who should I ask if you don't know?", "#ask-people may know more about Handbook."),
        ("help", "For example: “How long is parental leave?”"),
        ("thx", "You are welcome."),
    ],
)
def test_replies_tell_the_facts(text: str, said: str) -> None:
    assert said in answer(text)


def test_without_documents_the_bot_says_so() -> None:
    assert "no documents yet" in str(reply("what do you know?", FACTS, (), (), "en"))


def test_without_a_contact_help_is_given_instead() -> None:
    said = reply("who should I ask if you don't know?", FACTS, SOURCES[1:], (), "en")

    assert "Ask a question in your own words." in str(said)


def test_many_sources_are_not_all_named() -> None:
    many = [SourceState(f"s{number}", 2) for number in range(9)]

    assert "and 5 more" in str(reply("what can you read?", FACTS, many, (), "en"))


@pytest.mark.parametrize("text", ["hi", "thx", "ok", "bye"])
def test_greetings_and_thanks_are_short(text: str) -> None:
    assert len(answer(text).split()) <= (60 if text == "hi" else 20)


def test_no_handed_question_is_taken_for_small_talk() -> None:
    if not HANDED.is_dir():
        pytest.skip("the handed question sets are not here")
    for file in HANDED.glob("*/questions.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)["question"]
            assert split_talk(question) == (None, question)


def test_handed_conversations_are_small_talk_exactly_where_they_should_be() -> None:
    cases = HANDED / "moments" / "moments.handed.jsonl"
    if not cases.is_file():
        pytest.skip("the handed conversations are not here")
    for line in cases.read_text(encoding="utf-8").splitlines():
        for turn in json.loads(line)["turns"]:
            kind, rest = split_talk(turn["say"])
            is_talk = kind is not None and not rest
            assert is_talk == (turn["expect"]["status"] == ["talk"]), turn["say"]
