"""How answers look in Teams: text that says everything, chips, labels, limits."""

import json
from dataclasses import replace
from typing import Any

import pytest

from agent.domain import (
    Answer,
    Outcome,
    PartAnswer,
    PartProgress,
    PartState,
    ProgressEvent,
    Stage,
)
from bots.ports import Incoming, Notice, Place
from bots.teams.rendering import CHIPS, TEXT_CHARS, Part, progress_text, render
from tests.chat_fakes import answer_to, cite, message

QUOTE = "All employees get 14 weeks."
DIRECT = message(place=Place.DIRECT)
CHANNEL = message(place=Place.CHANNEL)


def written(**other: Any) -> Answer:
    """An answer a model wrote, with one footnote."""
    return answer_to(said="Leave is 14 weeks [1].", extractive=False, **other)


def only(answer: Answer, incoming: Incoming = DIRECT) -> Part:
    """The one message of an answer."""
    (part,) = render(answer, incoming)
    return part


def claims(part: Part) -> list[dict[str, Any]]:
    """The citations of a message."""
    (entity,) = part.activity["entities"]
    return list(entity["citation"])


def test_a_footnote_gives_place_page_and_quote() -> None:
    part = only(written(citations=(cite(page=12),)))

    assert part.activity["text"] == (
        "Leave is 14 weeks [1].\n\n"
        "[1] **People handbook** › Leave › Parental leave · p. 12\n"
        f"> “{QUOTE}”"
    )


def test_a_quoted_answer_does_not_repeat_its_quote() -> None:
    text = only(answer_to(said=f"“{QUOTE}” [1]")).activity["text"]

    assert text.count(QUOTE) == 1


def test_a_printed_page_number_stands_beside_the_physical_one() -> None:
    text = only(written(citations=(cite(page=12, label="vi"),))).activity["text"]

    assert "p. vi (page 12 of the file)" in text


def test_a_chip_carries_the_quote_within_its_limits() -> None:
    long = cite(
        quote="word " * 100, section=("A very long heading " * 10,), url="https://d.example/x"
    )
    appearance = claims(only(written(citations=(long,))))[0]["appearance"]

    assert len(appearance["name"]) <= 80
    assert len(appearance["abstract"]) <= 160
    assert appearance["abstract"].startswith("word word")
    assert appearance["url"] == "https://d.example/x"


def test_a_chip_without_a_known_address_has_none() -> None:
    assert "url" not in claims(only(written()))[0]["appearance"]


def test_only_text_written_by_a_model_is_labelled() -> None:
    by_model, by_quotes = only(written()), only(answer_to())

    assert by_model.activity["entities"][0]["additionalType"] == ["AIGeneratedContent"]
    assert "additionalType" not in by_quotes.activity["entities"][0]


def test_a_question_back_from_a_model_is_labelled_too() -> None:
    part = only(answer_to(said="Which?", citations=(), extractive=False, outcome=Outcome.CLARIFY))

    assert part.activity["entities"][0]["additionalType"] == ["AIGeneratedContent"]


@pytest.mark.parametrize("outcome", [Outcome.TALK, Outcome.NOT_COVERED, Outcome.UNAVAILABLE])
def test_our_own_phrases_are_no_model_text(outcome: Outcome) -> None:
    part = only(answer_to(said="Hello!", citations=(), extractive=False, outcome=outcome))

    assert "entities" not in part.activity


def test_more_citations_than_chips_stand_in_the_list_of_sources() -> None:
    citations = tuple(cite(n, quote=f"Fact {n}.") for n in range(1, 15))
    text = " ".join(f"[{n}]" for n in range(1, 15))
    part = only(replace(written(citations=citations), text=text))

    assert [claim["position"] for claim in claims(part)] == list(range(1, CHIPS + 1))
    assert "[14] **People handbook**" in part.activity["text"]


def test_a_channel_shows_three_quotes_and_the_place_of_every_source() -> None:
    citations = tuple(cite(n, f"Fact number {n}.", section=(f"Part {n}",)) for n in range(1, 6))
    answer = replace(written(citations=citations), text="[1][2][3][4][5]")

    assert only(answer, CHANNEL).activity["text"].count("\n> “") == 3
    assert only(answer, CHANNEL).activity["text"].count("**People handbook**") == 5
    assert only(answer, DIRECT).activity["text"].count("\n> “") == 5


def test_a_title_is_a_link_where_its_address_is_known() -> None:
    text = only(written(citations=(cite(url="https://d.example/a b(c)"),))).activity["text"]

    assert "[**People handbook**](https://d.example/a%20b%28c%29)" in text


def test_titles_are_escaped() -> None:
    text = only(written(citations=(cite(title="Draft [2] *old* <b>"),))).activity["text"]

    assert "**Draft \\[2\\] \\*old\\* &lt;b&gt;**" in text


def test_remarks_stand_above_the_answer() -> None:
    answer = written(understood="How long is parental leave?", notes=("I read laeve as leave.",))
    lines = only(answer).activity["text"].split("\n\n")

    assert lines[0] == "_Understood: How long is parental leave?_"
    assert lines[1] == "_I read laeve as leave._"


def test_choices_are_listed() -> None:
    answer = answer_to(
        said="Which?",
        citations=(),
        choices=("Parental leave", "Sick leave"),
        outcome=Outcome.CLARIFY,
    )

    assert only(answer).activity["text"].endswith("• Parental leave  \n• Sick leave")


