"""Whether words get lost: our sections against the best of three independent extractors.

    python -m tests.benchmarks.word_coverage FOLDER [--only pdf,docx] [--below 0.97] [--limit N]

Every readable file of the folder is read by Footnote and by the extractors of `extractors.py`,
each in a process of its own with limits. Running heads and feet and lines of contents lists are
taken out of what the extractors found, as a reader would not miss them. A share below the target
is shown with the words that are missing most often, first those that two extractors agree on.
"""

import argparse
import hashlib
import re
import resource
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any

from pebble import ProcessFuture, ProcessPool

from agent.caching import ContentCache
from connectors.formats.worker import parse_file
from tests.benchmarks.extractors import EXTRACTORS

TARGET = 0.97
SECONDS = 30
_VERSION = 3
"""Another one forgets what the extractors found so far."""
_MEMORY_BYTES = 3 << 30
_FILE_BYTES = 100_000_000
_SQUEEZED_FROM = 6
"""Letters from which a word may stand in ours joined to others or cut by blanks."""
_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_LINE_HYPHEN = re.compile(
    r"(?<=[^\W\d_])(?:-|\u2010|\xad)[ \t]*\r?\n[ \t]*(?=[a-zà-ÿ])|\xad|\ufffe\s*"
)
_CONTENTS_LINE = re.compile(
    r".*(?:\.[ \t]?){3,}[ \t]*[\divxlc]+\s*$|.*\S(?:\t| {3,})[\divxlc]+\s*$"
)
_CONTENTS_HEAD = re.compile(
    r"\s*(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|sommaire|目\s*录)"
    r"\s*$",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of one file came through.

    Attributes:
        best: share of the words of the extractor that found most, 0 to 1.
        agreed: share of the words that at least two of the extractors found.
        extractor: which one found most; empty where none could read the file.
        words: how many words that one found.
        missing: words that are not in ours, most often missing first.
    """

    path: Path
    kind: str
    outcome: str
    best: float = 1.0
    agreed: float = 1.0
    extractor: str = ""
    words: int = 0
    hidden: int = 0
    missing: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Ours:
    """What Footnote made of a file."""

    kind: str
    outcome: str
    text: str
    hidden: int


def words_of(text: str) -> Counter[str]:
    """Words in lower case, each CJK character for itself, hyphens at line ends undone."""
    whole = _LINE_HYPHEN.sub("", unicodedata.normalize("NFKC", text.replace("\xad\n", "-\n")))
    return Counter(_WORD.findall(whole.casefold()))


def share(ours: str, theirs: Counter[str]) -> tuple[float, tuple[tuple[str, int], ...]]:
    """(share of their words that ours holds as often, the words missing)."""
    held = words_of(ours)
    squeezed = "".join(_WORD.findall(unicodedata.normalize("NFKC", ours).casefold()))
    missing: Counter[str] = Counter()
    for word, count in theirs.items():
        found = held[word]
        if found < count and len(word) >= _SQUEEZED_FROM:
            found = max(found, squeezed.count(word))
        if found < count:
            missing[word] = count - found
    total = theirs.total()
    return (1 - missing.total() / total if total else 1.0), tuple(missing.most_common())


def without_frames(pages: Sequence[str]) -> str:
    """The text of pages without running heads and feet and without contents lists."""
    lines = [[line for line in page.splitlines() if line.strip()] for page in pages]
    edges = Counter(key for page in lines for key in {_masked(x) for x in page[:5] + page[-5:]})
    places = Counter(key for page in lines for key in {_masked(x) for x in page})
    often, everywhere = max(3, 0.08 * len(lines)), max(3, 0.25 * len(lines))
    kept = []
    listing = False
    for page in lines:
        for place, line in enumerate(page):
            listing = _CONTENTS_HEAD.match(line) is not None or (listing and line[-1:].isdigit())
            if listing:
                continue
            key, edge = _masked(line), place < 5 or place >= len(page) - 5
            running = (edge and edges[key] >= often) or places[key] >= everywhere
            if not running and not _CONTENTS_LINE.match(line):
                kept.append(line)
    return "\n".join(kept)


def _masked(line: str) -> str:
    return _DIGITS.sub("#", " ".join(line.split()))


# ---------------------------------------------------------------- in the child processes


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    sys.stderr = Path("/dev/null").open("w")  # noqa: SIM115 - the libraries chatter


def _ours(path: str) -> Ours:
    document = parse_file(path, path, _FILE_BYTES).document
    parts = [document.title]
    for section in document.sections:
        parts += [section.heading, *(block.text for block in section.blocks)]
    kind, outcome = document.format, document.reason.split(":")[0] or document.outcome.value
    return Ours(kind, outcome, "\n".join(parts), document.hidden_chars)


def _theirs(path: str, kind: str, name: str) -> list[str] | None:
    """Pages as an extractor found them; None where it cannot read them or is not installed."""
    try:
        return EXTRACTORS[kind][name](Path(path).read_bytes())
    except Exception:  # noqa: BLE001 - theirs to fail; ours is what is measured
        return None


# ---------------------------------------------------------------- measuring


@dataclass(slots=True)
class Measure:
    """Runs the extractors, two at a time, and remembers what the slow ones found."""

    pool: ProcessPool = field(
        default_factory=lambda: ProcessPool(max_workers=2, max_tasks=50, initializer=_limited)
    )
    cache: ContentCache = field(
        default_factory=lambda: ContentCache(Path(tempfile.gettempdir()) / "footnote-coverage")
    )

    def coverages(self, paths: Sequence[Path]) -> Iterator[Coverage]:
        """One for each file that Footnote reads; the others are passed over."""
        ours = [(path, self._task(_ours, str(path))) for path in paths]
        for path, future in ours:
            document = _result(future)
            if document is None:
                yield Coverage(path, "", "timeout or died", best=0.0, agreed=0.0)
            elif document.text.strip() and document.kind in EXTRACTORS:
                yield self._coverage(path, document)

    def close(self) -> None:
        self.pool.stop()  # type: ignore[no-untyped-call]
        self.pool.join()
        self.cache.close()

    def _coverage(self, path: Path, ours: Ours) -> Coverage:
        pages = self._found(path, ours.kind)
        clean = without_frames if ours.kind == "pdf" else "\n".join
        found = {name: words for name in pages if (words := words_of(clean(pages[name])))}
        if not found:
            return Coverage(path, ours.kind, ours.outcome, hidden=ours.hidden)
        name, most = max(found.items(), key=lambda each: each[1].total())
        best, missing = share(ours.text, most)
        agreed, surely = share(ours.text, _agreed(list(found.values())))
        return Coverage(
            path,
            ours.kind,
            ours.outcome,
            best,
            agreed,
            name,
            most.total(),
            ours.hidden,
            surely + tuple(each for each in missing if each[0] not in dict(surely)),
        )

    def _found(self, path: Path, kind: str) -> dict[str, list[str]]:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        keys = {name: f"{_VERSION} {name} {digest}" for name in EXTRACTORS[kind]}
        kept = {name: self.cache.get(key) for name, key in keys.items()}
        running = {
            name: self._task(_theirs, str(path), kind, name) for name in keys if kept[name] is None
        }
        for name, future in running.items():
            kept[name] = _result(future) or []
            self.cache.put(keys[name], kept[name])
        return kept

    def _task(self, call: Any, *args: str) -> ProcessFuture[Any]:
        return self.pool.schedule(call, args, timeout=SECONDS)


def _result(future: ProcessFuture[Any]) -> Any:
    try:
        return future.result()
    except Exception:  # noqa: BLE001 - timed out, out of memory, died: no result
        return None


def _agreed(found: Sequence[Counter[str]]) -> Counter[str]:
    """Each word as often as the middle one of the extractors has it."""
    words = set().union(*found)
    return Counter({word: int(median(each[word] for each in found)) for word in words})


def files_of(folder: Path, only: frozenset[str] = frozenset()) -> list[Path]:
    """The files of a folder, by path; `only` holds endings without the dot."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in paths if not only or path.suffix.lower().lstrip(".") in only]


def summary(found: Sequence[Coverage]) -> str:
    """One line a format."""
    lines = [f"{'format':9} {'files':>5} {'mean':>7} {'below':>6} {'agreed':>7} {'below':>6}"]
    for kind in sorted({each.kind for each in found}):
        those = [each for each in found if each.kind == kind]
        best, agreed = [e.best for e in those], [e.agreed for e in those]
        lines.append(
            f"{kind or 'failed':9} {len(those):5} {mean(best):7.2%} "
            f"{sum(b < TARGET for b in best):6} {mean(agreed):7.2%} "
            f"{sum(a < TARGET for a in agreed):6}"
        )
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    """The command; see above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="endings, pdf,docx; else all files")
    parser.add_argument("--below", type=float, default=TARGET, help="share below which to tell")
    parser.add_argument("--limit", type=int, default=0, help="files at most; 0 is all")
    asked = parser.parse_args(words)
    only = frozenset(filter(None, asked.only.lower().split(",")))
    paths = files_of(asked.folder, only)[: asked.limit or None]
    measure = Measure()
    found = []
    for each in measure.coverages(paths):
        found.append(each)
        if each.best < asked.below:
            few = " ".join(f"{word}×{count}" for word, count in each.missing[:12])
            print(
                f"{each.best:7.2%} agreed {each.agreed:7.2%} {each.kind} {each.outcome} of "
                f"{each.words} ({each.extractor}), hidden {each.hidden}: {each.path}\n"
                f"        {few}",
                flush=True,
            )
    measure.close()
    print(summary(found))


if __name__ == "__main__":
    main()
