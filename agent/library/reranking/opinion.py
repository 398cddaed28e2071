"""The second opinion as the library uses it: the best passages in the reranker's order.

A reranker that fails costs nothing: after three failures it is left alone for a minute, and the
search's own order stays.
"""

import logging
from collections.abc import Sequence

from agent.cores.llm.breaker import Breaker
from agent.errors import ServiceUnreachable
from agent.library.searching.choosing import place_of
from agent.library.searching.scoring import ScoredPassage
from agent.library.searching.uniting import Found
from agent.ports import Reranker

logger = logging.getLogger(__name__)

_READ = 24
"""So many passages are shown to it."""


class Opinion:
    """Asks the reranker, if it may be asked."""

    def __init__(
        self,
        reranker: Reranker,
        open_sources: frozenset[str] | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        """An opinion of a reranker.

        Args:
            reranker: who is asked.
            open_sources: names of the sources whose text may leave the machine; None: all.
            breaker: None: one that tells the log.
        """
        self._reranker = reranker
        self._open = open_sources if reranker.outside else None
        self._breaker = breaker or Breaker(_tell)

    async def on(self, found: Found) -> Found:
        """The same with its best passages in a better order; as it was while it fails."""
        best = list(found.passages[:_READ])
        places = [at for at, passage in enumerate(best) if self._may_be_shown(found, passage)]
        if len(places) < 2 or not self._breaker.allows():
            return found
        try:
            texts = [_text(found, best[at]) for at in places]
            scores = await self._reranker.rank(found.query, texts)
        except ServiceUnreachable as error:
            self._breaker.failed()
            logger.warning("passages keep their order", extra={"problem": error.problem})
            return found
        self._breaker.succeeded()
        return found.reordered([*_in_order(best, places, scores), *found.passages[_READ:]])

    def _may_be_shown(self, found: Found, passage: ScoredPassage) -> bool:
        document, _ = found.texts[place_of(passage.stretch)]
        return self._open is None or document.source in self._open


def _in_order(
    passages: Sequence[ScoredPassage], places: Sequence[int], scores: Sequence[float]
) -> list[ScoredPassage]:
    """What was judged changes places among itself; the rest stays where it is."""
    order = sorted(zip(places, scores, strict=True), key=lambda one: -one[1])
    found = list(passages)
    for place, (before, _) in zip(places, order, strict=True):
        found[place] = passages[before]
    return found


def _text(found: Found, passage: ScoredPassage) -> str:
    """A passage under its title and headings."""
    document, section = found.texts[place_of(passage.stretch)]
    chain = " > ".join(dict.fromkeys((document.title, *section.headings)))
    return f"{chain}\n{section.text[passage.start : passage.end]}"


def _tell(open_now: bool) -> None:
    if open_now:
        logger.error("the reranker keeps failing: passages keep the order of the search")
    else:
        logger.warning("the reranker answers again")
