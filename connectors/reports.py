"""What a run of a source came to, for the admin who asked and for programs.

Every document listed is counted once: added, changed, moved, unchanged or failed; every one that
is missing once: removed (no longer answerable) or held back (answering on).
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class RunState(StrEnum):
    """How far a source is. Suspicious: so much is missing that nothing was purged."""

    NEVER = "never"
    RUNNING = "running"
    DONE = "done"
    DONE_WITH_ERRORS = "done_with_errors"
    SUSPICIOUS = "suspicious"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A file that could not be taken in, or only in part.

    Attributes:
        doc: path inside the source.
        reason: begins with a word of `domain.PARSE_REASONS`.
        old_copy: whether an earlier version answers on.
        partial: whether the rest of it was read and answers.
    """

    doc: str
    reason: str
    old_copy: bool = False
    partial: bool = False


@dataclass(frozen=True, slots=True)
class SyncReport:
    """One run of one source.

    Attributes:
        complete: the whole source was listed.
        seen: files listed.
        removed: no longer answerable after this run, hidden or purged.
        held_back: missing, but answering on.
        partial: files of the source that are read in part; they are no failures.
        parsed: files a parser really read in this run.
        purged: deleted here for good, some of them out of sight since an earlier run.
        skipped: entries left out on purpose that people may wonder about (links, devices).
        problem: what kept the run from concluding everything; empty when nothing did.
        hint: what to do about `problem`.
    """

    source: str
    state: RunState = RunState.DONE
    mode: str = "full"
    complete: bool = True
    seen: int = 0
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0
    held_back: int = 0
    failed: tuple[FailedDocument, ...] = ()
    partial: tuple[FailedDocument, ...] = ()
    parsed: int = 0
    seconds: float = 0.0
    purged: int = 0
    skipped: int = 0
    problem: str = ""
    hint: str = ""

    @property
    def touched(self) -> int:
        """Documents that are different for a reader after this run."""
        return self.added + self.changed + self.moved + self.removed

    @property
    def clean(self) -> bool:
        """Whether the run ended without anything an admin should look at."""
        return self.state is RunState.DONE

    def report_object(self) -> dict[str, Any]:
        """The fields programs rely on."""
        return {
            "source": self.source,
            "mode": self.mode,
            "complete": self.complete,
            "seen": self.seen,
            "added": self.added,
            "changed": self.changed,
            "moved": self.moved,
            "removed": self.removed,
            "unchanged": self.unchanged,
            "held_back": self.held_back,
            "failed": [
                {"doc": one.doc, "reason": one.reason, "old_copy": one.old_copy}
                for one in self.failed
            ],
            "partial": [{"doc": one.doc, "reason": one.reason} for one in self.partial],
            "parsed": self.parsed,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Busy:
    """The source is being synced by somebody else; this request touched nothing."""

    source: str
    since: datetime
    seen: int = 0
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a run is.

    Attributes:
        stage: `listing`, `reading` or `done`.
        seen: files listed so far.
        done: of `total`, how many were read; `total` is known once the listing ended.
        parsed: how many of these a parser had to read.
    """

    source: str
    stage: str = "listing"
    seen: int = 0
    done: int = 0
    total: int = 0
    parsed: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source for `status`.

    Attributes:
        since: start of the running run, else end of the last one; None: never.
        seen, done, total: of a running run, as in `SyncProgress`.
        documents: documents of the source that are in the map.
        held: missing documents that answer on; `waiting`: hidden ones whose purge waits.
        interval_s: seconds between runs.
        warnings: what an admin should know: no audience, no contact, a rule that leaves nobody.
    """

    source: str
    state: RunState
    since: datetime | None = None
    seen: int = 0
    done: int = 0
    total: int = 0
    documents: int = 0
    failed: int = 0
    held: int = 0
    waiting: int = 0
    interval_s: float = 0.0
    problem: str = ""
    hint: str = ""
    warnings: tuple[str, ...] = ()
