"""Replies as Slack messages: within every limit, and saying the same in text and blocks."""

import json
from pathlib import Path
from typing import Any

import pytest
from slack_sdk.models.blocks import Block as SdkBlock

from agent.domain import Answer, Citation, Outcome, PartAnswer
from bots.ports import Notice
from bots.slack.rendering import SlackMessage, render, simpler
from tests.chat_fakes import answer_to, cite

QUOTE = "The words of the source, which go on for a while and then end. " * 8
SHORT = "The words of the source."


def many(count: int, **other: Any) -> tuple[Citation, ...]:
    return tuple(cite(number, QUOTE, url=f"https://d.example/{number}", **other)
                 for number in range(1, count + 1))  # fmt: skip


TABLE = "\n".join(f"Row {number} | value {number} | 员工 {number}" for number in range(200))
VARIED: dict[str, Answer] = {
    "short": answer_to(),
    "talk": answer_to(said="Hello! *Ask* me <something>.", outcome=Outcome.TALK, citations=()),
    "ten footnotes": answer_to(
        said=" ".join(f"[{n}]" for n in range(1, 11)),
        citations=tuple(cite(n, SHORT, page=n) for n in range(1, 11)),
    ),
    "thirty footnotes": answer_to(
        said=" ".join(f"[{n}]" for n in range(1, 31)), citations=many(30)
    ),
    "long text": answer_to(said="Sentence of the answer [1]. " * 900, citations=many(3)),
    "long word": answer_to(said="x" * 12_001),
    "escapes": answer_to(said="&<>" * 3_000),
    "a table of 200 rows": answer_to(said=f"“{TABLE}” (columns: a | b | c) [1]"),
    "a table of a model": answer_to(
        said="| a | b |\n|--|--|\n" + "| 1 | 2 |\n" * 300, extractive=False
    ),
    "code of a model": answer_to(said="```\n" + "x = 1\n" * 2_000 + "```", extractive=False),
    "deep lists": answer_to(
        said="\n".join(f"{'  ' * depth}- level {depth}" for depth in range(12)), extractive=False
    ),
    "choices": answer_to(outcome=Outcome.CLARIFY, choices=("This?", "That?"), citations=()),
    "notes": answer_to(notes=("I read “leve” as “leave”.",), understood="How long is leave?"),
    "Chinese": answer_to(said="“产假按当地法律规定执行。” [1]\n" * 300, language="zh"),
    "long titles": answer_to(citations=many(4, title="T" * 400, section=("S" * 400,))),
    "real answers": answer_to(
        said="""What is the rate limit of the Team plan?
“Over the limit the API answers with status 429.” [1]
“Starter | 60 | 20
Team | 300 | 100” (columns: plan | requests per minute | burst) [2]
“E-205 | Cloud not reachable | Open port 8883.” (columns: Code | Meaning | What to do) [3]
How do I claim an expense?
“1. Photograph the receipt in the expense app.
2. Choose the cost centre of your team.
3. Send.” [4]
The notice period for a second leave: I found nothing. I looked in People handbook › Leave and \
Part-time addendum; #hr-help may know.""",
        parts=(
            PartAnswer("What is the rate limit of the Team plan?", Outcome.ANSWERED, ""),
            PartAnswer("How do I claim an expense?", Outcome.ANSWERED, ""),
        ),
        citations=(
            cite(1, "Over the limit the API answers with status 429.", title="Breeze Cloud API"),
            cite(2, "Starter | 60 | 20\nTeam | 300 | 100", title="Breeze Cloud API", page=3),
            cite(3, "E-205 | Cloud not reachable | Open port 8883.", note="archived"),
            cite(4, "Other words of the same section.", url="https://d.example/expenses"),
        ),
    ),
    "empty": answer_to(said="", citations=()),
}


@pytest.mark.parametrize("answer", [pytest.param(a, id=name) for name, a in VARIED.items()])
def test_every_message_keeps_slacks_limits_and_the_sdks_rules(answer: Answer) -> None:
    for message in render(answer):
        assert len(message.text) <= 4_000
        assert len(message.blocks) <= 50
        assert len(json.dumps(message.blocks, ensure_ascii=False)) <= 13_200
        for parsed in SdkBlock.parse_all(list(message.blocks)):
            parsed.validate_json()
        for block in message.blocks:
            if block["type"] == "context":
                assert all(0 < len(each["text"]) <= 3_000 for each in block["elements"])


@pytest.mark.parametrize("answer", [pytest.param(a, id=name) for name, a in VARIED.items()])
def test_every_form_of_a_message_says_all_of_it(answer: Answer) -> None:
    for message in render(answer):
        whole = "".join(message.text.replace("```", "").split())
        for form in simpler(message):
            said = "".join(each.text.replace("```", "") for each in form)
            assert "".join(said.split()) == whole


def test_code_and_links_survive_being_cut_into_pieces() -> None:
    said = "```\n" + "x = 1\n" * 200 + "```\n\n" + "See [1] now. " * 20
    (message,) = render(
        answer_to(said=said, extractive=False, citations=(cite(url="https://d.example/a"),))
    )

    for form in simpler(message)[2:]:
        assert len(form) > 1
        for piece in form:
            assert piece.text.count("```") % 2 == 0
            assert piece.text.count("<") == piece.text.count(">")


def test_text_and_blocks_say_the_same() -> None:
    (message,) = render(VARIED["short"])

    shown = strings(message.blocks)
    assert [word for word in message.text.split() if word not in " ".join(shown).split()] == []


def test_thirty_footnotes_go_on_in_further_messages() -> None:
    messages = render(VARIED["thirty footnotes"])

    numbers = [
        element["text"].split("]")[0].lstrip("[")
        for message in messages
        for block in message.blocks
        if block["type"] == "context"
        for element in block["elements"]
    ]
    assert numbers == [str(number) for number in range(1, 31)]
    assert len(messages) > 1


def test_a_notice_is_plain_text() -> None:
    assert render(Notice("Set *model.name* & restart <now>")) == [
        SlackMessage("Set \u2060*model.name\u2060* &amp; restart &lt;now&gt;")
    ]


def test_an_answer_that_is_a_quote_shows_only_its_place_below() -> None:
    (message,) = render(answer_to(citations=(cite(page=12, url="https://d.example/a"),)))

    assert message.text == (
        "“All employees get 14 weeks.” <https://d.example/a|[1]>\n\n"
        "[1] <https://d.example/a|People handbook › Leave › Parental leave>, p. 12"
    )


def test_two_quotes_of_one_place_share_a_line() -> None:
    said = "“One.” [1] “Two.” [2] “Three.” [3]"
    cited = (cite(1, "One."), cite(2, "Two."), cite(3, "Three.", page=4))

    (message,) = render(answer_to(said=said, citations=cited))

    assert message.text.splitlines()[-2:] == [
        "[1] [2] People handbook › Leave › Parental leave",
        "[3] People handbook › Leave › Parental leave, p. 4",
    ]


SHOWN = ("notes", "choices", "ten footnotes", "real answers")


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_reader_sees(name: str) -> None:
    """Snapshots that a person can read; renew them by deleting the file."""
    file = Path(__file__).parents[1] / "data" / "slack" / f"{name.replace(' ', '-')}.txt"
    shown = "\n----\n".join(message.text for message in render(VARIED[name])) + "\n"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(shown, encoding="utf-8")
        pytest.fail(f"{file.name} was written anew; read it and run again")
    assert shown == file.read_text(encoding="utf-8")


def strings(value: Any) -> list[str]:
    """Every text in some blocks."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in strings(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in strings(each)]
    return [value] if isinstance(value, str) else []
