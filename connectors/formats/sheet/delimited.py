"""Files of delimited lines: which mark divides them, and their cells."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence

from agent.errors import ParseError

DELIMITERS = ",;\t|"
_SNIFFED_LINES = 30
_NAMED = "sep="
_LEAST_LINES = 4


def cells(text: str) -> Iterator[list[str]]:
    """The cells of each line; a quote that never ends is taken as a plain character."""
    text = text.replace("\0", "")
    delimiter, text = _named_delimiter(text)
    delimiter = delimiter or delimiter_of(text.split("\n", _SNIFFED_LINES)[:_SNIFFED_LINES])
    csv.field_size_limit(max(len(text) + 1, 131_072))
    lines = io.StringIO(text, newline="")
    try:
        if _is_unbalanced(text):
            yield from csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        else:
            yield from csv.reader(lines, delimiter=delimiter)
    except csv.Error as error:
        raise ParseError("damaged", f"its lines are no table ({error})") from error


def delimiter_of(lines: Sequence[str]) -> str:
    """The mark that divides most lines into the same number of parts."""
    scores = {}
    for mark in DELIMITERS:
        counts = Counter(_outside_quotes(line, mark) for line in lines if line.strip())
        count, times = max(counts.items(), key=lambda item: (item[0] > 0, item[1]), default=(0, 0))
        scores[mark] = times * min(count, 50) if count else 0
    return max(DELIMITERS, key=lambda mark: scores[mark])


def looks_delimited(sample: str) -> bool:
    """Whether lines without a telling name are a table: all have the same number of cells.

    Commas stand in sentences, so they need more of them than tabs.
    """
    lines = [line for line in sample.split("\n")[:_SNIFFED_LINES] if line.strip()]
    if len(lines) < _LEAST_LINES:
        return False
    mark = delimiter_of(lines)
    if mark == "," and sum(line.count(", ") for line in lines) > len(lines):
        return False  # as in sentences
    counts = {_outside_quotes(line, mark) for line in lines[:-1]}
    return len(counts) == 1 and min(counts) >= (1 if mark == "\t" else 3)


def _outside_quotes(line: str, mark: str) -> int:
    return sum(part.count(mark) for part in line.split('"')[::2])


def _named_delimiter(text: str) -> tuple[str, str]:
    """The mark that the first line names for Excel, and the lines after it."""
    first, _, rest = text.partition("\n")
    named = first.strip().strip('"')
    if named.lower().startswith(_NAMED) and len(named) == len(_NAMED) + 1:
        return named[-1], rest
    return "", text


def _is_unbalanced(text: str) -> bool:
    """Whether a cell would swallow the rest of the file."""
    return text.count('"') % 2 == 1
