"""Logs: one line a record, for machines as JSON, for a person as words."""

import json
import logging
import sys

from config.logs import JsonLines, PlainLines


def record(level: int = logging.INFO, **fields: object) -> logging.LogRecord:
    made = logging.LogRecord("bots.x", level, __file__, 1, "question %s", ("answered",), None)
    made.__dict__.update(fields)
    return made


def test_every_field_of_a_record_is_a_field_of_its_line() -> None:
    line = json.loads(JsonLines().format(record(rounds=2, where="部门")))

    assert (line["event"], line["level"], line["rounds"], line["where"]) == (
        "question answered",
        "info",
        2,
        "部门",
    )


def test_a_traceback_stays_within_its_line() -> None:
    failed = record(logging.ERROR)
    try:
        int("broken")
    except ValueError:
        failed.exc_info = sys.exc_info()

    text = JsonLines().format(failed)

    assert "\n" not in text
    assert "broken" in json.loads(text)["exception"]


def test_what_is_no_json_is_written_as_text() -> None:
    assert json.loads(JsonLines().format(record(error=ValueError("x"))))["error"] == "x"


def test_a_person_reads_words_and_only_the_fields_that_hold_something() -> None:
    line = PlainLines().format(record(rounds=2, failed=0))

    assert line.endswith("question answered rounds=2")


def test_a_person_sees_when_it_is_a_warning() -> None:
    assert "WARNING question answered" in PlainLines().format(record(logging.WARNING))