def test_a_models_markdown_is_read_and_a_documents_is_not() -> None:
    said = "It is **14** weeks [1].\n\n1. ask\n2. go"
    by_model = only(replace(written(), text=said)).activity["text"]
    by_quotes = only(replace(written(), text=said, extractive=True)).activity["text"]

    assert by_model.startswith("It is **14** weeks [1].  \n1\\. ask  \n2\\. go")
    assert by_quotes.startswith("It is \\*\\*14\\*\\* weeks [1].")


def test_a_models_links_are_no_links() -> None:
    said = "See [the form](https://evil.example) [1] and https://evil.example."
    text = only(replace(written(), text=said)).activity["text"]

    assert "](https://evil" not in text
    assert "https://evil" not in text.replace("https\u2060://", "")


def test_rows_become_a_table_in_a_fixed_width() -> None:
    said = "“Basic | 10\nPro | 20” (columns: Plan | Seats) [1]"
    text = only(answer_to(said=said)).activity["text"]

    assert text.startswith("```\nPlan  | Seats\nBasic | 10\nPro   | 20\n```")


def test_a_part_has_its_heading_in_bold_and_its_rows_as_a_single_answer_has() -> None:
    row = "“Berlin | 140 EUR” (columns: city | limit) [1]"
    parts = tuple(
        PartAnswer(question, Outcome.ANSWERED, row) for question in ("Which limit?", "Where?")
    )
    together = "\n\n".join(f"{part.question} {row}" for part in parts)
    single = only(answer_to(said=row), CHANNEL).activity["text"].split("\n\n")[0]

    text = only(replace(answer_to(said=together), parts=parts), CHANNEL).activity["text"]

    assert text.startswith(f"**Which limit?**\n\n{single}\n\n**Where?**\n\n{single}")
    assert "columns:" not in text


def test_footnotes_of_one_place_share_a_line() -> None:
    citations = (cite(1, "One."), cite(2, "Two."))
    answer = replace(answer_to(said="“One.” [1]\n“Two.” [2]"), citations=citations)

    assert "[1][2] **People handbook** › Leave › Parental leave" in only(answer).activity["text"]


def test_phrases_follow_the_answers_language() -> None:
    part = only(written(citations=(cite(page=12),), language="zh"))

    assert "第 12 页" in part.activity["text"]


def test_thumbs_stand_under_answers_not_under_talk() -> None:
    talk = answer_to(said="Hello!", citations=(), outcome=Outcome.TALK)

    assert only(written()).activity["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert "channelData" not in only(talk).activity


def test_a_long_answer_goes_on_in_further_messages() -> None:
    said = "\n\n".join(f"Paragraph {n}. " + "word " * 300 + "[1]" for n in range(40))
    parts = render(replace(written(), text=said), DIRECT)

    assert len(parts) > 2
    assert all(len(part.activity["text"]) <= TEXT_CHARS for part in parts)
    assert all(part.activity["text"].startswith("Paragraph") for part in parts)
    assert all(claims(part) for part in parts)
    assert ["channelData" in part.activity for part in parts] == [False] * (len(parts) - 1) + [True]
    assert "**People handbook**" in parts[-1].activity["text"]


def test_no_message_is_larger_than_teams_takes() -> None:
    citations = tuple(
        cite(n, quote="字" * 2_000, url="https://d.example/" + "x" * 500) for n in range(1, 60)
    )
    text = " ".join(f"事实[{n}]" for n in range(1, 60)) + "长" * 60_000
    for part in render(replace(written(citations=citations), text=text), DIRECT):
        assert 2 * len(json.dumps(part.activity, ensure_ascii=False)) <= 80_000


def test_the_plain_form_says_the_same() -> None:
    part = only(written())

    assert part.plain == {
        "type": "message",
        "textFormat": "markdown",
        "text": part.activity["text"],
    }


def test_a_notice_is_shown_as_it_is() -> None:
    (part,) = render(Notice("Write `status`.\n• *one*"), DIRECT)

    assert part.activity["text"] == "Write \\`status\\`.  \n• \\*one\\*"


@pytest.mark.parametrize(
    ("event", "line"),
    [
        pytest.param(ProgressEvent(Stage.MAP), "Reading the document map…", id="map"),
        pytest.param(
            ProgressEvent(Stage.READING), "Reading the document map…", id="no document yet"
        ),
        pytest.param(
            ProgressEvent(Stage.READING, "Hand*book", "Leave"),
            "Reading Hand\\*book › Leave…",
            id="a section",
        ),
        pytest.param(ProgressEvent(Stage.QUEUED, ahead=0), "Your question is next…", id="next"),
        pytest.param(
            ProgressEvent(Stage.QUEUED, ahead=3), "3 questions come before yours…", id="queue"
        ),
    ],
)
def test_progress_is_one_line(event: ProgressEvent, line: str) -> None:
    assert progress_text(event, DIRECT) == line


def test_a_plan_shows_how_far_each_part_is() -> None:
    parts = (
        PartProgress("How long?", PartState.ANSWERED),
        PartProgress("Who approves?", PartState.READING),
    )
    text = progress_text(ProgressEvent(Stage.CHECKING, parts=parts), DIRECT)

    assert text.split("  \n")[1:] == ["• How long?: answered", "• Who approves?: reading"]


def test_progress_stays_within_what_a_stream_takes() -> None:
    parts = tuple(PartProgress("why " * 60, PartState.PENDING) for _ in range(20))

    assert len(progress_text(ProgressEvent(Stage.MAP, parts=parts), DIRECT)) <= 1_000
