"""Which files of a drive are documents."""

import pytest

from connectors.sources.selection import Selection, is_leftover


@pytest.mark.parametrize(
    "name",
    [
        ".git", ".DS_Store", "._a.docx", "~$a.docx", ".~lock.a.odt#", "a.tmp", "a.PART", "a~",
        "a.crdownload", "Thumbs.db", "desktop.ini", "#recycle", "@eaDir", "$RECYCLE.BIN",
        ".Trash-1000", "lost+found", "System Volume Information",
    ],
)  # fmt: skip
def test_hidden_temporary_and_system_names_are_left_out(name: str) -> None:
    assert is_leftover(name)


@pytest.mark.parametrize(
    "name", ["a.md", "tmp.md", "Forms", "README", "a.template.docx", "部门.pdf"]
)
def test_ordinary_names_are_not(name: str) -> None:
    assert not is_leftover(name)


@pytest.mark.parametrize(
    ("include", "exclude", "doc", "taken"),
    [
        ([], [], "x/a.md", True),
        (["**/*.md"], [], "a.md", True),
        (["**/*.md"], [], "x/y/A.MD", True),
        (["**/*.md"], [], "x/a.pdf", False),
        (["*.md"], [], "x/y/a.md", True),
        (["/*.md"], [], "x/a.md", False),
        (["policies"], [], "policies/deep/a.md", True),
        (["**/*.{md,pdf}"], [], "x/a.pdf", True),
        ([], ["drafts"], "x/drafts/deep/a.md", False),
        ([], ["/drafts"], "x/drafts/a.md", True),
        ([], ["/drafts/"], "drafts/a.md", False),
        ([], ["**/old/**"], "x/old/a.md", False),
        (["**/*.md"], ["drafts/**"], "drafts/a.md", False),
        (["政策/**"], [], "政策/假期.md", True),
    ],
)
def test_globs_decide_the_rest(
    include: list[str], exclude: list[str], doc: str, taken: bool
) -> None:
    assert Selection(include, exclude).takes(doc) is taken


def test_an_excluded_folder_is_not_even_entered() -> None:
    selection = Selection(exclude=["node_modules"])

    assert not selection.enters("x/node_modules")
    assert selection.enters("x")
