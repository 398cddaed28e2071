"""The baselines: plain RAG and a plain loop over the same library and the same model."""

import json
from collections.abc import Sequence

from agent.domain import WORKSPACE, Answer, Outcome, Question
from agent.evaluation.baselines.bm25 import Bm25, fused
from agent.evaluation.baselines.chunks import CHUNK_CHARS, pack, read_chunks
from agent.evaluation.baselines.plain_loop import build_plain_loop
from agent.evaluation.baselines.rag import Finders, build_rag
from agent.evaluation.oracle import OracleMind
from tests.engine_fakes import MemoryLibrary, document, section
from tests.evaluation_fakes import LEAVE, WORKSPACE_LIBRARY, MindChat, SaidChat, leave

LONG = "\n".join(f"Sentence number {number} says a little more." for number in range(120))


def question(text: str = leave.question) -> Question:
    return Question(text, WORKSPACE)


def cited(answer: Answer) -> list[tuple[str, str]]:
    return [(citation.doc, citation.quote) for citation in answer.citations]


async def test_rag_answers_in_one_call_from_numbered_passages() -> None:
    chat = MindChat(OracleMind([leave]))
    rag = await build_rag(chat, WORKSPACE_LIBRARY, WORKSPACE, Finders(), words=False)
    answer = await rag.answer(question())
    assert (answer.outcome, cited(answer)) == (Outcome.ANSWERED, [("leave.md", LEAVE)])
    assert (answer.usage.full_calls, answer.usage.small_calls) == (1, 0)
    assert answer.text == f"{LEAVE} [1]"
    assert "PASSAGES" in chat.prompts[0].user


async def test_rag_with_words_asks_for_them_first() -> None:
    chat = MindChat(OracleMind([leave], own_words=True))
    rag = await build_rag(chat, WORKSPACE_LIBRARY, WORKSPACE, Finders(), words=True)
    answer = await rag.answer(question())
    assert (answer.usage.full_calls, answer.usage.small_calls) == (1, 1)
    assert [prompt.small for prompt in chat.prompts] == [True, False]


async def test_rag_declines_where_the_passages_do_not_state_it() -> None:
    rag = await build_rag(
        MindChat(OracleMind([])), WORKSPACE_LIBRARY, WORKSPACE, Finders(), words=False
    )
    answer = await rag.answer(question())
    assert (answer.outcome, answer.text, answer.citations) == (Outcome.NOT_COVERED, "", ())


async def test_a_reply_that_cannot_be_used_is_no_answer() -> None:
    rag = await build_rag(SaidChat("{"), WORKSPACE_LIBRARY, WORKSPACE, Finders(), words=False)
    assert (await rag.answer(question())).outcome is Outcome.UNAVAILABLE


async def test_a_passage_that_was_not_shown_is_not_cited() -> None:
    quotes = [{"passage": 9, "text": LEAVE}, {"passage": 1, "text": "made up"}]
    said = json.dumps({"quotes": quotes, "answer": "x [1]", "covered": True})
    rag = await build_rag(SaidChat(said), WORKSPACE_LIBRARY, WORKSPACE, Finders(), words=False)
    assert cited(await rag.answer(question())) == [("leave.md", "made up")]


class FirstLetters:
    """Embeds a text as how often each letter stands in it."""

    name = "letters"
    outside = False

    async def embed(self, texts: Sequence[str], *, asked: bool = False) -> Sequence[list[float]]:
        del asked
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [[float(text.lower().count(each)) for each in letters] for text in texts]

    async def close(self) -> None:
        """It holds nothing."""


class ShortestFirst:
    """Puts the shortest text first."""

    name = "shortest"
    outside = False

    async def rank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        del question
        return [-float(len(text)) for text in texts]

    async def close(self) -> None:
        """It holds nothing."""


