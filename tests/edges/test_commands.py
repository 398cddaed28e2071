"""The commands as programs call them: results on stdout, the rest on stderr, exit codes as told."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LEAVE = """# Leave

## Annual leave

Everybody has 28 days of annual leave a year.

## Parental leave

Parents receive 14 weeks of parental leave at full pay.
"""
ONCALL = """# On-call

Engineers on call receive 350 euros a week.
"""


def footnote(
    cwd: Path, *words: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if "FOOTNOTE" not in name}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "bots", *words],
        cwd=cwd,
        env=clean | {"PYTHONPATH": str(ROOT)} | (env or {}),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def result(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a folder `docs` and a settings file that names it."""
    place = tmp_path_factory.mktemp("place")
    (place / "docs" / "runbooks").mkdir(parents=True)
    (place / "docs" / "leave.md").write_text(LEAVE, encoding="utf-8")
    (place / "docs" / "runbooks" / "on-call.md").write_text(ONCALL, encoding="utf-8")
    (place / "docs" / "empty.md").write_bytes(b"")
    source = '[[sources]]\nname = "docs"\nkind = "folder"\npath = "docs"\ncontact = "#hr"\n'
    (place / "footnote.toml").write_text(source + 'audience = ["workspace"]\n', encoding="utf-8")
    (place / "private.toml").write_text(source, encoding="utf-8")
    return place


def test_a_question_is_answered_with_a_verbatim_footnote(place: Path) -> None:
    answer = result(footnote(place, "ask", "How long is parental leave?", "--json"))

    assert answer["status"] == "answered"
    assert "[1]" in answer["answer"]
    assert answer["citations"][0]["quote"] in LEAVE
    assert (
        answer["citations"][0] | {"doc": "leave.md", "section": ["Parental leave"]}
        == (answer["citations"][0])
    )
    assert set(answer) >= {
        "id", "question", "status", "answer", "citations", "parts", "looked_at", "stop_reason",
        "gap_recorded", "understood", "rounds", "calls", "tokens", "ms", "trace_id",
    }  # fmt: skip


def test_a_person_reads_the_quote_and_its_place(place: Path) -> None:
    done = footnote(place, "ask", "How long is parental leave?")

    assert done.returncode == 0
    assert "14 weeks of parental leave" in done.stdout
    assert "[1] Leave › Parental leave" in done.stdout


def test_what_is_not_there_is_said_and_is_no_error(place: Path) -> None:
    done = footnote(place, "ask", "Who won the football world cup in Brazil?", "--json")

    assert result(done)["status"] == "not_covered"
    assert result(done)["citations"] == []


def test_a_source_without_audience_answers_nobody(place: Path, tmp_path: Path) -> None:
    words = ("ask", "How long is parental leave?", "--json", "--config", "private.toml")
    done = footnote(place, *words, "--data", str(tmp_path), "--as", "slack:U1")

    assert result(done)["status"] == "not_covered"
    assert "leave.md" not in done.stdout


def test_a_folder_has_a_library_of_its_own(place: Path, tmp_path: Path) -> None:
    words = ("ask", "What do engineers on call receive a week?", "--json", "--data", str(tmp_path))
    answer = result(footnote(place, *words, "--folder", str(place / "docs" / "runbooks")))

    assert answer["citations"][0]["doc"] == "on-call.md"
    assert list(tmp_path.glob("folders/*/footnote.db"))


def test_a_thread_is_remembered_by_its_id(place: Path) -> None:
    footnote(place, "ask", "How long is parental leave?", "--thread", "t1")
    answer = result(footnote(place, "ask", "and annual leave?", "--thread", "t1", "--json"))

    assert answer["understood"]
    assert "28 days" in answer["answer"]


def test_a_trace_tells_what_was_seen_and_decided(place: Path) -> None:
    words = ("ask", "How long is parental leave?", "--trace", "--json")
    trace = result(footnote(place, *words))["trace"]

    assert trace["rounds"][0]["action"]
    assert any(seen["doc"] == "leave.md" for seen in trace["rounds"][0]["seen"])


def test_a_trace_is_told_in_sentences(place: Path) -> None:
    said = footnote(place, "ask", "How long is parental leave?", "--trace").stdout

    assert "Round 1: Answered with 1 quote from Leave › Parental leave." in said
    assert "It ended because every quote was checked and nothing was missing." in said


def test_the_doctor_says_how_everything_stands(place: Path, tmp_path: Path) -> None:
    data = str(tmp_path)
    before = result(footnote(place, "doctor", "--data", data, "--json"))
    assert {check["check"] for check in before} >= {"settings", "store", "source docs", "model"}
    assert all(set(check) == {"check", "state", "says", "fix"} for check in before)
    (never,) = (check for check in before if check["check"] == "source docs")
    assert (never["state"], never["fix"]) == ("warning", "Run `footnote sync docs`.")

    footnote(place, "sync", "--data", data)
    after = result(footnote(place, "doctor", "sources", "--data", data, "--json"))

    assert [check["state"] for check in after] == ["ok", "warning"]
    assert "--failed" in after[1]["fix"]


