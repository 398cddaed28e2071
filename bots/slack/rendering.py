"""A reply as Slack messages: rich text above, one context line a footnote below.

Rich text carries characters, not markup, so that nothing from a document or a model can mention,
link or format anything. Each message also says all of it in `text`, which is what notifications
and screen readers use, and what is posted alone when Slack will not take the blocks.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.domain import Answer, Outcome
from bots.phrases import phrase
from bots.ports import Notice, Reply
from bots.replies.footnotes import Footnote, footnotes, links
from bots.replies.literal import literal_blocks
from bots.replies.parts import split_blocks, split_text
from bots.replies.prose import (
    Block,
    Item,
    Paragraph,
    Preformatted,
    Quotation,
    Run,
    Runs,
    inert,
    markdown_blocks,
)
from bots.slack.markup import escaped, link

PART_CHARS = 2_800
"""Longest answer text in one message, before it is escaped."""
TEXT_CHARS = 3_900
"""Longest `text` of one message; Slack takes 4,000 in an edit, 3,000 in a text object of a block,
and about 12,000 over all blocks."""
FOOTNOTES_A_MESSAGE = 20
"""Footnotes below one message; more of them go on in the next."""

_FENCE = "```"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message: `text` says everything that `blocks` show."""

    text: str
    blocks: tuple[Json, ...] = ()


def render(reply: Reply) -> list[SlackMessage]:
    """The messages of a reply in order, at least one."""
    if isinstance(reply, Notice):
        return notice_messages(reply.text)
    return _answer_messages(reply)


def notice_messages(text: str) -> list[SlackMessage]:
    """Our own plain words."""
    return _fitting_messages(
        lambda limit: [SlackMessage(escaped(inert(each))) for each in split_text(text, limit)]
    )


