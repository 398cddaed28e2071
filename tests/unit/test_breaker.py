"""When a service that fails is left alone, and when it is tried again."""

from agent.cores.llm.breaker import FAILURES, PROBE_S, WITHIN_S, Breaker


class Time:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def opened() -> tuple[Breaker, Time, list[bool]]:
    time, told = Time(), list[bool]()
    breaker = Breaker(told.append, time)
    for _ in range(FAILURES):
        breaker.failed()
    return breaker, time, told


def test_it_opens_after_three_failures_within_a_minute_and_says_so_once() -> None:
    breaker, _, told = opened()
    breaker.failed()

    assert not breaker.allows()
    assert told == [True]


def test_failures_far_apart_do_not_open_it() -> None:
    time = Time()
    breaker = Breaker(clock=time)
    for _ in range(5):
        breaker.failed()
        time.now_s += WITHIN_S / 2 + 1

    assert breaker.allows()


def test_a_success_between_failures_begins_the_count_anew() -> None:
    breaker = Breaker()
    breaker.failed()
    breaker.failed()
    breaker.succeeded()
    breaker.failed()

    assert breaker.allows()


def test_while_open_one_probe_a_minute_is_let_through() -> None:
    breaker, time, _ = opened()
    time.now_s = PROBE_S

    assert breaker.allows()
    assert not breaker.allows()

    breaker.failed()
    time.now_s = 2 * PROBE_S
    assert breaker.allows()


def test_a_probe_that_is_answered_closes_it_and_says_so_once() -> None:
    breaker, time, told = opened()
    time.now_s = PROBE_S
    breaker.allows()
    breaker.succeeded()
    breaker.succeeded()

    assert breaker.allows()
    assert told == [True, False]