def test_the_doctor_fails_where_something_is_broken(place: Path, tmp_path: Path) -> None:
    (tmp_path / "footnote.toml").write_text(
        '[[sources]]\nname = "docs"\npath = "nowhere"\ncontact = "#hr"\naudience = ["workspace"]\n'
    )
    done = footnote(tmp_path, "doctor", "--json")
    checks = {check["check"]: check for check in json.loads(done.stdout)}

    assert done.returncode == 1
    assert checks["source docs"]["state"] == "failed"
    assert "There is no folder nowhere." in checks["source docs"]["says"]

    (tmp_path / "footnote.toml").write_text('log_level = "loud"\n')
    unusable = footnote(tmp_path, "doctor", "--json")

    assert unusable.returncode == 3
    assert "log_level" in json.loads(unusable.stdout)[0]["says"]


def test_the_doctor_names_what_ails_one_answer(place: Path) -> None:
    asked = result(footnote(place, "ask", "Who pays for pet insurance?", "--json"))
    named = result(footnote(place, "doctor", asked["trace_id"], "--json"))

    assert [check["check"] for check in named] == ["truly not covered"]

    unknown = footnote(place, "doctor", "nonsense")
    assert unknown.returncode == 2
    assert "no trace 'nonsense'" in unknown.stderr


def test_a_batch_answers_every_line_with_its_id(place: Path, tmp_path: Path) -> None:
    lines = [
        {"id": "a", "question": "How long is parental leave?"},
        {"id": "b", "turns": ["How long is parental leave?", "and annual leave?"]},
    ]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    done = footnote(place, "ask", "--batch", str(source), "--out", str(target), "--parallel", "2")

    assert done.returncode == 0, done.stderr
    rows = {row["id"]: row for row in map(json.loads, target.read_text("utf-8").splitlines())}
    assert rows["a"]["status"] == "answered"
    assert [turn["status"] for turn in rows["b"]["turns"]] == ["answered", "answered"]


def test_a_sync_reports_each_file_that_failed_and_exits_1(place: Path, tmp_path: Path) -> None:
    done = footnote(place, "sync", "--json", "--data", str(tmp_path))

    (report,) = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["source"], report["seen"], report["parsed"]) == ("docs", 3, 2)
    assert [one["doc"] for one in report["failed"]] == ["empty.md"]
    assert report["failed"][0]["reason"].startswith("empty")


def test_a_second_sync_reads_nothing(place: Path, tmp_path: Path) -> None:
    footnote(place, "sync", "--data", str(tmp_path))
    (report,) = json.loads(footnote(place, "sync", "--json", "--data", str(tmp_path)).stdout)

    assert (report["parsed"], report["added"], report["changed"]) == (0, 0, 0)


def test_an_unknown_source_is_wrong_use_and_the_known_ones_are_named(place: Path) -> None:
    done = footnote(place, "sync", "nowhere")

    assert done.returncode == 2
    assert "docs" in done.stderr


def test_status_and_failed_are_told_without_a_run(place: Path) -> None:
    status = result(footnote(place, "sync", "--status", "--json"))
    failed = result(footnote(place, "sync", "--failed", "--json"))

    assert status[0]["source"] == "docs"
    assert [one["doc"] for one in failed] == ["empty.md"]


def test_the_map_holds_every_file_unreadable_ones_with_their_reason(place: Path) -> None:
    documents = {one["doc"]: one for one in result(footnote(place, "map", "--json"))}

    assert set(documents) == {"leave.md", "runbooks/on-call.md", "empty.md"}
    assert documents["leave.md"]["title"] == "Leave"
    assert [s["path"] for s in documents["leave.md"]["sections"]][-1] == ["Parental leave"]
    assert documents["empty.md"]["outcome"] == "not_readable"
    assert documents["empty.md"]["reason"].startswith("empty")


def test_one_document_is_shown_with_its_text_by_path_or_id(place: Path) -> None:
    by_path = result(footnote(place, "map", "show", "leave.md", "--json"))
    by_id = result(footnote(place, "map", "show", by_path["doc_id"], "--json"))

    assert by_path == by_id
    assert "14 weeks" in by_path["sections"][-1]["text"]


def test_the_map_check_says_what_to_mend(place: Path) -> None:
    (remark,) = result(footnote(place, "map", "check", "--json"))

    assert remark["doc"] == "empty.md"
    assert set(remark) == {"doc", "kind", "says", "fix"}


