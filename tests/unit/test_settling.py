"""Sources that disagree: the current one answers, the other is one line."""

from agent.citations import check
from agent.citations.settling import current, remarks, settled
from agent.domain import Window
from tests.pages import day, page, said, shown

ASKED = "What is the daily allowance for a full day of travel?"
OLD = page(
    "The daily allowance is 24 euros for a full day of travel.",
    "Travel policy 2024",
    "Daily allowance",
    doc="policies/travel-2024.docx",
)
NEW = page(
    "The daily allowance is 28 euros for a full day of travel.",
    "Travel policy 2026",
    "Daily allowance",
    doc="policies/travel-2026.docx",
)
ARCHIVED = page("The daily allowance is 20 euros.", "Allowance", doc="archive/allowance.md")
FAQ = page(
    "For a full day of travel the daily allowance is 26 euros.", "Travel questions", "Allowance"
)


def answer(*pages: Window, quote: str = "daily allowance") -> str:
    ids = [f"D{number}.1" for number in range(1, len(pages) + 1)]
    checked = check(said("", *((each, quote) for each in ids)), shown(*pages), ASKED)
    return settled(checked, pages, ASKED).text


def titles(windows: tuple[Window, ...]) -> list[str]:
    return [window.document.title for window in windows]


def test_an_older_version_is_set_aside() -> None:
    today = current([OLD, NEW, FAQ], ASKED)

    assert titles(today.windows) == ["Travel policy 2026", "Travel questions"]
    assert titles(today.aside) == ["Travel policy 2024"]


def test_archived_documents_are_set_aside_at_first() -> None:
    assert titles(current([ARCHIVED, FAQ], ASKED).aside) == ["Allowance"]
    assert current([ARCHIVED, FAQ], ASKED, outdated=True).aside == ()


def test_an_archived_document_stays_where_nothing_else_was_found() -> None:
    assert titles(current([ARCHIVED], ASKED).windows) == ["Allowance"]


def test_what_was_is_not_set_aside_from_a_question_about_it() -> None:
    asked = "What was the allowance in the old policy?"

    assert current([OLD, NEW, ARCHIVED], asked).aside == ()


def test_the_older_version_is_one_line() -> None:
    checked = check(said("", ("D2.1", "daily allowance")), shown(OLD, NEW), ASKED)

    result = settled(checked, [OLD, NEW], ASKED)

    assert result.text == (
        "“The daily allowance is 28 euros for a full day of travel.” [1]\n"
        "An older version, Travel policy 2024, says: "
        "“The daily allowance is 24 euros for a full day of travel.” [2]"
    )
    assert [each.title for each in result.citations] == ["Travel policy 2026", "Travel policy 2024"]


def test_an_older_version_that_says_the_same_is_not_mentioned() -> None:
    same = page(NEW.text, "Travel policy 2024", "Daily allowance", doc="policies/travel-2024.docx")
    checked = check(said("", ("D2.1", "daily allowance")), shown(same, NEW), ASKED)

    assert settled(checked, [same, NEW], ASKED) == checked


def test_an_older_version_that_was_quoted_steps_back() -> None:
    assert answer(OLD, NEW).splitlines() == [
        "“The daily allowance is 28 euros for a full day of travel.” [1]",
        "An older version, Travel policy 2024, says: "
        "“The daily allowance is 24 euros for a full day of travel.” [2]",
    ]


def test_the_source_with_the_later_stated_date_leads() -> None:
    dated = page(
        "The daily allowance is 25 euros for a full day of travel, effective 1 May 2023.", "Rules"
    )

    assert answer(dated, NEW).splitlines() == [
        "“The daily allowance is 28 euros for a full day of travel.” [1]",
        "Sources differ. I follow Travel policy 2026, which carries the later date; Rules says: "
        "“The daily allowance is 25 euros for a full day of travel, effective 1 May 2023.” [2]",
    ]


