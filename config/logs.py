"""One JSON object a line on stderr; whoever runs the bot decides where it goes.

A person at a terminal gets the same as a short line of words.
"""

import json
import logging
import sys
from typing import Any

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """Writes the message, and every `extra` field as a field of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Render one record as one line."""
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= _fields(record)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """The same for a person: time, level where it matters, message, fields that hold something."""

    def format(self, record: logging.LogRecord) -> str:
        """Render one record as one line, a traceback below it."""
        level = f"{record.levelname} " if record.levelno > logging.INFO else ""
        fields = [f"{name}={value}" for name, value in _fields(record).items() if value]
        line = " ".join([self.formatTime(record, "%H:%M:%S"), level + record.getMessage(), *fields])
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in vars(record).items() if key not in _PLAIN}


def set_up(level: str) -> None:
    """Call once, from the composition root."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainLines() if sys.stderr.isatty() else JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # It logs whatever bytes a stranger sends as an error; our own wall logs what is our fault.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
