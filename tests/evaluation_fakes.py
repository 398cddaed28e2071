"""A small library with its questions, and a chat model made of the stand-in's mind."""

from agent.cores.abilities import Abilities, asked
from agent.domain import Usage
from agent.evaluation.oracle import OracleMind
from agent.evaluation.questions import EvalQuestion, Evidence
from agent.ports import ChatPrompt, ChatReply
from tests.engine_fakes import MemoryLibrary

LEAVE = "Parents receive 14 weeks of parental leave at full pay."
PAY = "Pay is sent on the 25th of every month."
WORKSPACE_LIBRARY = MemoryLibrary(
    {
        "leave": {
            "annual-leave": "Everybody has 28 days of annual leave a year.",
            "parental-leave": LEAVE,
        },
        "pay": {"salaries": PAY},
    }
)

leave = EvalQuestion(
    id="leave",
    question="How long is parental leave?",
    gold_answers=("14 weeks",),
    gold_docs=("leave.md",),
    gold_evidence=(Evidence(doc="leave.md", section=("Leave", "Parental Leave"), quote=LEAVE),),
)
pay_and_leave = EvalQuestion(
    id="both",
    question="How long is parental leave, and when is pay sent?",
    type="cross",
    gold_mode="all",
    gold_docs=("leave.md", "pay.md"),
    gold_evidence=(
        *leave.gold_evidence,
        Evidence(doc="pay.md", section=("Pay", "Salaries"), quote=PAY),
    ),
)


class MindChat:
    """Asks the stand-in without a server."""

    name = "oracle"

    def __init__(self, mind: OracleMind) -> None:
        self.mind = mind
        self.prompts: list[ChatPrompt] = []

    def cost_tokens(self, prompt: ChatPrompt) -> int:
        return len(prompt.user) // 4

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        self.prompts.append(prompt)
        reply = self.mind.reply(asked(prompt, Abilities()))
        usage = Usage(
            full_calls=int(not prompt.small),
            small_calls=int(prompt.small),
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
        )
        return ChatReply(reply.text, usage)


class SaidChat(MindChat):
    """Replies with the given texts in turn, the last one for ever."""

    def __init__(self, *replies: str) -> None:
        super().__init__(OracleMind([]))
        self._replies = list(replies)

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        self.prompts.append(prompt)
        text = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        return ChatReply(text, Usage(full_calls=1))