async def test_vectors_find_what_shares_no_word() -> None:
    chat = MindChat(OracleMind([]))
    plain = await build_rag(chat, WORKSPACE_LIBRARY, WORKSPACE, Finders(), words=False)
    meant = await build_rag(
        chat, WORKSPACE_LIBRARY, WORKSPACE, Finders(FirstLetters()), words=False
    )
    assert await plain.find("zzz") == []
    assert len(await meant.find("zzz")) == len(meant.chunks)


async def test_a_reranker_has_the_last_word() -> None:
    chat = MindChat(OracleMind([]))
    finders = Finders(FirstLetters(), ShortestFirst())
    rag = await build_rag(chat, WORKSPACE_LIBRARY, WORKSPACE, finders, words=False)
    sizes = [len(chunk.text) for chunk in await rag.find(leave.question)]
    assert sizes == sorted(sizes)


async def test_small_sections_are_packed_and_long_ones_cut_at_sentences() -> None:
    small = [section("a", f"s{number}", "A short one.") for number in range(5)]
    (packed,) = pack(document("a"), small)
    assert len(packed.pieces) == 5
    cut = list(pack(document("a"), [section("a", "long", LONG)]))
    assert len(cut) > 2
    assert all(len(chunk.text) <= CHUNK_CHARS + 100 for chunk in cut)
    assert all(chunk.text.rstrip().endswith(".") for chunk in cut)
    pieces = [piece for chunk in cut for piece in chunk.pieces]
    assert " ".join(LONG[piece.start : piece.end] for piece in pieces).split() == LONG.split()


async def test_sections_below_others_and_bare_headings_are_read_once() -> None:
    library = MemoryLibrary({"a": {"top": "", "top/below": "Text below."}})
    chunks = await read_chunks(library, WORKSPACE)
    assert [chunk.text for chunk in chunks] == ["Below\nText below."]


async def test_the_plain_loop_opens_a_section_and_answers_in_two_calls() -> None:
    chat = MindChat(OracleMind([leave]))
    loop = await build_plain_loop(chat, WORKSPACE_LIBRARY, WORKSPACE)
    answer = await loop.answer(question())
    assert (answer.outcome, cited(answer)) == (Outcome.ANSWERED, [("leave.md", LEAVE)])
    assert (answer.usage.full_calls, answer.rounds) == (2, 1)
    assert "MAP" in chat.prompts[0].user
    assert LEAVE not in chat.prompts[0].user


async def test_the_plain_loop_declines_when_there_is_nothing_to_open() -> None:
    loop = await build_plain_loop(MindChat(OracleMind([])), WORKSPACE_LIBRARY, WORKSPACE)
    answer = await loop.answer(question())
    assert (answer.outcome, answer.usage.full_calls) == (Outcome.NOT_COVERED, 1)


async def test_the_plain_loop_goes_on_with_other_sections_and_ends() -> None:
    nothing = json.dumps({"quotes": [], "answer": "", "covered": False})
    chat = SaidChat(
        json.dumps({"open": ["D1.1", "D9.9"]}),
        nothing,
        json.dumps({"open": ["D1.1", "D1.2"]}),
        nothing,
        json.dumps({"open": ["D1.1"]}),
    )
    loop = await build_plain_loop(chat, WORKSPACE_LIBRARY, WORKSPACE)
    answer = await loop.answer(question())
    assert (answer.outcome, answer.rounds) == (Outcome.NOT_COVERED, 3)
    assert "read D1.1, D1.2" in chat.prompts[-1].user


def test_bm25_prefers_the_rare_word_in_english_and_chinese() -> None:
    index = Bm25(
        ["the parental leave page", "leave and leave", "年假每年有二十八天", "工资每月发放"]
    )
    assert index.best("parental leave", 2) == [0, 1]
    assert index.best("年假有多少天", 1) == [2]
    assert index.best("zebra", 3) == []


def test_rankings_are_fused_by_rank() -> None:
    assert fused(["a", "b"], ["b", "c"])[0] == "b"
    assert fused([], ["a"]) == ["a"]
