"""When missing documents are purged, hidden or answer on."""

from datetime import UTC, datetime, timedelta

import pytest

from connectors.guard import Fate, Guard, Purging, judge
from connectors.ports import Presence

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
INTERVAL = timedelta(minutes=15)


@pytest.mark.parametrize(
    ("known", "missing", "seen", "expected"),
    [
        pytest.param(100, 100, 0, Purging.NEVER, id="nothing listed"),
        pytest.param(1, 1, 0, Purging.NEVER, id="nothing listed, one known"),
        pytest.param(4, 4, 1, Purging.NOW, id="fewer than five never wait"),
        pytest.param(9, 5, 4, Purging.AFTER_AN_ADMIN, id="five of nine are over half"),
        pytest.param(10, 5, 5, Purging.AFTER_A_SECOND_RUN, id="five of ten are half, not more"),
        pytest.param(100, 21, 79, Purging.AFTER_A_SECOND_RUN, id="over a fifth"),
        pytest.param(100, 20, 80, Purging.NOW, id="a fifth is not more than a fifth"),
        pytest.param(24, 5, 19, Purging.AFTER_A_SECOND_RUN, id="five of 24 are over a fifth"),
        pytest.param(25, 5, 20, Purging.NOW, id="five of 25 are a fifth"),
        pytest.param(10_000, 5_001, 4_999, Purging.AFTER_AN_ADMIN, id="just over half"),
        pytest.param(10, 0, 10, Purging.NOW, id="nothing missing"),
    ],
)
def test_the_share_decides_about_purging(
    known: int, missing: int, seen: int, expected: Purging
) -> None:
    assert judge(known=known, missing=missing, seen=seen) is expected


@pytest.mark.parametrize("purging", list(Purging))
def test_what_is_gone_never_answers_on(purging: Purging) -> None:
    fate = Guard(purging, NOW, INTERVAL).fate(Presence.GONE, None)

    assert fate is (Fate.PURGED if purging is Purging.NOW else Fate.HIDDEN)


@pytest.mark.parametrize("purging", list(Purging))
def test_what_is_forbidden_is_only_hidden(purging: Purging) -> None:
    assert Guard(purging, NOW, INTERVAL).fate(Presence.FORBIDDEN, None) is Fate.HIDDEN


@pytest.mark.parametrize("purging", list(Purging))
def test_what_the_source_does_not_know_answers_on(purging: Purging) -> None:
    assert Guard(purging, NOW, INTERVAL).fate(Presence.UNKNOWN, NOW - INTERVAL) is Fate.HELD


@pytest.mark.parametrize(
    ("missed_for", "expected"),
    [(timedelta(minutes=14), Fate.HIDDEN), (timedelta(minutes=15), Fate.PURGED)],
)
def test_a_second_run_counts_an_interval_after_the_first(
    missed_for: timedelta, expected: Fate
) -> None:
    guard = Guard(Purging.AFTER_A_SECOND_RUN, NOW, INTERVAL)

    assert guard.fate(Presence.GONE, NOW - missed_for) is expected


@pytest.mark.parametrize(
    ("forbidden_for", "expected"),
    [(timedelta(days=29), Fate.HIDDEN), (timedelta(days=30), Fate.PURGED)],
)
def test_what_is_forbidden_is_purged_after_the_grace(
    forbidden_for: timedelta, expected: Fate
) -> None:
    guard = Guard(Purging.NOW, NOW, INTERVAL)

    assert guard.fate(Presence.FORBIDDEN, NOW - forbidden_for) is expected


def test_no_wait_ends_by_time_where_an_admin_must_decide() -> None:
    guard = Guard(Purging.AFTER_AN_ADMIN, NOW, INTERVAL)

    assert guard.fate(Presence.GONE, NOW - timedelta(days=365)) is Fate.HIDDEN


@pytest.mark.parametrize("presence", [Presence.GONE, Presence.FORBIDDEN, Presence.UNKNOWN])
def test_a_confirmation_purges_what_an_earlier_run_missed(presence: Presence) -> None:
    guard = Guard(Purging.NEVER, NOW, INTERVAL, confirmed=True)

    assert guard.fate(presence, NOW - timedelta(seconds=1)) is Fate.PURGED


def test_a_confirmation_is_not_for_what_nobody_has_seen_missing_yet() -> None:
    guard = Guard(Purging.AFTER_AN_ADMIN, NOW, INTERVAL, confirmed=True)

    assert guard.fate(Presence.GONE, None) is Fate.HIDDEN


@pytest.mark.parametrize("confirmed", [False, True])
def test_what_is_there_after_all_is_left_alone(confirmed: bool) -> None:
    guard = Guard(Purging.NOW, NOW, INTERVAL, confirmed)

    assert guard.fate(Presence.THERE, NOW - timedelta(days=99)) is Fate.LEFT
