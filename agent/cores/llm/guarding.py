"""A model within bounds: left alone while it fails, and silent once the day's tokens are used."""

from agent.cores.llm.breaker import Breaker
from agent.cores.llm.spending import DailyBudget
from agent.errors import ServiceUnreachable
from agent.ports import ChatModel, ChatPrompt, ChatReply


def _left_alone() -> ServiceUnreachable:
    return ServiceUnreachable(
        "The language model failed several times; it is tried again within a minute.",
        hint="See `footnote doctor model`.",
    )


def _used_up() -> ServiceUnreachable:
    return ServiceUnreachable(
        "The day's tokens for the language model are used up.",
        hint="Raise model.daily_tokens (FOOTNOTE_MODEL__DAILY_TOKENS), or wait until tomorrow.",
    )


class GuardedChat:
    """A `ChatModel` behind a breaker and a daily budget."""

    def __init__(self, chat: ChatModel, breaker: Breaker, budget: DailyBudget) -> None:
        self._chat = chat
        self._breaker = breaker
        self._budget = budget

    @property
    def name(self) -> str:
        """The model of full calls."""
        return self._chat.name

    def cost_tokens(self, prompt: ChatPrompt) -> int:
        """Tokens that a call will cost, reply included, estimated."""
        return self._chat.cost_tokens(prompt)

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        """One reply.

        Raises:
            ServiceUnreachable: the model does not answer, is left alone, or the day is used up.
            DecisionError: the server refuses this very prompt.
        """
        if not await self._budget.left():
            raise _used_up()
        if not self._breaker.allows():
            raise _left_alone()
        try:
            reply = await self._chat.complete(prompt)
        except ServiceUnreachable:
            self._breaker.failed()
            raise
        self._breaker.succeeded()
        await self._budget.spend(reply.usage.prompt_tokens + reply.usage.completion_tokens)
        return reply
