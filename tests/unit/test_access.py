"""Who may read a document: the audience of its source, narrowed by rules and never widened."""

import pytest

from config.settings import GroupSettings, SourceSettings
from connectors.access import covers, readers_of, warnings_of

GROUPS = {
    "hr": GroupSettings(members=("slack-group:S1", "mail:Jo@X.example")),
    "nobody": GroupSettings(),
}


def source(audience: tuple[str, ...], **rules: tuple[str, ...]) -> SourceSettings:
    listed = [{"path": path.replace("__", "/"), "audience": words} for path, words in rules.items()]
    return SourceSettings.model_validate(
        {"name": "s", "path": ".", "audience": audience, "rules": listed, "contact": "#c"}
    )


def test_without_rules_the_audience_reads() -> None:
    words = readers_of(source(("slack:C1", "slack:C2")), "a.md", GROUPS)

    assert words == {"slack:C1", "slack:C2"}


def test_without_audience_nobody_reads_not_even_those_a_rule_names() -> None:
    assert readers_of(source((), hr=("group:hr",)), "hr/a.md", GROUPS) == set()


@pytest.mark.parametrize(
    ("audience", "rule", "expected"),
    [
        pytest.param(
            ("workspace",),
            ("group:hr",),
            {"slack-group:S1", "mail:jo@x.example"},
            id="everyone and a group: the group",
        ),
        pytest.param(
            ("slack:C1", "slack:C2"), ("slack:C2",), {"slack:C2"}, id="a word that stands in both"
        ),
        pytest.param(("slack:C1",), ("workspace",), {"slack:C1"}, id="everyone narrows nothing"),
        pytest.param(("slack:C1",), ("group:hr",), set(), id="unknown whether both: nobody"),
        pytest.param(("workspace",), ("group:nobody",), set(), id="an empty group"),
        pytest.param(("workspace",), ("group:gone",), set(), id="a group that is not set"),
        pytest.param(
            ("mail:X@Example.com", "mail:Jo@X.example"),
            ("mail:jo@x.EXAMPLE",),
            {"mail:jo@x.example"},
            id="addresses whatever their case",
        ),
    ],
)
def test_a_rule_narrows(audience: tuple[str, ...], rule: tuple[str, ...], expected: object) -> None:
    assert readers_of(source(audience, hr=rule), "hr/a.md", GROUPS) == expected


def test_every_rule_that_fits_narrows_further() -> None:
    narrowed = source(("workspace",), hr=("slack:C1", "slack:C2"), hr__pay=("slack:C2",))

    assert readers_of(narrowed, "hr/pay/a.md", GROUPS) == {"slack:C2"}
    assert readers_of(narrowed, "hr/a.md", GROUPS) == {"slack:C1", "slack:C2"}
    assert readers_of(narrowed, "a.md", GROUPS) == {"workspace"}


@pytest.mark.parametrize(
    ("pattern", "doc", "fits"),
    [
        ("/hr/**", "hr/a.md", True),
        ("/hr/**", "hr/deep/er/a.md", True),
        ("/hr/**", "hrx/a.md", False),
        ("hr", "hr/deep/a.md", True),
        ("/hr/", "HR/a.md", True),
        ("/hr/*", "hr/deep/a.md", True),
        ("/hr/*.md", "hr/a.pdf", False),
        ("**/secret*", "x/secret plans/a.md", True),
        ("/人事/**", "人事/工资.md", True),
        ("/", "a/b.md", True),
        ("/Ré/**", "Re\u0301/a.md", True),
        ("/hr/**", "hr/mail.eml!/cv.pdf", True),
    ],
)
def test_a_rules_glob_covers_a_folder_with_all_below_it(pattern: str, doc: str, fits: bool) -> None:
    assert covers(pattern, doc) is fits


def test_a_source_that_answers_nobody_is_warned_about() -> None:
    (warning,) = warnings_of(source(()), GROUPS)

    assert "nobody gets answers" in warning


def test_a_rule_that_leaves_nobody_is_warned_about() -> None:
    (warning,) = warnings_of(source(("slack:C1",), hr=("group:hr",)), GROUPS)

    assert "rule hr" in warning


def test_a_source_without_contact_is_warned_about() -> None:
    bare = source(("workspace",)).model_copy(update={"contact": ""})

    assert "no contact" in warnings_of(bare, GROUPS)[0]
