"""The pages' phrases: in the reader's language, complete in each, the same places in each."""

import re
from importlib.resources import files

import pytest

from agent.domain import Action, StopReason
from bots.phrases import languages
from bots.web.pages.words import Words, page_language

TEMPLATES = [each.read_text() for each in files("bots.web.pages").joinpath("templates").iterdir()]
NAMES = {
    name for template in TEMPLATES for name in re.findall(r"\b[at]\('([a-z_.]+)'[,)]", template)
}
COUNTED = {
    name for template in TEMPLATES for name in re.findall(r"\b[at]\.count\('([a-z_]+)'", template)
}


@pytest.mark.parametrize(
    ("accepted", "chosen", "language"),
    [
        pytest.param("zh-CN,zh;q=0.9,en;q=0.8", "", "zh", id="the first one"),
        pytest.param("de-DE,en;q=0.3,zh;q=0.7", "", "zh", id="the heaviest we have"),
        pytest.param("fr", "", "en", id="English for others"),
        pytest.param("", "", "en", id="nothing said"),
        pytest.param("zh", "en", "en", id="asked for by name"),
        pytest.param("zh", "xx", "zh", id="an unknown name"),
        pytest.param(";;q=,zh;q=.,\x00", "", "zh", id="nonsense does no harm"),
    ],
)
def test_page_language(accepted: str, chosen: str, language: str) -> None:
    assert page_language(accepted, chosen) == language


VALUES = dict.fromkeys(("page", "date", "n", "reason", "seconds", "ms", "question", "contact"), "x")


@pytest.mark.parametrize("language", languages())
def test_every_phrase_of_the_templates_exists(language: str) -> None:
    counted = {f"{name}_{form}" for name in COUNTED for form in ("one", "many")}
    ends = {f"stop_{reason}" for reason in StopReason}
    rounds = {f"round_{action}" for action in Action if action is not Action.ANSWER}

    for name in NAMES | counted | ends | rounds:
        assert Words(language)(name, **VALUES)


@pytest.mark.parametrize("language", languages())
def test_a_language_says_everything_itself(language: str) -> None:
    def table(name: str) -> set[str]:
        text = files("bots.phrases").joinpath(f"{name}.toml").read_text(encoding="utf-8")
        return set(re.findall(r"^(\w+) =", text.partition("[web]")[2], re.MULTILINE))

    assert table(language) == table("en")


def test_one_and_many_are_told_apart() -> None:
    assert Words("en").count("rounds", 1) == "1 round"
    assert Words("en").count("rounds", 1200) == "1,200 rounds"
