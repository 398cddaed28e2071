"""What is counted, for Prometheus: numbers only, no words of anybody."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import monotonic

from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

from agent.domain import Answer, Outcome, Question, SourceState
from agent.ports import Progress
from bots.ports import Answerer

_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)


class Metrics:
    """The counters of one process."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # it ships without its type
        self._now = now
        self._registry = CollectorRegistry()
        self._questions = Counter(
            "footnote_questions", "Questions by outcome.", ["outcome"], registry=self._registry
        )
        self._seconds = Histogram(
            "footnote_answer_seconds",
            "Seconds from question to answer.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._tokens = Counter(
            "footnote_model_tokens", "Tokens by direction.", ["kind"], registry=self._registry
        )
        self._calls = Counter(
            "footnote_model_calls", "Model calls by size.", ["kind"], registry=self._registry
        )
        self._documents = Gauge(
            "footnote_documents", "Documents held of a source.", ["source"], registry=self._registry
        )
        self._sync_age = Gauge(
            "footnote_sync_age_seconds",
            "Seconds since a source was last read in full.",
            ["source"],
            registry=self._registry,
        )
        for outcome in (*Outcome, "failed"):
            self._questions.labels(str(outcome))

    def answered(self, answer: Answer, seconds: float) -> None:
        """Count a finished question."""
        usage = answer.usage
        self._questions.labels(answer.outcome.value).inc()
        self._seconds.observe(seconds)
        self._tokens.labels("prompt").inc(usage.prompt_tokens)
        self._tokens.labels("completion").inc(usage.completion_tokens)
        self._calls.labels("full").inc(usage.full_calls)
        self._calls.labels("small").inc(usage.small_calls)

    def failed(self) -> None:
        """Count a question that ended in a fault of ours."""
        self._questions.labels("failed").inc()

    def render(self, sources: Sequence[SourceState]) -> bytes:
        """Everything counted, in Prometheus' text format, with the sources as they are now."""
        self._documents.clear()
        self._sync_age.clear()
        for source in sources:
            self._documents.labels(source.name).set(source.documents)
            if source.last_synced:
                age = (self._now() - source.last_synced).total_seconds()
                self._sync_age.labels(source.name).set(max(age, 0.0))
        return generate_latest(self._registry)


class MeasuredAnswerer:
    """An answerer whose answers are counted; for every platform, not for the pages alone."""

    def __init__(
        self, answerer: Answerer, metrics: Metrics, clock: Callable[[], float] = monotonic
    ) -> None:
        self._answerer = answerer
        self._metrics = metrics
        self._clock = clock

    async def answer(self, question: Question, progress: Progress) -> Answer:
        """The other's answer, counted."""
        began = self._clock()
        try:
            answer = await self._answerer.answer(question, progress)
        except Exception:  # counted and raised on
            self._metrics.failed()
            raise
        self._metrics.answered(answer, self._clock() - began)
        return answer


def metrics_reply(metrics: Metrics, sources: Sequence[SourceState]) -> web.Response:
    """The reply to a scrape."""
    return web.Response(body=metrics.render(sources), headers={"Content-Type": CONTENT_TYPE_LATEST})
