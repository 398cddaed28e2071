"""Keeps a disappearance from being taken for a deletion.

Two questions, answered apart. May the missing documents be **purged**: that depends on how many
are missing at once. May a missing one still **answer**: that depends on what the source says of
it when asked by itself; hiding needs no share and waits for nobody.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from connectors.ports import Presence

FEW = 5
"""Documents; fewer missing than this never wait."""
SECOND_RUN_SHARE = 0.2
"""A larger share missing waits for a second complete run, an interval later."""
ADMIN_SHARE = 0.5
"""A larger share missing waits for an admin."""
GRACE = timedelta(days=30)
"""What the source forbids is only hidden for so long, since rights come back."""


class Purging(StrEnum):
    """What may become of missing documents."""

    NOW = "now"
    AFTER_A_SECOND_RUN = "after_a_second_run"
    AFTER_AN_ADMIN = "after_an_admin"
    NEVER = "never"


def judge(*, known: int, missing: int, seen: int) -> Purging:
    """The rule for one complete listing.

    Args:
        known: documents of the source before this run, the missing ones among them.
        missing: of these, how many are in no listing, moves aside.
        seen: files in the listing.
    """
    if seen == 0:
        return Purging.NEVER
    if missing < FEW:
        return Purging.NOW
    if missing > ADMIN_SHARE * known:
        return Purging.AFTER_AN_ADMIN
    if missing > SECOND_RUN_SHARE * known:
        return Purging.AFTER_A_SECOND_RUN
    return Purging.NOW


class Fate(StrEnum):
    """What becomes of one missing document. Left: it is there after all."""

    PURGED = "purged"
    HIDDEN = "hidden"
    HELD = "held"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Guard:
    """The judgement over one complete listing.

    Attributes:
        purging: what `judge` said of the listing as a whole.
        now: the time of this run.
        interval: how long ago an earlier run must lie to count as another one.
        confirmed: an admin has confirmed what earlier runs found missing.
    """

    purging: Purging
    now: datetime
    interval: timedelta
    confirmed: bool = False

    def fate(self, presence: Presence, missing_since: datetime | None) -> Fate:
        """What becomes of a document that the listing lacked.

        Args:
            presence: what the source said when asked for it by itself.
            missing_since: when a complete run first lacked it; None: in this run.
        """
        if presence is Presence.THERE:
            return Fate.LEFT
        if self._may_purge(presence, missing_since):
            return Fate.PURGED
        return Fate.HELD if presence is Presence.UNKNOWN else Fate.HIDDEN

    def _may_purge(self, presence: Presence, missing_since: datetime | None) -> bool:
        age = self.now - missing_since if missing_since else None
        if self.confirmed and age is not None:
            return True
        if presence is Presence.GONE and self.purging is Purging.AFTER_A_SECOND_RUN:
            return age is not None and age >= self.interval
        if presence is Presence.FORBIDDEN and self.purging is Purging.NOW:
            return age is not None and age >= GRACE
        return presence is Presence.GONE and self.purging is Purging.NOW
