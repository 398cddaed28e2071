"""One conversation against its expectations, turn by turn.

Beside what a turn expects, some things always hold: a status that is one, cited documents that
exist, quotes that stand in them, something cited where something is claimed, no number from
nowhere, nothing cited in small talk.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.evaluation.moments.cases import CITED, Case, Expectation, Properties, Turn
from agent.evaluation.moments.properties import Fail, TextOf, failed, stands_there
from agent.evaluation.moments.replies import Reply, Said
from agent.evaluation.moments.wording import numbers, without_bookkeeping

STATUSES = ("talk", "answered", "partial", "not_covered", "clarify")


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How one turn went.

    Attributes:
        evidence: whether a citation stands at an expected passage; None where none is expected.
    """

    fails: tuple[Fail, ...]
    evidence: bool | None = None


def check_case(
    case: Case, replies: Sequence[Mapping[str, Any]], text_of: TextOf
) -> list[TurnResult]:
    """Check every turn; one without a reply has failed.

    Args:
        case: the conversation.
        replies: answer objects, one a turn.
        text_of: the documents.
    """
    said = Said()
    results = []
    for number, turn in enumerate(case.turns):
        said.words.append(turn.say)
        said.needs.append(turn.expect.needs)
        if number >= len(replies) or not replies[number]:
            results.append(TurnResult((("missing", "no answer object"),)))
            continue
        results.append(_check_turn(turn, Reply.of(replies[number]), said, text_of))
    return results


def _check_turn(turn: Turn, reply: Reply, said: Said, text_of: TextOf) -> TurnResult:
    expect = turn.expect
    blocks = expect.blocks(reply.status)
    fails = [
        *_status(expect, reply),
        *_quotes(reply, text_of),
        *_foreign_numbers(blocks, reply, said),
    ]
    for block in blocks:
        fails += failed(block, reply, said, text_of)
    with_evidence = [block for block in blocks if block.evidence]
    evidence = None
    if reply.status in CITED and with_evidence:
        evidence = any(stands_there(block, reply, text_of) for block in with_evidence)
    return TurnResult(tuple(fails), evidence)


def _status(expect: Expectation, reply: Reply) -> Iterator[Fail]:
    if reply.status not in STATUSES:
        yield "status", f"{reply.status!r} is not a status of a scored run"
    elif reply.status not in expect.status:
        yield "status", f"{reply.status} instead of {' / '.join(expect.status)}"
    if not reply.answer.strip() and not expect.may_be_empty:
        yield "empty", "no text"
    if reply.status in CITED and not reply.citations and not expect.citations_optional:
        yield "no_citation", "claims an answer without a citation"
    if reply.status == "talk" and reply.citations:
        yield "citation_unwanted", "talk carries citations"


def _quotes(reply: Reply, text_of: TextOf) -> Iterator[Fail]:
    for cited in reply.citations:
        source = text_of(cited.doc)
        if source is None:
            yield "unknown_document", cited.doc
        elif not cited.quote.strip() or not source.holds(cited.quote):
            yield "quote_not_verbatim", f"{cited.doc}: {cited.quote[:60]}"


def _foreign_numbers(blocks: Sequence[Properties], reply: Reply, said: Said) -> Iterator[Fail]:
    if reply.status not in CITED or any(block.free_numbers for block in blocks):
        return
    known = "\n".join([*(f"{one.quote} {one.doc}" for one in reply.citations), *said.words])
    allowed = numbers(known, spelled=True) | numbers(said.facts)
    allowed |= {number for block in blocks for number in block.allow_numbers}
    foreign = numbers(without_bookkeeping(reply.answer)) - allowed
    if foreign:
        yield "foreign_number", ", ".join(sorted(foreign))
