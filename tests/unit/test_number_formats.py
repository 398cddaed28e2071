"""Numbers, dates and times as a cell shows them."""

import datetime

import pytest

from connectors.formats.sheet import dates, formats

_ACCOUNTING = '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)'
_MAY = datetime.datetime(2024, 5, 2, 14, 3, 9)  # noqa: DTZ001 - cells know no zone


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (3, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (1e22, "General", "1E+22"),
        (0.125, "0.0%", "12.5%"),
        (0.125, "0%", "13%"),
        (1234567.5, "#,##0.00", "1,234,567.50"),
        (2.5, "0", "3"),
        (12, "00000", "00012"),
        (0.5, "#.##", ".5"),
        (0.1234, "0.##%", "12.34%"),
        (-1234.5, "#,##0.00;[Red](#,##0.00)", "(1,234.50)"),
        (-5, _ACCOUNTING, "(5.00)"),
        (0, _ACCOUNTING, "-"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1234.5, '#,##0.00\\ "EUR"', "1,234.50 EUR"),
        (8, '0"天"', "8天"),
        (1500000, '0.0,,"M"', "1.5M"),
        (123456789, "000-00-0000", "123-45-6789"),
        (5551234567, "(###) ###-####", "(555) 123-4567"),
        (1.25, "# ?/?", "1 1/4"),
        (12345.678, "0.00E+00", "1.23E+04"),
        (5, '[>=100]"big";[<100]"small "0', "small 5"),
        (-0.001, "0.00", "0.00"),
        (7, ";;;", ""),
    ],
)
def test_a_number_is_shown_in_its_format(value: float, form: str, shown: str) -> None:
    assert formats.number(value, form) == shown


@pytest.mark.parametrize(
    ("form", "shown"),
    [("General", "abc"), ("@", "abc"), ("0;-0;;@", "abc"), (";;;", ""), ('"No. "@', "No. abc")],
)
def test_a_text_is_shown_in_its_format(form: str, shown: str) -> None:
    assert formats.text("abc", form) == shown


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("yyyy-mm-dd", "2024-05-02"),
        ("dd.mm.yyyy", "02.05.2024"),
        ("d-mmm-yy", "2-May-24"),
        ("mmm yyyy", "May 2024"),
        ("[$-409]dddd, mmmm d, yyyy;@", "Thursday, May 2, 2024"),
        ('yyyy"年"m"月"d"日"', "2024年5月2日"),
        ("h:mm AM/PM", "2:03 PM"),
        ("yyyy/m/d hh:mm:ss", "2024/5/2 14:03:09"),
        ("mm:ss", "03:09"),
        ("mm-dd-yy", "2024-05-02 14:03"),  # what Excel stores for "as the machine shows dates"
        ("General", "2024-05-02 14:03"),
    ],
)
def test_a_date_is_shown_in_its_format(form: str, shown: str) -> None:
    assert dates.moment(_MAY, form) == shown


@pytest.mark.parametrize(
    ("form", "shown"), [("[h]:mm", "30:05"), ("[mm]:ss", "1805:07"), ("h:mm", "6:05")]
)
def test_a_stretch_of_time_is_shown_in_its_format(form: str, shown: str) -> None:
    assert dates.span(datetime.timedelta(hours=30, minutes=5, seconds=7), form) == shown


@pytest.mark.parametrize(
    "form", ["", ";", "[$" * 50_000, "[", '"', "\\", "0.0.0", "#,,,", "?/?/?", "E+0", "[h", "%"]
)
@pytest.mark.parametrize("value", [0, -1, 0.5, 1e308, float("nan"), float("inf")])
def test_a_broken_format_still_shows_something_or_nothing(value: float, form: str) -> None:
    assert isinstance(formats.number(value, form), str)
    assert isinstance(dates.moment(_MAY, form), str)
