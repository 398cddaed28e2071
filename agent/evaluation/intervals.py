"""How far a share of a few questions can be trusted, and where a set of measurements lies."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

_Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the Wilson interval of 95 %."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None of nothing."""
        return self.hits / self.n if self.n else None

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the true share lies in 95 of 100 cases, 0 to 1."""
        return wilson(self.hits, self.n)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The Wilson interval of 95 % of `hits` in `n`; 0 to 1 of nothing."""
    if n == 0:
        return 0.0, 1.0
    share, square = hits / n, _Z95**2
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = _Z95 * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which `share` (0 to 1) of them lie, between two where need be."""
    if not values:
        return None
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def mean(values: Sequence[float]) -> float | None:
    """Their mean; None of none."""
    return sum(values) / len(values) if values else None
