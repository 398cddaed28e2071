"""Which questions and documents a growing library has, so that every size is asked the same.

First the documents that the questions need, then the others of the same library (the hardest, they
speak of the same things), then a filler, then distractors made of the library's own paragraphs.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.evaluation.questions import EvalQuestion

_CORE_SHARE = 0.9
_PARAGRAPHS = 6
_LEAST_PARAGRAPH = 40
_WORDS = 40
_TITLE_WORDS = 6


@dataclass(frozen=True, slots=True)
class Core:
    """What every size holds: questions, and the documents they need."""

    questions: tuple[EvalQuestion, ...]
    documents: tuple[str, ...]


def core_of(questions: Sequence[EvalQuestion], smallest: int) -> Core:
    """The questions whose documents fit into the smallest library, as many of each kind as can be.

    Args:
        questions: the set.
        smallest: documents of the smallest library; some are left for others.
    """
    room = max(1, int(smallest * _CORE_SHARE))
    documents: dict[str, None] = {}
    kept: set[str] = set()
    for question in _in_turn([one for one in questions if one.answerable]):
        wanted = [doc for doc in sorted(question.right_docs) if doc not in documents]
        if len(documents) + len(wanted) <= room:
            documents |= dict.fromkeys(wanted)
            kept.add(question.id)
    asked = tuple(one for one in questions if not one.answerable or one.id in kept)
    return Core(asked, tuple(documents))


def _in_turn(questions: Sequence[EvalQuestion]) -> Iterator[EvalQuestion]:
    """One of each kind after the other."""
    waiting: dict[str, list[EvalQuestion]] = {}
    for question in questions:
        waiting.setdefault(question.kind, []).append(question)
    while waiting:
        for kind in list(waiting):
            yield waiting[kind].pop(0)
            if not waiting[kind]:
                del waiting[kind]


def distractors(
    others: Sequence[str], needed: Sequence[str], seed: int
) -> Iterator[tuple[str, str]]:
    """Documents without end, each of a few paragraphs of others in another order.

    Args:
        others: texts that no question needs; what they are made of.
        needed: texts that questions need; where there are no others, single words of these are
            shuffled, so that no answer stands in what comes out.
        seed: the same gives the same.

    Yields:
        File name and text.
    """
    dice = random.Random(seed)
    paragraphs = sorted({each for text in others for each in _paragraphs(text)})
    words = sorted({word for text in needed for word in text.split()})
    if not paragraphs and not words:
        return
    for number in itertools.count(1):
        chosen = [
            dice.choice(paragraphs) if paragraphs else " ".join(dice.choices(words, k=_WORDS))
            for _ in range(_PARAGRAPHS)
        ]
        title = " ".join(dice.choice(chosen).split()[:_TITLE_WORDS]).strip("#*|- ")
        body = "\n\n".join(chosen)
        yield f"distractors/{number:06d}.md", f"# {title}\n\n{body}\n"


def _paragraphs(text: str) -> Iterator[str]:
    for each in text.split("\n\n"):
        if len(each) >= _LEAST_PARAGRAPH and not each.lstrip().startswith("#"):
            yield each.strip()
