"""What the stand-in replies to a request, in whatever form it was asked.

The form is known by the schema that came with the request: a decision of the loop, an answer from
numbered passages, a choice from a map, a plan; without one it is text: search words, or nothing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.cores.tokens import estimate_tokens
from agent.evaluation.oracle.gold import GoldBook, Held, enough, gold_sections, gold_words, held
from agent.evaluation.oracle.prompts import ReadPrompt, read_prompt
from agent.evaluation.played import EvidenceSeen
from agent.evaluation.questions import EvalQuestion

_QUERY_CHARS = 120
_MOST_READ = 3
_MOST_QUOTES = 6
_WORDS_ASKED = "words or short terms"
"""Stands in every prompt that asks for search words."""


@dataclass(frozen=True, slots=True)
class OracleReply:
    """A reply and what it would have cost."""

    text: str
    prompt_tokens: int
    completion_tokens: int


class OracleMind:
    """Replies by the gold, and remembers which gold it was shown.

    Args:
        questions: the set.
        own_words: whether it searches with the gold's own words instead of the question.
    """

    def __init__(self, questions: Sequence[EvalQuestion], *, own_words: bool = False) -> None:
        self._book = GoldBook(questions)
        self._own_words = own_words
        self._seen: dict[str, EvidenceSeen] = {}
        self._asked: set[str] = set()

    def seen(self, question: EvalQuestion) -> EvidenceSeen | None:
        """Which gold of a question stood in the prompts so far; None: it was never asked."""
        return self._seen.get(question.id)

    def forget(self, question: EvalQuestion) -> None:
        """Begin anew with a question."""
        self._seen.pop(question.id, None)
        self._asked.discard(question.id)

    def reply(self, request: Mapping[str, Any]) -> OracleReply:
        """The reply to a chat request.

        Args:
            request: as a server gets it: `messages`, and `response_format` or `tools`.
        """
        messages = request.get("messages") or []
        texts = [str(one.get("content") or "") for one in messages]
        form, schema = form_of(request)
        text = self._said(form, texts)
        return OracleReply(text, estimate_tokens(*texts, schema), estimate_tokens(text))

    def _said(self, form: frozenset[str], texts: Sequence[str]) -> str:
        prompt = read_prompt(texts[-1] if texts else "")
        question = self._book.of(prompt.question)
        if "action" in form:
            return self._noted(question, prompt, _json(self._decision(question, prompt)))
        if "covered" in form:
            return self._noted(question, prompt, _json(_from_passages(question, prompt)))
        if "open" in form:
            self._note_listed(question, prompt)
            return _json(_choice(question, prompt))
        if "parts" in form:
            return _json({"parts": []})
        return self._words(question) if _WORDS_ASKED in " ".join(texts) else ""

    def _words(self, question: EvalQuestion | None) -> str:
        if question is None:
            return ""
        words = gold_words(question) if self._own_words else question.question
        return ", ".join(words.split())

    def _noted(self, question: EvalQuestion | None, prompt: ReadPrompt, reply: str) -> str:
        """The reply, once it is written down which gold this prompt held."""
        if question is not None and question.answerable:
            shown = enough(question, held(question, prompt))
            before = self._seen.get(question.id, EvidenceSeen())
            first = shown if question.id not in self._asked else before.first
            listed = question.id not in self._asked and _all_listed(question, prompt)
            self._asked.add(question.id)
            self._seen[question.id] = EvidenceSeen(
                first=first,
                first_or_listed=before.first_or_listed or first or listed,
                ever=shown or before.ever,
            )
        return reply

    def _note_listed(self, question: EvalQuestion | None, prompt: ReadPrompt) -> None:
        """Write down whether the first map that was shown listed the gold."""
        if question is not None and question.answerable and question.id not in self._seen:
            listed = _all_listed(question, prompt)
            self._seen[question.id] = EvidenceSeen(first_or_listed=listed)

    def _decision(self, question: EvalQuestion | None, prompt: ReadPrompt) -> dict[str, Any]:
        if question is None or not question.answerable:
            return self._declined(question, prompt)
        found = held(question, prompt)
        if enough(question, found):
            return _decision("answer", "the gold is in view", quotes=_quotes(found, "section"))
        quotes = _quotes(found, "section")
        missing = "the other passage" if found else "the passage"
        unread = [] if prompt.forced else _unread(question, found, prompt)
        if unread:
            return _decision("read", "it is listed", missing, sections=unread, quotes=quotes)
        query = self._query(question, found)
        if not prompt.forced and query not in prompt.searched:
            return _decision("search", "it is not in view", missing, query=query, quotes=quotes)
        if found:
            return _decision("answer", "half of it", missing, quotes=quotes)
        return _decision("not_covered", "it is nowhere in view", missing)

    def _declined(self, question: EvalQuestion | None, prompt: ReadPrompt) -> dict[str, Any]:
        """Not covered; once told to search first it does, with the question."""
        asked = prompt.question[:_QUERY_CHARS]
        why = "the set has no such question" if question is None else "it cannot be answered"
        if prompt.note and asked and not prompt.searched and not prompt.forced:
            return _decision("search", "as told", "an answer", query=_one_line(asked))
        return _decision("not_covered", why, "an answer")

    def _query(self, question: EvalQuestion, found: Sequence[Held]) -> str:
        words = gold_words(question, found) if self._own_words else question.question
        return _one_line(words)[:_QUERY_CHARS].strip()


def form_of(request: Mapping[str, Any]) -> tuple[frozenset[str], str]:
    """The keys of the object a request asks for, and its schema as text; none for text.

    A schema, a tool's parameters, or a schema in words at the end of the rules.
    """
    wanted = request.get("response_format") or {}
    schema = (wanted.get("json_schema") or {}).get("schema")
    if schema is None:
        for tool in request.get("tools") or ():
            schema = (tool.get("function") or {}).get("parameters")
    if schema is not None:
        return frozenset(schema.get("properties") or ()), json.dumps(schema)
    return frozenset(_in_words(request)), ""


def _in_words(request: Mapping[str, Any]) -> Mapping[str, Any]:
    for message in request.get("messages") or ():
        _, found, written = str(message.get("content") or "").rpartition("Its JSON schema: ")
        if found:
            try:
                schema, _ = json.JSONDecoder().raw_decode(written)
            except ValueError:
                continue
            return dict(schema.get("properties") or {})
    return {}


def _decision(action: str, reason: str, missing: str = "", **more: Any) -> dict[str, Any]:
    whole = {
        "missing": missing,
        "reason": reason,
        "action": action,
        "sections": [],
        "query": "",
        "quotes": [],
        "answer": "",
        "support": "none",
    }
    if action == "answer":
        whole["support"] = "partly" if missing else "stated"
    return whole | more


def _quotes(found: Sequence[Held], key: str) -> list[dict[str, Any]]:
    return [{key: one.id, "text": one.words} for one in found[:_MOST_QUOTES]]


def _unread(question: EvalQuestion, found: Sequence[Held], prompt: ReadPrompt) -> list[str]:
    """Ids of listed gold sections that were not read yet and whose words are not in view."""
    there = {one.evidence.quote for one in found}
    ids = gold_sections(question, prompt)
    wanted = (at for quote, at in ids.items() if quote not in there and at not in prompt.read)
    return list(dict.fromkeys(wanted))[:_MOST_READ]


def _all_listed(question: EvalQuestion, prompt: ReadPrompt) -> bool:
    """Whether what is not in view is at least listed; for `any` one of it."""
    there = {one.evidence.quote for one in held(question, prompt)}
    listed = there | gold_sections(question, prompt).keys()
    quotes = [one.quote for one in question.gold_evidence]
    fits = all if question.gold_mode == "all" else any
    return bool(quotes) and fits(quote in listed for quote in quotes)


def _from_passages(question: EvalQuestion | None, prompt: ReadPrompt) -> dict[str, Any]:
    """The reply of one that is shown numbered passages once."""
    found = held(question, prompt) if question and question.answerable else []
    said = " ".join(f"{one.words} [{one.id}]" for one in found)
    return {
        "quotes": [{"passage": int(one.id), "text": one.words} for one in found],
        "answer": said,
        "covered": bool(found),
    }


def _choice(question: EvalQuestion | None, prompt: ReadPrompt) -> dict[str, Any]:
    """The reply of one that chooses from a map: the gold section where it is listed."""
    unread = _unread(question, held(question, prompt), prompt) if question else []
    answerable = question is not None and question.answerable
    return {
        "reason": "it is listed" if unread else "it is not",
        "open": unread if answerable else [],
    }


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
