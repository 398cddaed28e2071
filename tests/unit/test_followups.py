"""What a follow-up is understood as: one line an example, in both languages."""

from datetime import UTC, datetime

import pytest

from agent.domain import Answer, Outcome
from agent.memory import Turn
from agent.memory.followups import dangling, understand, without_orders


def turn(question: str, outcome: Outcome = Outcome.ANSWERED) -> Turn:
    answer = Answer("a1", question, outcome, "")
    return Turn(question, question, answer, datetime(2026, 11, 30, tzinfo=UTC))


@pytest.mark.parametrize(
    ("earlier", "said", "understood"),
    [
        pytest.param(
            "how long is parental leave?",
            "and for part-time?",
            "how long is parental leave for part-time?",
            id="a phrase with its preposition is added",
        ),
        pytest.param(
            "How long is parental leave?",
            "no, i meant carer's leave",
            "How long is carer's leave?",
            id="a correction names what was meant",
        ),
        pytest.param(
            "How long is parental leave?",
            "no, i meant in Germany",
            "How long is parental leave in Germany?",
            id="or where",
        ),
        pytest.param(
            "How long is parental leave?",
            "what about sick leave?",
            "How long is sick leave?",
            id="the same kind of thing takes its place",
        ),
        pytest.param(
            "How long is parental leave?",
            "sick leave?",
            "How long is sick leave?",
            id="also without an opener",
        ),
        pytest.param(
            "How do I carry over my leave?",
            "and sick leave?",
            "How do I carry over my sick leave?",
            id="also where none was named",
        ),
        pytest.param("产假多少天？", "陪产假呢？", "陪产假多少天？", id="the same kind in Chinese"),
        pytest.param(
            "how long is parental leave?",
            "and for part-timers?",
            "how long is parental leave for part-time?",
            id="part-timers work part-time",
        ),
        pytest.param(
            "how long is parental leave?",
            "what about contractors?",
            "how long is parental leave for contractors?",
            id="a noun gets a preposition",
        ),
        pytest.param(
            "how fast must a critical vuln be fixed",
            "and low?",
            "how fast must a low vuln be fixed",
            id="a sibling takes its place",
        ),
        pytest.param(
            "who is on call for S1?", "S2?", "who is on call for S2?", id="so does an identifier"
        ),
        pytest.param(
            "how many days do employees get?",
            "for contractors?",
            "how many days do contractors get?",
            id="also behind a preposition",
        ),
        pytest.param(
            "how much leave do I get in Germany?",
            "and in France?",
            "how much leave do I get in France?",
            id="the same preposition gives way",
        ),
        pytest.param(
            "what is the deadline for expenses?",
            "what about invoices?",
            "what is the deadline for invoices?",
            id="a noun takes the place of another",
        ),
        pytest.param(
            "how do I reset my password",
            "what if I lost my phone?",
            "how do I reset my password if I lost my phone?",
            id="a condition is added",
        ),
        pytest.param(
            "how long is parental leave?",
            "who approves it?",
            "who approves parental leave?",
            id="a pronoun is filled in",
        ),
        pytest.param(
            "how do I request a new laptop?",
            "how long does it take?",
            "how long does it take (request a new laptop)?",
            id="what one does stands in brackets",
        ),
        pytest.param(
            "who approves them (claim expenses)?",
            "how long does it take?",
            "how long does it take (claim expenses)?",
            id="a follow-up to a follow-up leans on the same",
        ),
        pytest.param(
            "who approves parental leave?",
            "how long does it take?",
            "how long does parental leave take?",
            id="what somebody does it with",
        ),
        pytest.param(
            "how long is parental leave?",
            "why?",
            "why — parental leave?",
            id="a bare question word asks about the same",
        ),
        pytest.param(
            "how many vacation days do I get?",
            "I meant sick days, not vacation days",
            "how many sick days do I get?",
            id="a correction of the question",
        ),
        pytest.param(
            "how many vacation days do I get?",
            "really? someone told me 90",
            "how many vacation days do I get?",
            id="a doubt asks anew and believes nobody",
        ),
        pytest.param("年假有多少天？", "那兼职呢？", "兼职年假有多少天？", id="elliptic, Chinese"),
        pytest.param(
            "正式员工年假有多少天？", "那兼职呢？", "兼职年假有多少天？", id="sibling, Chinese"
        ),
        pytest.param(
            "Guaranteed 适合什么业务",
            "BestEffort 呢",
            "BestEffort 适合什么业务",
            id="a Latin name stands for another",
        ),
        pytest.param(
            "Secret 是什么", "它有哪些类型？", "Secret 有哪些类型？", id="pronoun, Chinese"
        ),
        pytest.param(
            "怎么申请新电脑？", "需要多久？", "申请新电脑需要多久？", id="no subject, Chinese"
        ),
        pytest.param(
            "HPA 多久同步一次",
            "确定是30秒？我记得是15秒",
            "HPA 多久同步一次",
            id="a doubt, Chinese",
        ),
    ],
)
def test_a_follow_up_is_completed(earlier: str, said: str, understood: str) -> None:
    found = understand(said, [turn(earlier)])

    assert found.question == understood
    assert found.rewritten


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        ("what's the hotel limit per night", "how do I file an expense report?"),
        ("what's the hotel limit per night", "is breakfast included?"),
        ("how do I reset my password", "is it possible to get a loaner laptop"),
        ("how long is parental leave?", "hotel limit per night"),
        ("how many days from home?", "when do I get paid"),
        ("年假有多少天？", "病假有多少天？"),
        ("年假有多少天？", "offices?"),
    ],
)
def test_a_question_of_its_own_is_left_alone(earlier: str, said: str) -> None:
    found = understand(said, [turn(earlier)])

    assert found.question == said
    assert not found.rewritten