def simpler(message: SlackMessage) -> list[list[SlackMessage]]:
    """Forms of a message to try one after the other, each a list of messages."""
    forms = [[message]]
    if message.blocks:
        forms.append([SlackMessage(message.text)])
    for share in (2, 4):
        limit = max(200, len(message.text) // share + 1)
        pieces = split_text(message.text, limit, whole="<>")
        forms.append([SlackMessage(piece) for piece in _with_whole_code(pieces)])
    return forms


def _with_whole_code(pieces: Sequence[str]) -> Iterator[str]:
    """Pieces in which a code block that was cut is closed and opened again."""
    open_before = False
    for piece in pieces:
        text = f"{_FENCE}\n{piece}" if open_before else piece
        open_before = text.count(_FENCE) % 2 == 1
        yield f"{text}\n{_FENCE}" if open_before else text


def _fitting_messages(make: Callable[[int], list[SlackMessage]]) -> list[SlackMessage]:
    """Messages made with the largest part size under which each still fits when escaped."""
    limit = PART_CHARS
    messages = make(limit)
    while limit > 200 and any(len(each.text) > TEXT_CHARS for each in messages):
        limit //= 2
        messages = make(limit)
    return messages


def _answer_messages(answer: Answer) -> list[SlackMessage]:
    by_model = not answer.extractive and answer.outcome in (Outcome.ANSWERED, Outcome.PARTIAL)
    if by_model:
        blocks = markdown_blocks(answer.text, links(answer))
    else:
        headings = {part.question for part in answer.parts}
        blocks = literal_blocks(answer.text, links(answer), headings)
    blocks += [Item((Run(inert(choice)),)) for choice in answer.choices]
    notes, below = _notes(answer), footnotes(answer)

    def make(limit: int) -> list[SlackMessage]:
        parts = split_blocks(blocks, limit)
        messages = [_message(part, notes if part is parts[0] else ()) for part in parts]
        return _with_footnotes(messages, below)

    return _fitting_messages(make)


def _notes(answer: Answer) -> list[str]:
    understood = phrase(answer.language, "reply.understood", question=answer.understood)
    return [inert(note) for note in (*answer.notes, *([understood] if answer.understood else []))]


def _message(blocks: Sequence[Block], notes: Sequence[str]) -> SlackMessage:
    text = "\n".join([*(escaped(note) for note in notes), _text(blocks)])
    shown = [_context(escaped(note)) for note in notes]
    if elements := list(_elements(blocks)):
        shown.append({"type": "rich_text", "elements": elements})
    return SlackMessage(text, tuple(shown))


def _with_footnotes(messages: list[SlackMessage], notes: Sequence[Footnote]) -> list[SlackMessage]:
    """The messages with their footnotes below the last one, or in more messages of their own."""
    lines = [_footnote_line(together) for together in _by_place(notes)]
    while lines:
        last, room = messages[-1], FOOTNOTES_A_MESSAGE - _context_count(messages[-1])
        fitting = _fitting(last, lines[: max(room, 0)])
        if not fitting:
            messages.append(SlackMessage(""))
            continue
        text = "\n".join(part for part in (last.text, "", *fitting) if part or last.text).strip()
        messages[-1] = SlackMessage(text, (*last.blocks, *map(_context, fitting)))
        lines = lines[len(fitting) :]
    return messages


def _fitting(message: SlackMessage, lines: Sequence[str]) -> list[str]:
    kept: list[str] = []
    used = len(message.text)
    for line in lines:
        if (message.text or kept) and used + len(line) + 2 > TEXT_CHARS:
            break
        used += len(line) + 1
        kept.append(line)
    return kept


def _context_count(message: SlackMessage) -> int:
    return sum(block["type"] == "context" for block in message.blocks)


def _by_place(notes: Sequence[Footnote]) -> list[list[Footnote]]:
    """Footnotes in order; neighbours that say the same place and no words share a line."""
    lines: list[list[Footnote]] = []
    for note in notes:
        before = lines[-1][-1] if lines else None
        if before and not note.quote and replace(before, number=note.number) == note:
            lines[-1].append(note)
        else:
            lines.append([note])
    return lines


def _footnote_line(notes: Sequence[Footnote]) -> str:
    note = notes[0]
    numbers = " ".join(f"[{each.number}]" for each in notes)
    place = link(note.url, note.place) if note.url else escaped(note.place)
    where = ", ".join(part for part in (f"{numbers} {place}", note.page) if part)
    line = " · ".join(part for part in (where, escaped(note.note)) if part)
    return f"{line}: “{escaped(note.quote)}”" if note.quote else line


def _context(mrkdwn: str) -> Json:
    element = {"type": "mrkdwn", "text": mrkdwn, "verbatim": True}
    return {"type": "context", "elements": [element]}


def _elements(blocks: Sequence[Block]) -> Iterator[Json]:
    """Rich text elements; neighbouring paragraphs and items are put together."""
    group: list[Block] = []
    for block in blocks:
        if group and _kind(block) != _kind(group[0]):
            yield _element(group)
            group = []
        group.append(block)
    if group:
        yield _element(group)


def _kind(block: Block) -> tuple[Any, ...]:
    if isinstance(block, Item):
        return (Item, block.depth, block.number is None)
    return (type(block), id(block) if isinstance(block, Preformatted) else 0)


def _element(group: Sequence[Block]) -> Json:
    first = group[0]
    if isinstance(first, Preformatted):
        return {
            "type": "rich_text_preformatted",
            "elements": [{"type": "text", "text": first.text}],
        }
    if isinstance(first, Item):
        return _list(first, [block for block in group if isinstance(block, Item)])
    kind = "rich_text_quote" if isinstance(first, Quotation) else "rich_text_section"
    runs: list[Run] = []
    for block in group:
        if not isinstance(block, Preformatted):
            runs += [*_gap(runs), *block.runs]
    return {"type": kind, "elements": _runs(tuple(runs))}


def _gap(before: Sequence[Run]) -> list[Run]:
    """What stands between two paragraphs: a blank line, none below a heading."""
    if not before:
        return []
    return [Run("\n" if before[-1].bold else "\n\n")]


def _list(first: Item, items: Sequence[Item]) -> Json:
    element: Json = {
        "type": "rich_text_list",
        "style": "bullet" if first.number is None else "ordered",
        "indent": min(first.depth, 6),
        "elements": [{"type": "rich_text_section", "elements": _runs(item.runs)} for item in items],
    }
    if first.number is not None and first.number > 1:
        element["offset"] = first.number - 1
    return element


def _runs(runs: Runs) -> list[Json]:
    return [_run(run) for run in runs if run.text]


def _run(run: Run) -> Json:
    if run.url:
        return {"type": "link", "url": run.url, "text": run.text}
    looks = {
        "bold": run.bold,
        "italic": run.italic,
        "strike": run.struck,
        "code": run.code,
    }
    style = {name: True for name, on in looks.items() if on}
    return {"type": "text", "text": run.text, **({"style": style} if style else {})}


def _text(blocks: Sequence[Block]) -> str:
    lines: list[str] = []
    previous: Block | None = None
    for block in blocks:
        lines += ([""] if previous and not _close(previous, block) else []) + [_text_of(block)]
        previous = block
    return "\n".join(lines)


def _close(before: Block, block: Block) -> bool:
    """Whether no blank line parts two blocks: items of lists, and what follows a heading."""
    if isinstance(before, Item):
        return isinstance(block, Item)
    return isinstance(before, Paragraph) and all(run.bold for run in before.runs)


def _text_of(block: Block) -> str:
    match block:
        case Preformatted(text):
            literal = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return f"{_FENCE}\n{literal.replace(_FENCE, '` ``')}\n{_FENCE}"
        case Item():
            sign = "•" if block.number is None else f"{block.number}."
            return f"{'    ' * block.depth}{sign} {_text_runs(block.runs)}"
        case Quotation():
            return "\n".join(f"> {line}" for line in _text_runs(block.runs).split("\n"))
        case Paragraph():
            return _text_runs(block.runs)


def _text_runs(runs: Runs) -> str:
    return "".join(link(run.url, run.text) if run.url else escaped(run.text) for run in runs)
