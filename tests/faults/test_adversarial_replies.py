"""A thousand replies that try to mislead, through the whole loop: nothing unverified gets out.

The replies are made by chance from a fixed seed: true quotes, altered ones, foreign numbers, wrong
ids, claims without a footnote, links, in every mixture. What must hold does not depend on which.
"""

import json
import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from agent.assembling import Work, assemble
from agent.cores.llm.core import LlmCore
from agent.cores.llm.small import ModelSmallCalls
from agent.domain import WORKSPACE, Answer, Outcome, Question, Usage
from agent.leaves.lookup import LookUp, Thinking
from agent.leaves.watching import Watch
from agent.memory.followups import Understood
from agent.ports import ChatPrompt, ChatReply
from agent.stopping import Budget
from agent.text.values import foreign
from config.settings import LoopSettings
from tests.engine_fakes import MemoryLibrary, RememberedProgress

TEXTS = {
    "leave": {
        "parental": "Parents receive 14 weeks of leave at full pay.\nIt starts with the birth.",
        "sick": "A certificate is needed from the fourth day.\nSend it to people@example.org.",
    },
    "travel": {
        "hotels": "A hotel night may cost 160 euros.\nIn Zurich it may cost 210 euros.",
        "trains": "- Book second class.\n- First class is allowed above 4 hours.",
    },
}
QUESTIONS = (
    "How long is parental leave?",
    "What may a hotel night cost?",
    "From which day is a certificate needed?",
    "May I book first class?",
    "Who feeds the office dog?",
)
WHOLE = {
    (doc, section): text for doc, sections in TEXTS.items() for section, text in sections.items()
}
LINES = [line for text in WHOLE.values() for line in text.split("\n")]
LIES = (
    "Everybody gets 99 weeks.",
    "See https://evil.example/pay for the form.",
    "It is 14 months at half pay.",
    "The limit was raised to 500 euros in March 2027.",
    "Ask Bob Miller, he knows.",
    "无论何时都可以休99天。",
)
REPLIES = 1_000


class Chance:
    """A model that makes its replies by chance."""

    name = "chance"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def cost_tokens(self, prompt: ChatPrompt) -> int:
        return len(prompt.user) // 4

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        usage = Usage(full_calls=1, prompt_tokens=100, completion_tokens=20)
        if prompt.schema is None:
            return ChatReply(self._pick(LIES), usage)
        return ChatReply(self._damaged(json.dumps(self._decision(prompt.user))), usage)

    def _decision(self, prompt: str) -> dict[str, object]:
        if self._random.random() < 0.3:
            return self._nearly_right(prompt)
        ids = [*dict.fromkeys(re.findall(r"\bD\d+\.\d+\b", prompt)), "D9.9", ""]
        quotes = [
            {"section": self._pick(ids), "text": self._quote()}
            for _ in range(self._random.randrange(4))
        ]
        return {
            "missing": self._pick(("", "", "part 2", "99 weeks")),
            "reason": self._pick(LIES),
            "action": self._pick(("answer", "answer", "answer", "read", "search", "not_covered")),
            "sections": self._random.sample(ids, k=min(2, len(ids))),
            "query": self._pick(("", "leave", "hotel cost")),
            "quotes": quotes,
            "answer": self._answer(len(quotes)),
            "support": self._pick(("stated", "follows", "partly", "none")),
        }

    def _nearly_right(self, prompt: str) -> dict[str, object]:
        """A true quote from where it stands, with an answer that may say more than it."""
        shown = re.findall(r"<<<(D\d+\.\d+) [^\n]*>>>\n([^\n]+)", prompt)
        section, line = self._random.choice(shown or [("D9.9", "nothing")])
        more = self._pick(("", "", f" {self._pick(LIES)} [1]", f" {self._pick(LIES)}"))
        return {
            "action": "answer",
            "quotes": [{"section": section, "text": line}],
            "answer": f"{line} [1]{more}",
            "support": "stated",
        }

    def _quote(self) -> str:
        line = self._pick(LINES)
        return self._pick(
            (line, line, line[: len(line) // 2], line.replace("1", "9"), line.upper(), *LIES)
        )

    def _answer(self, quotes: int) -> str:
        sentences = [self._pick((*LINES, *LIES)) for _ in range(self._random.randrange(1, 4))]
        markers = ("", " [1]", " [2]", f" [{max(1, quotes)}]", " [7]", " [1][2]")
        return self._pick((" ", "\n")).join(f"{each}{self._pick(markers)}" for each in sentences)

    def _damaged(self, text: str) -> str:
        return self._pick((text,) * 9 + (text[:-9], f"```json\n{text}\n```", f"Sure! {text}"))

    def _pick(self, among: "tuple[str, ...] | list[str]") -> str:
        return self._random.choice(among)


async def asked(seed: int) -> Answer:
    chat, text = Chance(seed), QUESTIONS[seed % len(QUESTIONS)]
    question, library, bounds = Question(text, WORKSPACE), MemoryLibrary(TEXTS), LoopSettings()
    thinking = Thinking(LlmCore(chat, bounds), ModelSmallCalls(chat))
    budget = Budget(bounds.question_tokens, 45.0, lambda: 0.0)
    async with Watch(RememberedProgress()) as watch:
        looking = LookUp(question, library, thinking, bounds, budget, watch)
        findings = await looking.run(text, "", in_thread=False)
    return assemble(Work(question, Understood(text), findings, {}, (), "en"), "a1", "t1")


def seeds() -> Iterator[int]:
    """So many that about a thousand replies are made; each question takes several."""
    return islice(iter(range(REPLIES)), REPLIES // 3)


@pytest.mark.parametrize("block", range(8))
async def test_nothing_that_is_not_quoted_gets_out(block: int) -> None:
    ended: set[Outcome] = set()
    for seed in (seed for seed in seeds() if seed % 8 == block):
        answer = await asked(seed)
        ended.add(answer.outcome)
        for one in answer.citations:
            assert one.quote in WHOLE[one.doc_id, one.section_path], (seed, one.quote)
        sources = [one.quote for one in answer.citations] + [answer.question]
        said = answer.text if answer.citations else ""
        assert not foreign(said, [*sources, *_places(answer)]), (seed, said)
        assert "evil.example" not in answer.text, seed
        assert "Bob Miller" not in answer.text, seed
        if answer.outcome in (Outcome.ANSWERED, Outcome.PARTIAL):
            assert answer.citations, seed
            assert "[1]" in answer.text, seed
    assert {Outcome.ANSWERED, Outcome.NOT_COVERED} <= ended


def _places(answer: Answer) -> list[str]:
    """Headings and names may be told as places."""
    return [" ".join((one.title, *one.section)) for one in answer.citations]