def test_times_of_day_may_differ_too() -> None:
    asked = "What are the support hours?"
    one = page("Support answers Monday to Friday, 08:00 to 18:00.", "Support", "Support hours")
    other = page(
        "Support answers Monday to Friday, 07:00 to 19:00.", "Service levels", "Support hours"
    )
    checked = check(said("", ("D1.1", "08:00"), ("D2.1", "07:00")), shown(one, other), asked)
    dates = {
        one.document.doc_id: "Stated as of 1 March 2025.",
        other.document.doc_id: "Effective date: 1 January 2026.",
    }

    assert settled(checked, [one, other], asked, dates).text == (
        "“Support answers Monday to Friday, 07:00 to 19:00.” [1]\n"
        "Sources differ. I follow Service levels, which carries the later date; Support says: "
        "“Support answers Monday to Friday, 08:00 to 18:00.” [2]"
    )


def test_else_the_source_that_was_changed_last_leads() -> None:
    one = page(FAQ.text, "Questions", "Daily allowance", modified=day(2025, 5, 5))
    other = page(NEW.text, "Rules", "Daily allowance", modified=day(2024, 4, 4))

    assert "I follow Questions, which was changed last; Rules says:" in answer(other, one)


def test_without_dates_both_stand_and_the_reply_says_so() -> None:
    one = page(FAQ.text, "Questions", "Daily allowance")
    other = page(NEW.text, "Rules", "Daily allowance")

    assert "Sources differ, and nothing shows which is newer." in answer(one, other)


def test_a_version_asked_for_by_its_year_answers_alone() -> None:
    asked = "What is the daily allowance for a full day of travel in the 2024 policy?"
    decision = said("", ("D1.1", "daily allowance"), ("D2.1", "daily allowance"))

    result = settled(check(decision, shown(NEW, OLD), asked), [NEW, OLD], asked)

    assert result.text == "“The daily allowance is 24 euros for a full day of travel.” [1]"
    assert [each.title for each in result.citations] == ["Travel policy 2024"]


def test_a_question_about_the_change_gets_both() -> None:
    asked = "How was the daily allowance for a full day of travel changed?"
    decision = said("", ("D1.1", "daily allowance"), ("D2.1", "daily allowance"))
    checked = check(decision, shown(NEW, OLD), asked)

    assert settled(checked, [NEW, OLD], asked) == checked


def test_an_answer_from_an_archive_alone_says_so() -> None:
    checked = check(said("", "daily allowance"), shown(ARCHIVED), ASKED)

    assert remarks(checked, [ARCHIVED], ASKED) == (
        "This comes from an archived or draft document, as I found nothing newer: Allowance.",
    )
    assert remarks(check(said("", "allowance"), shown(NEW), ASKED), [NEW], ASKED) == ()


def test_sources_that_agree_are_left_alone() -> None:
    same = page("The daily allowance is 28 euros for a full day of travel, tax-free.", "Questions")
    pages = (NEW, same)
    checked = check(said("", ("D1.1", "allowance"), ("D2.1", "allowance")), shown(*pages), ASKED)

    assert settled(checked, pages, ASKED) == checked


def test_figures_for_other_things_are_no_disagreement() -> None:
    other = page("Hotels cost up to 130 euros a night.", "Hotels")
    decision = said("", ("D1.1", "allowance"), ("D2.1", "Hotels"))
    checked = check(decision, shown(NEW, other), ASKED)

    assert settled(checked, [NEW, other], ASKED) == checked


def test_the_line_is_chinese_for_a_chinese_question() -> None:
    old = page("出差补贴每天 24 元。", "差旅制度2023", "补贴", doc="差旅2023.md")
    new = page("出差补贴每天 28 元。", "差旅制度2025", "补贴", doc="差旅2025.md")
    checked = check(said("", ("D2.1", "28 元")), shown(old, new), "出差补贴多少？")

    assert settled(checked, [old, new], "出差补贴多少？").text == (
        "“出差补贴每天 28 元。” [1]\n旧版本《差旅制度2023》写的是：“出差补贴每天 24 元。” [2]"
    )


def test_an_answer_without_quotes_has_nothing_to_settle() -> None:
    checked = check(said(""), {}, ASKED)

    assert settled(checked, [], ASKED) == checked
