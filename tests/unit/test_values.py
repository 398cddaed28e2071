"""Numbers, dates, amounts and names as values: what counts as the same, and what as new."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.text.values import Value, ValueKind, foreign, values


def strong(text: str) -> set[tuple[str, str]]:
    return {(value.key, value.unit) for value in values(text) if not value.weak}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("3 October", "10月3日", id="day and month in two languages"),
        pytest.param("October 3rd, 2026", "2026年10月3日", id="whole date"),
        pytest.param("the 3rd of October 2026", "2026-10-03", id="ISO date"),
        pytest.param("3 Oct. 2026", "2026/10/3", id="short month"),
        pytest.param("October 2026", "二〇二六年十月", id="month and year"),
        pytest.param("1.5 million", "150万", id="millions"),
        pytest.param("1,500,000", "1.5 million", id="thousands separators"),
        pytest.param("2 billion", "20亿", id="billions"),
        pytest.param("20k", "20,000", id="k"),
        pytest.param("十五天", "15 days", id="Chinese numerals"),
        pytest.param("fourteen weeks", "14 weeks", id="English numerals"),
        pytest.param("twenty-five days", "25 天", id="compound numeral"),
        pytest.param("一百二十天", "one hundred and twenty days", id="hundreds"),
        pytest.param("$1,200", "1200 USD", id="dollars"),
        pytest.param("1,200 €", "EUR 1,200", id="euros"),
        pytest.param("$1.5M", "1.5 million dollars", id="millions of dollars"),
        pytest.param("150 美元", "$150", id="dollars in Chinese"),
        pytest.param("5 %", "百分之五", id="percent"),
        pytest.param("5 percent", "5%", id="percent in words"),
        pytest.param("24-hour", "24小时", id="hours"),
        pytest.param("10 working days", "10个工作日", id="working days"),
        pytest.param("2:30 pm", "14:30", id="time of day"),
        pytest.param("下午2点半", "14:30", id="Chinese time of day"),
        pytest.param("ERR-4021", "Err-4021", id="identifier"),
        pytest.param("30s", "30 seconds", id="glued unit"),
    ],
)
def test_one_fact_has_one_value_however_it_is_written(one: str, other: str) -> None:
    assert strong(one)
    assert strong(one) == strong(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("two weeks", "14 days", id="a conversion must be shown"),
        pytest.param("14 weeks", "14 days", id="other unit"),
        pytest.param("$1,200", "1,200 euros", id="other currency"),
        pytest.param("5 %", "5", id="share and number"),
        pytest.param("3 October", "10 March", id="other day"),
        pytest.param("S1", "S2", id="other name"),
        pytest.param("-5", "5", id="sign"),
    ],
)
def test_different_facts_are_different_values(one: str, other: str) -> None:
    assert strong(one) != strong(other)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        pytest.param("14 weeks", "It lasts 14 weeks.", id="as written"),
        pytest.param("14 周", "It lasts fourteen weeks.", id="translated"),
        pytest.param("育儿假 14 周，10月3日起", "14 weeks from 3 October", id="date translated"),
        pytest.param("14", "14 weeks", id="unit left out"),
        pytest.param("14 weeks", "Weeks | 14", id="unit in a column's name"),
        pytest.param("7 to 10 days", "7–10 business days", id="range"),
        pytest.param("in 2026", "from 3 October 2026", id="the year of a date"),
        pytest.param("3 October 2026", "2026: from 3 October", id="the year elsewhere"),
        pytest.param("3 October", "03/10/2026", id="day first"),
        pytest.param("10 March", "03/10/2026", id="month first"),
        pytest.param("one day", "after 1 day", id="one in words"),
        pytest.param("this one", "no number", id="one as a pronoun"),
        pytest.param("the first step", "begin so", id="first"),
        pytest.param("一般来说十分重要", "nothing", id="numerals inside Chinese words"),
        pytest.param("within a week", "in 1 week", id="a week"),
        pytest.param("1. Open it [2]", "Open it", id="list numbers and markers"),
        pytest.param("see S2", "Severity S2 means", id="identifier"),
        pytest.param("mail hr@acme.example", "to hr@acme.example.", id="address"),
        pytest.param("run kubectl --dry-run", "use `--dry-run` first", id="option"),
        pytest.param("第三章", "chapter 3", id="ordinal"),
        pytest.param("200元", "¥200", id="yuan sign"),
        pytest.param("limit is 265", "B-265", id="number inside a name"),
    ],
)
def test_what_a_source_states_is_not_foreign(answer: str, source: str) -> None:
    assert foreign(answer, [source]) == ()


@pytest.mark.parametrize(
    ("answer", "source", "missing"),
    [
        pytest.param("15 weeks", "14 weeks", "15 weeks", id="other number"),
        pytest.param("14 days", "14 weeks", "14 days", id="other unit"),
        pytest.param("$50", "50 euros", "$50", id="other currency"),
        pytest.param("二十天", "14 days", "二十天", id="Chinese numeral"),
        pytest.param("twenty days", "14 days", "twenty days", id="English numeral"),
        pytest.param("on 4 October", "on 3 October", "4 October", id="other day"),
        pytest.param("3 October 2027", "3 October 2026", "3 October 2027", id="other year"),
        pytest.param("3 October 2027", "3 October", "3 October 2027", id="invented year"),
        pytest.param("3 October", "in October", "3 October", id="invented day"),
        pytest.param("at 14:00", "at 15:00", "14:00", id="other time"),
        pytest.param("severity S3", "severity S2", "S3", id="other name"),
        pytest.param("mail a@b.example", "mail c@b.example", "a@b.example", id="address"),
        pytest.param("at https://x.example/a", "at home", "https://x.example/a", id="link"),
        pytest.param("use --force", "use it", "--force", id="option"),
        pytest.param("ask #hr-help", "ask them", "#hr-help", id="channel"),
        pytest.param("3 weeks", "from 3 October", "3 weeks", id="a day is no number of weeks"),
        pytest.param("版本 1.2.4", "version 1.2.3", "1.2.4", id="version"),
    ],
)
def test_what_no_source_states_is_foreign(answer: str, source: str, missing: str) -> None:
    assert foreign(answer, [source]) == (missing,)


def test_foreign_values_come_in_order_and_once() -> None:
    assert foreign("5 days, S9, again 5 days, 3 weeks", ["3 weeks"]) == ("5 days", "S9")


def test_several_sources_count_together() -> None:
    assert foreign("14 weeks at 80 %", ["14 weeks", "80 %"]) == ()


def test_a_value_knows_how_and_where_it_was_written() -> None:
    (value,) = (each for each in values("about 14 weeks") if not each.weak)

    assert value == Value(ValueKind.NUMBER, "14", "week")
    assert (value.written, value.start) == ("14 weeks", 6)


@given(st.text(max_size=60))
def test_no_text_is_foreign_to_itself(text: str) -> None:
    assert foreign(text, [text]) == ()


@given(st.integers(0, 10**9), st.sampled_from(["", " days", " weeks", " USD", " %"]))
def test_thousands_separators_change_nothing(number: int, unit: str) -> None:
    assert strong(f"x {number:,}{unit}") == strong(f"x {number}{unit}")
