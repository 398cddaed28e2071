"""A prompt of ours, read back: the question, what is listed, what is shown, what was done.

Every prompt that an engine of this house sends is made of the same pieces: fenced texts
(`<<<name mark>>>`), a list of documents with their sections, and lines of what was read before. The
same reading serves the loop's decisions and the baselines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(
    r"^<<<(?P<name>[^\n]*) (?P<mark>[0-9a-f]{8})>>>\n(?P<body>.*?)\n<<<end (?P=mark)>>>$",
    re.DOTALL | re.MULTILINE,
)
_DOCUMENT = re.compile(r"^(D\d+) (.*)$")
_SECTION = re.compile(r"^\s+(D\d+\.\d+) (.*) \([\d,]+\)$")
_KEPT = re.compile(r"^(D\d+\.\d+): “(.*)”$", re.MULTILINE)
_READ = re.compile(r"· read ([D\d., ]+)")
_SEARCHED = re.compile(r"· search (.*?)(?: · missing:.*)?$", re.MULTILINE)
_FORCED = re.compile(r"^Round \d+ of \d+, the last", re.MULTILINE)
_QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Shown:
    """A text in the prompt.

    Attributes:
        id: of its section (`D3.2`) or passage (`2`).
        place: what stands beside the id: headings, or path and headings.
    """

    id: str
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A section whose id and heading are listed, and its document's line."""

    id: str
    heading: str
    document: str


@dataclass(frozen=True, slots=True)
class ReadPrompt:
    """What stands in a prompt.

    Attributes:
        question: the one that is asked; of several fenced ones the first.
        documents: the line of each listed document, by short id.
        kept: quotes of earlier rounds by section id.
        read: ids that were read before.
        searched: words that were searched before.
        forced: whether only an answer or a refusal is taken.
        note: what is said about the last decision; empty where nothing is.
    """

    question: str
    shown: tuple[Shown, ...]
    documents: dict[str, str]
    listed: tuple[Listed, ...]
    kept: tuple[Shown, ...]
    read: frozenset[str]
    searched: tuple[str, ...]
    forced: bool
    note: str


def read_prompt(text: str) -> ReadPrompt:
    """Read a prompt back; text in fences is never taken for anything else."""
    fences = [(found["name"], found["body"]) for found in _FENCE.finditer(text)]
    outside = _FENCE.sub("", text)
    asked = [body for name, body in fences if name == _QUESTION]
    documents = dict(_documents(outside))
    read = (ids for found in _READ.findall(outside) for ids in found.split(","))
    note = re.search(r"^NOTE\n(.*)$", outside, re.MULTILINE)
    return ReadPrompt(
        question=asked[0] if asked else "",
        shown=tuple(_shown(name, body) for name, body in fences if name != _QUESTION),
        documents=documents,
        listed=tuple(_listed(outside, documents)),
        kept=tuple(Shown(short_id, "", words) for short_id, words in _KEPT.findall(outside)),
        read=frozenset(each.strip() for each in read if each.strip()),
        searched=tuple(_SEARCHED.findall(outside)),
        forced=_FORCED.search(outside) is not None,
        note=note.group(1) if note else "",
    )


def _shown(name: str, body: str) -> Shown:
    short_id, _, place = name.partition(" ")
    return Shown(short_id, place, body)


def _documents(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        if found := _DOCUMENT.match(line):
            yield found[1], found[2]


def _listed(text: str, documents: dict[str, str]) -> Iterator[Listed]:
    for line in text.split("\n"):
        if found := _SECTION.match(line):
            document = documents.get(found[1].partition(".")[0], "")
            yield Listed(found[1], found[2].strip(), document)