def test_common_options_stand_before_the_command_or_after_it(place: Path, tmp_path: Path) -> None:
    before = footnote(place, "--data", str(tmp_path), "--config", "private.toml", "map", "--json")

    assert result(before) == []
    assert (tmp_path / "footnote.db").exists()


def test_a_channel_answers_from_the_sources_of_its_settings(place: Path, tmp_path: Path) -> None:
    settings = (place / "footnote.toml").read_text("utf-8")
    settings += '[[sources]]\nname = "runs"\nkind = "folder"\npath = "docs/runbooks"\n'
    settings += 'audience = ["workspace"]\n[channels."slack:C1"]\nsources = ["runs"]\n'
    settings += '[channels."slack:C2"]\nenabled = false\n'
    (place / "channels.toml").write_text(settings, encoding="utf-8")
    where = ("--config", "channels.toml", "--data", str(tmp_path))
    words = ("ask", "How long is parental leave?", "--json", *where)

    assert result(footnote(place, *words, "--as", "slack:C1"))["status"] == "not_covered"
    assert result(footnote(place, *words, "--as", "slack:C3"))["status"] == "answered"
    off = footnote(place, *words, "--as", "slack:C2")
    assert (off.returncode, "switched off" in off.stderr) == (2, True)


def test_nothing_of_a_document_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    text = "# Fees \x1b[31m\n\nThe ansi fee is 12 \x1b[2J euros.\n"
    (tmp_path / "docs" / "a.md").write_text(text, encoding="utf-8")

    for words in (("ask", "what is the ansi fee"), ("map",), ("map", "show", "a.md")):
        done = footnote(tmp_path, *words, "--folder", "docs")
        assert done.returncode == 0, done.stderr
        assert "fee" in done.stdout.lower()
        assert "\x1b" not in done.stdout


def test_words_that_are_no_text_are_no_crash(place: Path) -> None:
    done = footnote(place, "ask", "\udcff\udcfe", "--thread", "\udcff")

    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_two_at_once_on_a_new_library_both_answer(place: Path, tmp_path: Path) -> None:
    words = ("ask", "How long is parental leave?", "--json", "--data", str(tmp_path))
    with ThreadPoolExecutor() as pool:
        both = list(pool.map(lambda _: footnote(place, *words), range(2)))

    assert [result(done)["status"] for done in both] == ["answered", "answered"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        pytest.param(("ask",), 2, "--batch", id="no question"),
        pytest.param(("ask", "x", "--batch", "a"), 2, "--out", id="a question and a batch"),
        pytest.param(("ask", "x", "--as", "boss"), 2, "slack:U", id="nobody"),
        pytest.param(("ask", "x", "--folder", "nowhere"), 2, "nowhere", id="no such folder"),
        pytest.param(("map", "draw"), 2, "map show", id="an unknown word"),
        pytest.param(("map", "show", "nowhere.md"), 1, "nowhere.md", id="no such document"),
        pytest.param(("sync", "--status", "--failed"), 2, "--status", id="two at once"),
        pytest.param(("map", "--config", "nowhere.toml"), 3, "nowhere.toml", id="no such file"),
        pytest.param(("ask", "x", "--today", "soon"), 2, "2026-11-30", id="no date"),
        pytest.param(("dance",), 2, "dance", id="no such command"),
    ],
)
def test_wrong_use_says_what_is_right(
    place: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    done = footnote(place, *words)

    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("variable", "value", "code"),
    [
        pytest.param("FOOTNOTE_LOOP__MAX_ROUNDS", "60", 3, id="out of range"),
        pytest.param("FOOTNOTE_LOOP__MAX_RONDS", "6", 3, id="misspelt"),
        pytest.param("FOOTNOTE_MODEL__KIND", "clever", 3, id="no such kind"),
        pytest.param("FOOTNOTE_STORE__URL", "mysql://x/y", 3, id="no database of ours"),
        pytest.param("FOOTNOTE_STORE__URL", "postgresql://127.0.0.1:1/x", 4, id="no server"),
    ],
)
def test_settings_that_cannot_be_used_name_the_variable(
    place: Path, variable: str, value: str, code: int
) -> None:
    done = footnote(place, "map", env={variable: value})

    assert done.returncode == code, done.stderr
    assert variable in done.stderr
    assert "Traceback" not in done.stderr


def test_version_and_help_are_told() -> None:
    assert footnote(ROOT, "--version").stdout.startswith("footnote ")
    assert "sync" in footnote(ROOT, "--help").stdout


def test_the_readme_shows_what_make_run_prints(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = (ROOT / "examples" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    question = json.loads(lines[0])["question"]

    done = footnote(ROOT, "ask", question, "--data", str(tmp_path))

    assert f"> {question}\n{done.stdout}" in readme
    assert len(readme.splitlines()) <= 120
