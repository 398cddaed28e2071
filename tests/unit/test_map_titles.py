"""The title of a document is what somebody called it, never what a program left behind."""

import pytest

from agent.domain import ParsedSection
from agent.map.titles import is_placeholder, path_words, readable_file_name, title_of
from tests.library_files import parsed, section


@pytest.mark.parametrize(
    ("title", "sections", "doc", "expected"),
    [
        pytest.param("Leave policy", (), "1.docx", "Leave policy", id="its own title"),
        pytest.param(
            "", (section("Travel", level=1), section("a")), "1.docx", "Travel", id="its single h1"
        ),
        pytest.param(
            "Untitled", (section("Booking"), section("Pay")), "x.pdf", "Booking", id="first heading"
        ),
        pytest.param(
            "Microsoft Word - final2.doc",
            (section("", "Fire drill plan", "In case of fire, go."),),
            "final2.pdf",
            "Fire drill plan",
            id="first line",
        ),
        pytest.param(
            "Microsoft Word - Fire plan", (), "x.pdf", "Fire plan", id="without the program"
        ),
        pytest.param(
            "", (section("", "Please read this."),), "hr/sick_leave-2026.txt", "Sick leave 2026",
            id="file name rather than a sentence",
        ),
        pytest.param("", (), "1.docx", "1", id="nothing better than a number"),
        pytest.param("", (), "hr/1.docx", "Hr – 1", id="a number with its folder"),
        pytest.param("", (), "onboarding/index.md", "Onboarding", id="the folder of an index"),
        pytest.param("  Two\n lines ", (), "x.md", "Two lines", id="white space folded"),
        pytest.param("", (), "mail.eml!/pay_slip.pdf", "Pay slip", id="an attachment"),
        pytest.param("文档1", (section("", "差旅制度"),), "1.docx", "差旅制度", id="Chinese"),
    ],
)  # fmt: skip
def test_titles(title: str, sections: tuple[ParsedSection, ...], doc: str, expected: str) -> None:
    assert title_of(parsed(title, *sections), doc) == expected


@pytest.mark.parametrize(
    "title",
    [
        "Untitled", "(anonymous)", "untitled document", "Document1", "Microsoft Word Document",
        "PowerPoint Presentation", "Slide 1", "Folie 1", "Book1", "final.docx", "scan0001.jpg",
        "paper.dvi", "Paper Title (use style: paper title)", "未命名", "新建 Microsoft Word 文档",
        "演示文稿1", "1", "---", "",
    ],
)  # fmt: skip
def test_placeholders_are_refused(title: str) -> None:
    assert is_placeholder(title)


@pytest.mark.parametrize(
    "title",
    ["Scanning guide", "Document retention", "The new office", "2026 goals", "Slides on S3"],
)
def test_real_titles_are_kept(title: str) -> None:
    assert not is_placeholder(title)


def test_a_very_long_title_is_cut_at_a_word() -> None:
    title = title_of(parsed("word " * 80), "x.md")

    assert len(title) <= 200
    assert title.endswith("word…")


def test_a_path_gives_words_to_search_by() -> None:
    assert path_words("people-ops/on_boarding/first-week.md") == "people ops on boarding first week"
    assert readable_file_name("first-week.md") == "First week"
