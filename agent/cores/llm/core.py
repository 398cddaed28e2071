"""The core that asks a language model for every decision.

One decision is one call. What comes back is checked as if nobody had promised anything; a reply
that cannot be used is a used round, whose trouble is the next round's note.
"""

from collections.abc import Mapping

from agent.cores.llm.deciding import decision_of, object_in, schema
from agent.cores.llm.showing import show, without_last_window
from agent.domain import Decision
from agent.errors import DecisionError
from agent.ports import ChatModel, ChatPrompt, ChatReply, RoundView, TextSize
from config.settings import LoopSettings

_REPLY_TOKENS = 1_200
"""Room for six quotes and a full answer."""
_WIDE = 2
"""A summary or a long list gets so many times the room of an answer."""


class LlmCore:
    """Decides by asking a model."""

    extractive = False

    def __init__(self, chat: ChatModel, bounds: LoopSettings) -> None:
        self._chat = chat
        self._bounds = bounds
        self._newest: tuple[RoundView, ChatPrompt] | None = None

    @property
    def text_size(self) -> TextSize:
        """What fits into one call beside rules and outlines."""
        windows = self._bounds.round_one_windows
        return TextSize(windows, self._bounds.round_one_chars, spare=windows)

    def cost_tokens(self, view: RoundView) -> int:
        """Tokens of the call, a whole reply included, estimated."""
        return self._chat.cost_tokens(self._prompt(view))

    async def decide(self, view: RoundView) -> Decision:
        """One decision, checked.

        Raises:
            DecisionError: the reply cannot be used.
            ServiceUnreachable: the model did not answer.
        """
        reply = await self._chat.complete(self._prompt(view))
        try:
            return decision_of(_object(reply), _headings(view), reply.usage)
        except DecisionError as error:
            error.usage = reply.usage
            raise

    def _prompt(self, view: RoundView) -> ChatPrompt:
        """The prompt, made once for a view: it is weighed first and sent then."""
        if self._newest is None or self._newest[0] is not view:
            self._newest = view, self._made(view)
        return self._newest[1]

    def _made(self, view: RoundView) -> ChatPrompt:
        """A prompt with as much text as one call may send."""
        asked = _asked(view)
        limit = self._bounds.call_tokens * (_WIDE if _is_wide(view) else 1)
        while self._chat.cost_tokens(asked) - asked.reply_tokens > limit:
            shorter = without_last_window(view)
            if shorter is None:
                break
            view, asked = shorter, _asked(shorter)
        return asked


def _asked(view: RoundView) -> ChatPrompt:
    shown, wide = show(view), _is_wide(view)
    return ChatPrompt(
        shown.system,
        shown.user,
        schema=schema(forced=view.forced, wide=wide),
        name="decision",
        reply_tokens=_REPLY_TOKENS * (_WIDE if wide else 1),
    )


def _is_wide(view: RoundView) -> bool:
    return view.task is not None and view.task.wide


def _object(reply: ChatReply) -> dict[str, object]:
    if reply.refused:
        raise DecisionError("You declined to reply.", hint="Decide from TEXT, or not_covered.")
    try:
        return object_in(reply.text)
    except DecisionError:
        if reply.cut:
            raise DecisionError(
                "The reply was cut before its end.", hint="Shorter: fewer and shorter quotes."
            ) from None
        raise


def _headings(view: RoundView) -> Mapping[str, str]:
    return {
        f"{shown.short_id}.{number}": section.headings[-1] if section.headings else ""
        for shown in view.documents
        for number, section in enumerate(shown.entry.outline, start=1)
    }
