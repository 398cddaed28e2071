"""Plain RAG: find chunks by words and by meaning, put the best in order, answer in one call.

BM25 top 10, vector top 20 where an embedder is configured, fused by rank, reranked to 5 where a
reranker is; with `words` a small call writes search words first, and both rankings are fused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from agent.cores.llm.small import ModelSmallCalls
from agent.domain import Answer, Question, Scope, Usage
from agent.evaluation.baselines.answering import Passage, as_answer, ask_passages
from agent.evaluation.baselines.bm25 import Bm25, fused
from agent.evaluation.baselines.chunks import Chunk, read_chunks
from agent.evaluation.retrieval import Ranked, folded_section
from agent.ports import ChatModel, Embedder, Library, Reranker, Vector
from agent.text.words import language_of

_BY_WORDS = 10
_BY_MEANING = 20
_SHOWN = 5
_EMBEDDED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Finders:
    """What finds beside words, as far as it is configured."""

    embedder: Embedder | None = None
    reranker: Reranker | None = None


@dataclass(frozen=True, slots=True)
class Rag:
    """The baseline over one library, its chunks in memory."""

    chat: ChatModel
    chunks: Sequence[Chunk]
    by_words: Bm25
    vectors: Sequence[Vector] = ()
    finders: Finders = field(default_factory=Finders)
    words: bool = False

    async def answer(self, question: Question) -> Answer:
        """One answer.

        Raises:
            ServiceUnreachable: the model did not answer.
        """
        began = monotonic()
        words, usage = "", Usage()
        if self.words:
            small = ModelSmallCalls(self.chat)
            spoken = (language_of(question.text),)
            words, usage = await small.search_words(question.text, spoken)
        found = await self.find(question.text, words)
        passages = [_passage(chunk) for chunk in found[:_SHOWN]]
        reply, cost = await ask_passages(self.chat, question.text, passages)
        took_ms = round((monotonic() - began) * 1000)
        whole = replace(usage + cost, total_ms=took_ms)
        return as_answer(question, reply, passages, whole)

    async def find(self, question: str, words: str = "") -> list[Chunk]:
        """The chunks for a question, best first."""
        queries = [question, words] if words else [question]
        rankings = [self.by_words.best(query, _BY_WORDS) for query in queries]
        rankings += [await self._by_meaning(query) for query in queries]
        found = [self.chunks[at] for at in fused(*rankings)]
        if self.finders.reranker and found:
            scores = await self.finders.reranker.rank(question, [chunk.text for chunk in found])
            order = sorted(range(len(found)), key=lambda at: -scores[at])
            found = [found[at] for at in order]
        return found

    async def rank(self, question: str) -> Ranked:
        """Documents and sections of the chunks found with the question alone."""
        found = await self.find(question)
        sections = (folded_section(piece.section) for chunk in found for piece in chunk.pieces)
        return Ranked(
            tuple(dict.fromkeys(chunk.document.doc for chunk in found)),
            tuple(dict.fromkeys(sections)),
        )

    async def _by_meaning(self, query: str) -> list[int]:
        if self.finders.embedder is None or not self.vectors:
            return []
        (asked,) = await self.finders.embedder.embed([query], asked=True)
        near = [_dot(asked, vector) for vector in self.vectors]
        return sorted(range(len(near)), key=lambda at: -near[at])[:_BY_MEANING]


async def build_rag(
    chat: ChatModel, library: Library, scope: Scope, finders: Finders, *, words: bool
) -> Rag:
    """Read the library into chunks, and embed them where an embedder is configured."""
    chunks = await read_chunks(library, scope)
    vectors: list[Vector] = []
    if finders.embedder:
        for start in range(0, len(chunks), _EMBEDDED_AT_ONCE):
            some = chunks[start : start + _EMBEDDED_AT_ONCE]
            vectors += await finders.embedder.embed([chunk.text for chunk in some])
    by_words = Bm25([chunk.indexed for chunk in chunks])
    return Rag(chat, chunks, by_words, [_unit(vector) for vector in vectors], finders, words)


def _passage(chunk: Chunk) -> Passage:
    section = chunk.pieces[0].section
    return Passage(chunk.document, section.headings, section.path, chunk.text)


def _unit(vector: Vector) -> Vector:
    length = _dot(vector, vector) ** 0.5 or 1.0
    return [value / length for value in vector]


def _dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
