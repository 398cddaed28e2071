"""The search before the first round, in the asker's words and, where those find little, in others.

**The coverage gate**: where the question's words cover at least half of what they weigh, search
found what was asked for nearly always; below it hardly ever, and more text does not help: the
words do. So there a small call asks for the documents' own words, and both rankings are fused. The
gate chooses the query; it never declines.
"""

from agent.domain import SearchResult, Usage
from agent.fusing import fuse, in_context
from agent.leaves import tasks
from agent.leaves.desk import Desk
from agent.ports import SmallCalls, TextSize
from agent.reading import Reading
from agent.stopping import StopRule
from agent.text.words import language_of


async def open_leaf(desk: Desk, small: SmallCalls, stop: StopRule, size: TextSize) -> Reading:
    """Search for the leaf's question, or for each of its parts, and show what was found.

    Where a task says what is to be read, that is shown instead.

    Raises:
        LibraryError: the library cannot be searched.
        ServiceUnreachable: the small call's model did not answer.
    """
    picked = await tasks.opening(desk, size)
    if picked:
        return picked
    queries = desk.leaf.queries
    found = await desk.reader.find(queries, size)
    weak = [at for at, one in enumerate(found) if one.coverage < stop.bounds.coverage_gate]
    if weak:
        asked = [queries[at] for at in weak]
        found += await _in_other_words(asked, found, desk, (small, stop, size))
    if len(queries) > 1:
        found += await desk.reader.find([desk.leaf.question], size)
    first = fuse(found, size.wanted)
    if desk.leaf.context:
        (whole,) = await desk.reader.find([desk.leaf.context], size)
        first = in_context(first, whole)
    return await desk.reader.show(first, desk.leaf.question, size)


async def _in_other_words(
    queries: list[str],
    found: list[SearchResult],
    desk: Desk,
    tools: tuple[SmallCalls, StopRule, TextSize],
) -> list[SearchResult]:
    small, stop, size = tools
    text = " ".join(queries)
    asked = small.search_words(text, _languages(text, found))
    words, usage = await stop.budget.within(asked, ("", Usage()))
    desk.spend(usage)
    stop.spend(usage)
    if not words:
        return []
    desk.words = words
    desk.searched_again = True
    return await desk.reader.find([words], size)


def _languages(text: str, found: list[SearchResult]) -> list[str]:
    """The question's language, and the other one where documents are written in it."""
    own = language_of(text)
    other = "en" if own == "zh" else "zh"
    return [own, other] if any(one.other_language_documents for one in found) else [own]
