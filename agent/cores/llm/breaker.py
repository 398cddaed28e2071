"""A service that does not answer is left alone for a while, so that nobody waits for it.

After three failed calls within a minute the breaker opens; once a minute one call is let through to
see whether the service is back. Each end is told once.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

FAILURES = 3
WITHIN_S = 60.0
PROBE_S = 60.0


def tell_nobody(open_now: bool) -> None:
    """Nobody is told."""
    del open_now


@dataclass
class Breaker:
    """Counts failures and says whether a call may be made.

    Attributes:
        changed: is told True when it opens and False when it closes.
    """

    changed: Callable[[bool], None] = tell_nobody
    clock: Callable[[], float] = monotonic
    _failed_at: deque[float] = field(default_factory=lambda: deque(maxlen=FAILURES))
    _next_probe: float | None = None

    def allows(self) -> bool:
        """Whether a call may be made now; of an open breaker one probe a minute."""
        if self._next_probe is None:
            return True
        if self.clock() < self._next_probe:
            return False
        self._next_probe = self.clock() + PROBE_S
        return True

    def failed(self) -> None:
        """A call failed, its retries included."""
        now = self.clock()
        self._failed_at.append(now)
        enough = len(self._failed_at) == FAILURES and now - self._failed_at[0] <= WITHIN_S
        if enough and self._next_probe is None:
            self._next_probe = now + PROBE_S
            self.changed(True)

    def succeeded(self) -> None:
        """A call was answered."""
        self._failed_at.clear()
        if self._next_probe is not None:
            self._next_probe = None
            self.changed(False)
