"""What an operator may set, and what he reads when a setting cannot be used."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from config import reference
from config.explain import explain
from config.settings import Settings, SettingsFileError, load_settings, settings_file

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
DEFAULT_FILE = Path(__file__).parents[2] / "config" / "footnote.toml"


def rejected(file: Path | None = None) -> str:
    with pytest.raises(ValidationError) as caught:
        load_settings(file)
    return explain(caught.value)


def toml(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "footnote.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_everything_has_a_default_that_runs() -> None:
    settings = load_settings()

    assert settings.model.kind == "extractive"
    assert settings.sources[0].audience == ("workspace",)


def test_the_commented_default_file_says_what_the_defaults_are() -> None:
    assert load_settings(DEFAULT_FILE) == load_settings()


def test_the_environment_wins_over_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = toml(tmp_path, "[loop]\nmax_rounds = 4\ntop_k_documents = 3\n")
    monkeypatch.setenv("FOOTNOTE_LOOP__MAX_ROUNDS", "2")

    loop = load_settings(file).loop

    assert (loop.max_rounds, loop.top_k_documents) == (2, 3)


def test_lists_are_written_with_commas_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_ADMINS__SLACK", "U1, S2,workspace-admins")

    assert load_settings().admins.slack == ("U1", "S2", "workspace-admins")


def test_a_bad_value_names_the_variable_what_it_held_and_what_it_may_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FOOTNOTE_LOOP__MAX_ROUNDS", "60")

    text = rejected()

    assert "loop.max_rounds (FOOTNOTE_LOOP__MAX_ROUNDS)='60'" in text
    assert "less than or equal to 10" in text


@pytest.mark.parametrize(
    ("variable", "says"),
    [
        pytest.param("FOOTNOTE_LOOP__MAX_RONDS", "Did you mean loop.max_rounds?", id="in a group"),
        pytest.param("FOOTNOTE_LOP__MAX_ROUNDS", "Did you mean loop?", id="a group"),
        pytest.param("FOOTNOTE_LOG_LEVL", "Did you mean log_level?", id="at the top"),
    ],
)
def test_a_misspelt_variable_is_refused_with_the_likely_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, says: str
) -> None:
    monkeypatch.setenv(variable, "6")

    text = rejected()

    assert variable in text
    assert says in text


def test_a_misspelt_key_of_the_file_is_refused(tmp_path: Path) -> None:
    text = rejected(toml(tmp_path, "[private]\nprot = 80\n"))

    assert "private.prot" in text
    assert "Did you mean private.port?" in text


def test_a_bad_key_of_a_source_names_the_source_by_its_place(tmp_path: Path) -> None:
    text = rejected(toml(tmp_path, '[[sources]]\nname = "Hand Book"\nkind = "folder"\n'))

    assert "sources.0.name" in text
    assert "sources.0.path" in text


def test_secrets_never_show_in_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_SLACK__BOT_TOKN", "xoxb-canary")
    monkeypatch.setenv("FOOTNOTE_SLACK__APP_TOKEN", "xapp-canary")

    assert "canary" not in rejected()
    monkeypatch.delenv("FOOTNOTE_SLACK__BOT_TOKN")
    assert "canary" not in repr(load_settings())


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    source = '[[sources]]\nname = "a"\nkind = "folder"\npath = "x"\n'

    assert "two sources are called a" in rejected(toml(tmp_path, source + source)).lower()


def test_a_rule_for_an_unknown_group_is_refused(tmp_path: Path) -> None:
    rule = 'rules = [{ path = "/hr/**", audience = ["group:hr"] }]'
    text = rejected(
        toml(tmp_path, f'[[sources]]\nname = "a"\nkind = "folder"\npath = "x"\n{rule}\n')
    )

    assert "[groups.hr]" in text


@pytest.mark.parametrize(
    "text", [pytest.param("[loop\n", id="no TOML"), pytest.param("x = \udcff", id="no UTF-8")]
)
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(SettingsFileError, match=r"broken\.toml"):
        load_settings(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsFileError, match="nowhere"):
        load_settings(tmp_path / "nowhere.toml")


def test_the_file_is_the_one_named_else_that_of_the_variable_else_the_one_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert settings_file(None) is None
    toml(tmp_path, "")
    assert settings_file(None) == Path("footnote.toml")
    monkeypatch.setenv("FOOTNOTE_CONFIG", "other.toml")
    assert settings_file(None) == Path("other.toml")
    assert settings_file(Path("named.toml")) == Path("named.toml")


def test_the_page_of_settings_is_made_from_the_settings() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference.render(), (
        "run: python -m config.reference > docs/configuration.md"
    )


def test_every_setting_says_what_it_means() -> None:
    assert "|  |" not in reference.render()
    assert set(Settings.model_fields) - {"data_dir", "log_level", "glossary"} <= {
        line.split("[")[-1].split("]")[0].split(".")[0]
        for line in reference.render().splitlines()
        if line.startswith("## [")
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(
            'audience = ["everyone"]', "'everyone' is nobody I know", id="no audience word"
        ),
        pytest.param('audience = [""]', "'' is nobody I know", id="an empty word"),
        pytest.param('audience = ["group:nope"]', "[groups.nope]", id="a group that is not set"),
    ],
)
def test_an_audience_that_nobody_can_be_is_refused(tmp_path: Path, text: str, says: str) -> None:
    source = f'[[sources]]\nname = "a"\nkind = "folder"\npath = "x"\n{text}\n'

    assert says in rejected(toml(tmp_path, source))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param('[channels."general"]', "is no channel", id="a name, not an id"),
        pytest.param('[channels."slack:C1"]\nsources = ["zzz"]', "'zzz'", id="an unknown source"),
    ],
)
def test_a_channel_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, says: str) -> None:
    assert says in rejected(toml(tmp_path, text))


def test_a_channel_without_settings_of_its_own_has_the_defaults(tmp_path: Path) -> None:
    file = toml(tmp_path, '[channels.default]\nfollow_ups = true\n[channels."slack:C1"]\n')

    settings = load_settings(file)

    assert settings.channel("slack:C2").follow_ups
    assert not settings.channel("slack:C1").follow_ups


def test_a_mail_address_is_the_same_whatever_its_case(tmp_path: Path) -> None:
    source = '[[sources]]\nname = "a"\nkind = "folder"\npath = "x"\n'
    file = toml(tmp_path, source + 'audience = ["mail:HR@Example.com"]\n')

    assert load_settings(file).sources[0].audience == ("mail:hr@example.com",)


@pytest.mark.parametrize("variable", ["FOOTNOTE_MODEL", "FOOTNOTE_SOURCES"])
def test_a_group_given_as_plain_text_is_explained(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "x")

    with pytest.raises(SettingsFileError, match=f"{variable}__"):
        load_settings()
