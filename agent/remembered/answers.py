"""Answers that a model wrote, served again only while all they rest on is unchanged.

An answer is found by what decides it (question, scope, model, prompts, language, glossary, and the
day where the question speaks of one) and served only if the search for its question, made again in
the same scope, gives the same sections with the same content, and every cited section still has
the text it was quoted from. Whatever is deleted, hidden, revoked or superseded changes that list.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.answers import from_stored, to_stored
from agent.domain import Answer, Facts, Outcome, Question, StopReason, Usage
from agent.errors import LibraryError
from agent.library.tables import documents
from agent.ports import Library
from agent.store import Store, metadata
from agent.store.types import UtcDateTime
from config.settings import PrivacySettings

remembered_answers = sa.Table(
    "remembered_answers",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("at", UtcDateTime, nullable=False, index=True),
    sa.Column("trace_id", sa.Text, nullable=False, index=True),
    sa.Column("rests_on", sa.JSON, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
)

_WINDOWS = 8
_SPEAKS_OF_A_DAY = re.compile(
    r"\b(?:today|tomorrow|yesterday|now|currently|tonight|(?:this|next|last|current) "
    r"(?:week|month|quarter|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
    r"ago|since|until|still|already|yet|latest|newest|upcoming|recent(?:ly)?|how old)"
    r"\b|今天|明天|昨天|现在|目前|本周|这周|下周|上周|本月|这个月|下个?月|上个?月|今年|明年|去年|最近|最新|还有多久",
    re.IGNORECASE,
)
_NO_FACTS = Facts()

Grounds = list[list[str]]
"""Document, section path and content hash of what a search found, best first."""


@dataclass(frozen=True, slots=True)
class RememberedAnswers:
    """Keeps answers and serves them again.

    Attributes:
        made_by: model, prompts and glossary, in one word that changes with any of them.
    """

    store: Store
    library: Library
    made_by: str
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def recall(self, question: Question, understood: str, language: str) -> Answer | None:
        """The answer to this question, if it is known and all it rests on is unchanged."""
        if question.facts != _NO_FACTS:
            return None
        key = self._key(question, understood, language)
        row = await self.store.read(lambda connection: _find(connection, key))
        if row is None:
            return None
        answer = from_stored(row["answer"])
        if row["rests_on"] != await self.grounds(question, understood):
            return None
        if not await self._still_stands(question, answer):
            return None
        return replace(
            answer,
            answer_id=uuid4().hex,
            trace_id=uuid4().hex,
            question=question.text,
            rounds=0,
            usage=Usage(),
        )

    async def grounds(self, question: Question, understood: str) -> Grounds:
        """What the search for a question finds now in its scope."""
        found = await self.library.search(understood, question.scope, windows=_WINDOWS)
        places = (
            [window.document.doc_id, window.section.path, window.section.content_hash]
            for window in found.windows
        )
        return [[str(part) for part in place] for place in places]

    def worth_keeping(self, question: Question, answer: Answer) -> bool:
        """Whether it is whole, a model's, undisputed and asked of the real facts."""
        return (
            answer.outcome is Outcome.ANSWERED
            and answer.stop_reason is StopReason.ANSWERED
            and not answer.extractive
            and not answer.notes
            and question.facts == _NO_FACTS
        )

    def keep(
        self,
        connection: Connection,
        question: Question,
        understood: str,
        grounds: Grounds,
        answer: Answer,
    ) -> None:
        """Remember an answer in place of what was remembered for the same question."""
        key = self._key(question, understood, answer.language)
        connection.execute(sa.delete(remembered_answers).where(remembered_answers.c.key == key))
        row = {
            "key": key,
            "at": self.now(),
            "trace_id": answer.trace_id,
            "rests_on": grounds,
            "answer": to_stored(answer),
        }
        connection.execute(sa.insert(remembered_answers), row)

    async def _still_stands(self, question: Question, answer: Answer) -> bool:
        for cited in answer.citations:
            try:
                section = await self.library.read_section(
                    question.scope, cited.doc_id, cited.section_path
                )
            except LibraryError:
                return False
            if section.text[cited.start : cited.end] != cited.quote:
                return False
        return True

    def _key(self, question: Question, understood: str, language: str) -> str:
        asked = " ".join(understood.casefold().split()).rstrip("?？.。!！ ")
        day = question.today.isoformat() if _SPEAKS_OF_A_DAY.search(understood) else ""
        zone = question.timezone if day else ""
        parts = [asked, question.scope.key, self.made_by, language, day, zone]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def forget(connection: Connection, trace_ids: Sequence[str]) -> None:
    """Answers that were voted down, or whose question is forgotten."""
    named = remembered_answers.c.trace_id.in_(trace_ids)
    connection.execute(sa.delete(remembered_answers).where(named))


def forget_old(connection: Connection, privacy: PrivacySettings, now: datetime) -> None:
    """Answers whose texts are kept no longer, and those of documents that are no longer here."""
    before = now - timedelta(days=privacy.texts_days)
    connection.execute(sa.delete(remembered_answers).where(remembered_answers.c.at < before))
    there = set(
        connection.scalars(sa.select(documents.c.doc_id).where(documents.c.hidden.is_(False)))
    )
    rows = connection.execute(sa.select(remembered_answers.c.key, remembered_answers.c.rests_on))
    gone = [row.key for row in rows if not there.issuperset(_doc_ids(row.rests_on))]
    for start in range(0, len(gone), 500):
        some = remembered_answers.c.key.in_(gone[start : start + 500])
        connection.execute(sa.delete(remembered_answers).where(some))


def _doc_ids(rests_on: Grounds) -> Iterable[str]:
    return (place[0] for place in rests_on)


def _find(connection: Connection, key: str) -> dict[str, Any] | None:
    query = sa.select(remembered_answers).where(remembered_answers.c.key == key)
    row = connection.execute(query).mappings().first()
    return dict(row) if row else None
