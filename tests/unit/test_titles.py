"""Which names mean something to an asker."""

import pytest

from connectors.formats import titles


@pytest.mark.parametrize(
    "name",
    ["untitled", "(anonymous)", "Microsoft Word - offer.doc", "thesis.dvi", "Document1", "Slide 1",
     "Folie 1", "无标题", "scan.jpg", "Paper Title (use style: paper title)", "  ", "1", "---"],
)  # fmt: skip
def test_names_left_by_programs_are_no_titles(name: str) -> None:
    assert titles.first_meaningful([name]) == ""


@pytest.mark.parametrize(
    "name",
    ["Leave policy", "2024 budget", "员工手册", "2.3.59 (Rev 12/22)", "Title IX", "Documentation",
     "Word and Deed", "Presentation skills"],
)  # fmt: skip
def test_real_titles_are_kept(name: str) -> None:
    assert titles.first_meaningful(["untitled", name]) == name


@pytest.mark.parametrize(
    "name", ["a/1.docx", "scan_0003.pdf", "Untitled.md", "新建文档.docx", "IMG-22.pdf"]
)
def test_file_names_that_say_nothing(name: str) -> None:
    assert titles.name_says_nothing(name)


@pytest.mark.parametrize("name", ["leave.md", "2024-plan.pdf", "请假.docx", "scanner-manual.pdf"])
def test_file_names_that_serve(name: str) -> None:
    assert not titles.name_says_nothing(name)


def test_a_title_is_one_line_of_at_most_two_hundred_characters() -> None:
    assert titles.tidy(" a\n b\t c ") == "a b c"
    assert len(titles.tidy("x" * 500)) == 200
