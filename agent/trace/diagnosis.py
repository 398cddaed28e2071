"""What ails a question, told from its trace: the symptom, what it was seen by, the remedy.

The library is searched again, wider than the question could be, in the scope it was asked in. So
a miss can be told from a loss: evidence that stands in a document never listed, in a section never
shown, or nowhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from agent.domain import Scope, SearchResult, StopReason, Window
from agent.errors import LibraryError
from agent.library.searching.scoring import share_found
from agent.ports import Library
from agent.trace.rounds import RoundTrace, SeenSection, Trace
from config.settings import LoopSettings

_WIDE_WINDOWS = 24
_CLEARLY_BETTER = 0.2
_LEAF_TOKENS = 9_000
"""Three times what a leaf takes in the middle."""

_ENDS = {
    StopReason.UNAVAILABLE: (
        "model unavailable",
        "the language model did not answer, so words alone were searched",
        "Look at `footnote doctor model`.",
    ),
    StopReason.OUT_OF_TIME: (
        "out of time",
        "its time was used up before it was done",
        "Raise loop.work_s, or use a faster model.",
    ),
    StopReason.TOOL_FAILURES: (
        "library failing",
        "the library failed twice in a row",
        "Look at `footnote doctor` and the log of that time.",
    ),
    StopReason.MAX_ROUNDS: (
        "last round reached",
        "it came to its last round and was not done",
        "Look at what was missing in each round; raise loop.max_rounds if it was still gaining.",
    ),
}


@dataclass(frozen=True, slots=True)
class Symptom:
    """One thing that went wrong.

    Attributes:
        name: `wrong document`, `re-reading`, `evidence not in view`, `bad shortlist`,
            `token blow-up`, `truly not covered`, `nothing wrong` or the bound that was met.
        says: what it was seen by.
        fix: what to do about it.
        healthy: whether nothing needs mending.
    """

    name: str
    says: str
    fix: str
    healthy: bool = False


async def diagnose(trace: Trace, library: Library, bounds: LoopSettings) -> list[Symptom]:
    """The symptoms of a trace, the most telling first; `nothing wrong` where there is none."""
    found = [symptom for leaf in _leaves(trace) for symptom in _conduct(leaf, bounds)]
    if trace.scope is None:
        found.append(_FORGOTTEN)
    else:
        for leaf in _leaves(trace):
            found = [*await _evidence(leaf, trace.scope, library, bounds), *found]
    found += _end(trace)
    return list(dict.fromkeys(found)) or [_WELL]


_FORGOTTEN = Symptom(
    "texts forgotten",
    "the question's words are kept no longer, so its search cannot be made again",
    "Ask it again, or raise privacy.texts_days.",
    healthy=True,
)
_WELL = Symptom(
    "nothing wrong",
    "the answer rests on the sections that speak most of what was asked",
    "If it is wrong all the same, its documents are: see `footnote map check`.",
    healthy=True,
)


def _leaves(trace: Trace) -> Iterator[list[RoundTrace]]:
    for _, rounds in groupby(trace.rounds, key=lambda entry: entry.leaf):
        yield list(rounds)


def _conduct(leaf: Sequence[RoundTrace], bounds: LoopSettings) -> Iterator[Symptom]:
    """What the rounds alone tell."""
    done = [(entry.action, entry.targets, entry.text.query) for entry in leaf if entry.action]
    if len(set(done)) < len(done) or leaf[-1].end == StopReason.NO_PROGRESS.value:
        yield Symptom(
            "re-reading",
            f"{_part(leaf)}rounds went back to what had been seen and brought nothing new",
            "See what they were missing (--trace); a larger model.name repeats itself less.",
        )
    tokens = sum(entry.tokens for entry in leaf)
    largest = max(entry.tokens for entry in leaf)
    blown = tokens > _LEAF_TOKENS or largest > 1.25 * bounds.call_tokens
    if blown or leaf[-1].end == StopReason.OUT_OF_TOKENS.value:
        yield Symptom(
            "token blow-up",
            f"{_part(leaf)}{tokens:,} tokens in {len(leaf)} rounds, {largest:,} in the largest",
            "Lower loop.round_one_chars or loop.call_tokens; split giant sections (map check).",
        )


async def _evidence(
    leaf: Sequence[RoundTrace], scope: Scope, library: Library, bounds: LoopSettings
) -> list[Symptom]:
    """What a wider search finds that the rounds had not before them."""
    found = await library.search(leaf[0].text.leaf, scope, windows=_WIDE_WINDOWS)
    seen = {(each.doc_id, each.path): each for entry in leaf for each in entry.seen}
    missed = [
        window
        for window in found.windows
        if (window.document.doc_id, window.section.path) not in seen
    ]
    best = max(missed, key=lambda window: _share(found, window), default=None)
    if leaf[-1].action == "answer":
        cited = [each for each in leaf[-1].seen if each.section_id in leaf[-1].targets]
        return await _answered(cited, best, found, (library, scope))
    in_view = await _best_share([*seen.values()], found, (library, scope))
    if best is None or _share(found, best) < max(bounds.coverage_gate, in_view + _CLEARLY_BETTER):
        return [_not_covered(leaf, found, in_view)]
    listed = {each.doc_id for entry in leaf for each in entry.listed}
    return [_lost(leaf, best, found, listed=best.document.doc_id in listed)]


async def _answered(
    cited: Sequence[SeenSection],
    best: Window | None,
    found: SearchResult,
    where: tuple[Library, Scope],
) -> list[Symptom]:
    if best is None or best.document.doc_id in {each.doc_id for each in cited}:
        return []
    share = await _best_share(cited, found, where)
    if _share(found, best) < share + _CLEARLY_BETTER:
        return []
    return [
        Symptom(
            "wrong document",
            f"it quotes {_names(cited)}, while {_place(best)} speaks more of what was asked "
            f"({_share(found, best):.0%} of its words against {share:.0%})",
            "Give that document a title and headings in the askers' words (`footnote map check`), "
            "or archive the one that was quoted.",
        )
    ]


def _lost(
    leaf: Sequence[RoundTrace], best: Window, found: SearchResult, *, listed: bool
) -> Symptom:
    share = f"{_share(found, best):.0%} of the question's words"
    if listed:
        return Symptom(
            "evidence not in view",
            f"{_part(leaf)}{_place(best)} holds {share}; its document was listed, "
            "but this section was never shown",
            "Raise loop.round_one_windows or loop.round_one_chars.",
        )
    return Symptom(
        "bad shortlist",
        f"{_part(leaf)}{_place(best)} holds {share}, but its document was never listed",
        "Set an embedder, teach the askers' words in [glossary], or raise loop.top_k_documents.",
    )


def _not_covered(leaf: Sequence[RoundTrace], found: SearchResult, in_view: float) -> Symptom:
    words = ", ".join(f"“{word}”" for word in found.missing)
    unknown = f"; no document knows {words}" if words else ""
    return Symptom(
        "truly not covered",
        f"{_part(leaf)}the best section holds {in_view:.0%} of the question's words and does not "
        f"state what was asked{unknown}",
        "Write it down, or teach the documents' own word for it in [glossary].",
        healthy=True,
    )


def _end(trace: Trace) -> list[Symptom]:
    reason = next((each for each in _ENDS if each.value == trace.stop_reason), None)
    return [Symptom(*_ENDS[reason])] if reason else []


async def _best_share(
    places: Sequence[SeenSection], found: SearchResult, where: tuple[Library, Scope]
) -> float:
    library, scope = where
    best = 0.0
    for each in places:
        try:
            section = await library.read_section(scope, each.doc_id, each.path)
        except LibraryError:
            continue  # it is gone since, or out of scope: it can be no evidence any more
        best = max(best, share_found(found.terms, section.text, *section.headings, each.title))
    return best


def _share(found: SearchResult, window: Window) -> float:
    return share_found(found.terms, window.text, *window.section.headings, window.document.title)


def _place(window: Window) -> str:
    return f"{window.document.doc} › {window.section.heading}".removesuffix(" › ")


def _names(cited: Sequence[SeenSection]) -> str:
    return ", ".join(dict.fromkeys(each.doc for each in cited)) or "nothing"


def _part(leaf: Sequence[RoundTrace]) -> str:
    return f"part {leaf[0].leaf}: " if leaf[0].leaf > 1 else ""
