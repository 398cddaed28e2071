"""What the private listener is made of; the composition root fills it in."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from aiohttp import web

from agent.domain import SourceState
from agent.ports import Library
from bots.links import SourceLinks
from bots.ports import Answerer
from bots.web.metrics import Metrics
from bots.web.pages.answer_html import SharedDates
from bots.web.pages.gap_report import Gaps
from bots.web.pages.how_found import Traces
from bots.web.pages.reading import Permits
from config.settings import ConversationSettings

OPEN = web.RequestKey("open", bool)
"""Of a request: whether its caller may see everything; else a signed link is needed."""


@dataclass(frozen=True, slots=True)
class PrivateDeps:
    """Everything the handlers ask for.

    Attributes:
        answerer: answers; wrap it in `MeasuredAnswerer` to have it counted.
        permits: opens sections for signed links, whatever the scope.
        shared_dates: dates that half a source's files carry; they are not shown as "updated".
        all_sources: every source with its counts, for readiness and metrics, whatever the scope.
    """

    answerer: Answerer
    library: Library
    permits: Permits
    links: SourceLinks
    traces: Traces
    gaps: Gaps
    metrics: Metrics
    all_sources: Callable[[], Awaitable[Sequence[SourceState]]]
    shared_dates: Callable[[], Awaitable[SharedDates]]
    conversation: ConversationSettings