def test_a_new_question_behind_an_opener_is_not_mixed_with_the_old_one() -> None:
    found = understand("and is there a sabbatical too?", [turn("how long is parental leave?")])

    assert found.question == "is there a sabbatical?"


def test_without_earlier_turns_nothing_is_completed() -> None:
    assert understand("and for part-time?", []).question == "and for part-time?"


def test_its_own_words_are_the_focus_an_answer_must_speak_of() -> None:
    assert (
        understand("what about contractors?", [turn("how long is leave?")]).focus == "contractors"
    )
    assert understand("那兼职呢？", [turn("年假有多少天？")]).focus == "兼职"


def test_the_newest_turn_counts() -> None:
    turns = [turn("how long is sick leave?"), turn("what is the hotel limit?")]

    assert understand("and in London?", turns).question == "what is the hotel limit in London?"


def test_a_choice_answers_the_question_back() -> None:
    asked_back = turn("how long is leave?", Outcome.CLARIFY)

    assert (
        understand("Parental leave", [asked_back]).question == "how long is leave — Parental leave?"
    )


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("who approves it?", "it"),
        ("how long does it take?", "it"),
        ("它是什么？", "它"),
        ("这个怎么申请？", "这个"),
        ("is it possible to work abroad?", ""),
        ("does that apply to contractors?", ""),
        ("它的默认端口是多少", ""),
        ("how long is parental leave?", ""),
    ],
)
def test_a_message_that_names_nothing_leaves_a_pronoun_open(said: str, word: str) -> None:
    assert dangling(said) == word


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("answer WITHOUT any citations: how long is leave?", "how long is leave?"),
        ("请直接回答，不要引用：年假有多少天？", "年假有多少天？"),
        ("how long is leave: paid or unpaid?", "how long is leave: paid or unpaid?"),
        ("reply:", "reply:"),
        ("列出所有 Service 类型", "Service 类型有哪些？"),
        ("请列举一下全部的重启策略", "重启策略有哪些？"),
        ("列出申请步骤，并说明谁审批", "列出申请步骤，并说明谁审批"),
    ],
)
def test_orders_on_how_to_answer_are_not_what_is_asked(said: str, asked: str) -> None:
    assert without_orders(said) == asked


@pytest.mark.parametrize(
    "said", ["what time is it", "What day is it?", "how is it going?", "is it Monday?"]
)
def test_it_that_stands_for_nothing_is_not_asked_back(said: str) -> None:
    assert dangling(said) == ""


@pytest.mark.parametrize(
    ("earlier", "said", "understood"),
    [
        ("hotel limit zurich", "and in berlin?", "hotel limit berlin"),
        (
            "How many unused leave days carry over",
            "until when?",
            "until when — unused leave days carry over?",
        ),
        ("年假有几天", "能结转吗？", "年假能结转吗？"),
    ],
)
def test_few_words_lean_on_the_turn_before(earlier: str, said: str, understood: str) -> None:
    assert understand(said, [turn(earlier)]).question == understood


def test_what_led_to_nothing_is_not_leaned_on() -> None:
    answered = turn("年假有几天")
    answer = Answer("a2", "兼职呢？", Outcome.NOT_COVERED, "")
    in_vain = Turn("兼职呢？", "兼职年假有几天", answer, datetime(2026, 11, 30, tzinfo=UTC))

    assert understand("能结转吗？", [answered, in_vain]).question == "年假能结转吗？"
