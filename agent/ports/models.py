"""What is asked of language models: one reply at its plainest, and the calls beside decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent.domain import Plan, Usage


class SmallCalls(Protocol):
    """What a model is asked beside decisions, in few tokens: other words, parts, a whole question.

    Each answer comes with what it cost. An unusable reply is as good as none; only a model that
    does not answer at all raises ServiceUnreachable.
    """

    async def search_words(self, question: str, languages: Sequence[str]) -> tuple[str, Usage]:
        """Words the documents would use for it; empty where none are known.

        Args:
            question: standalone.
            languages: codes of those the documents are written in, `en`, `zh`.
        """
        ...

    async def plan(self, question: str, leaves: int) -> tuple[Plan | None, Usage]:
        """Its parts, at most `leaves`; None where the rules must do."""
        ...

    async def standalone(self, turns: Sequence[str], message: str) -> tuple[str, Usage]:
        """The message as a question that needs no turns; empty where the rules must do.

        Args:
            turns: what the asker said before, oldest first; never what was answered.
            message: what he says now.
        """
        ...

    async def compose(
        self, question: str, findings: str, quotes: Sequence[str]
    ) -> tuple[str, Usage]:
        """One answer from findings, to be checked against them; empty where they must do.

        Args:
            question: standalone.
            findings: the parts' answers with their `[n]` markers.
            quotes: the first is number 1.
        """
        ...


class NoSmallCalls:
    """Without a model the rules do everything."""

    async def search_words(self, question: str, languages: Sequence[str]) -> tuple[str, Usage]:
        """None."""
        del question, languages
        return "", Usage()

    async def plan(self, question: str, leaves: int) -> tuple[Plan | None, Usage]:
        """None."""
        del question, leaves
        return None, Usage()

    async def standalone(self, turns: Sequence[str], message: str) -> tuple[str, Usage]:
        """None."""
        del turns, message
        return "", Usage()

    async def compose(
        self, question: str, findings: str, quotes: Sequence[str]
    ) -> tuple[str, Usage]:
        """None."""
        del question, findings, quotes
        return "", Usage()


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """One call to a language model.

    Attributes:
        system: what is the same in every call, first, so that a server can keep the prefix.
        user: what is there in this call.
        schema: JSON schema of the object wanted, flat, every key required; None: text is wanted.
        name: of that object, small letters and `_`, for servers that want one.
        small: whether the small model is enough.
        reply_tokens: most tokens of the reply.
    """

    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    name: str = "reply"
    small: bool = False
    reply_tokens: int = 800


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back; believed by nobody before it is checked.

    Attributes:
        text: as the model wrote it; with a schema the JSON text of the object, if all went well.
        usage: one full or small call, its tokens and milliseconds. Where the server counts no
            tokens they are estimated.
        cut: it ended at `reply_tokens`.
        refused: the model or the server's filter declined; `text` may say why.
    """

    text: str
    usage: Usage
    cut: bool = False
    refused: bool = False


class ChatModel(Protocol):
    """A language model at its plainest: a prompt in, a reply out."""

    @property
    def name(self) -> str:
        """The model of full calls, as an answer is remembered by."""
        ...

    def cost_tokens(self, prompt: ChatPrompt) -> int:
        """Tokens that a call will cost, reply included, estimated."""
        ...

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        """One reply, retried inside the call's time limit.

        Raises:
            ServiceUnreachable: the server does not answer, its retries included, or turns us away.
            DecisionError: the server answers but refuses this very prompt.
        """
        ...
