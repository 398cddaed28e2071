"""What the engine asks of the outside world, and nothing more."""

from agent.ports.cores import (
    AgentCore,
    RoundView,
    ShownDocument,
    ShownWindow,
    Task,
    TaskKind,
    TextSize,
)
from agent.ports.finding import Embedder, Reranker, Vector
from agent.ports.library import Library, Progress
from agent.ports.models import ChatModel, ChatPrompt, ChatReply, NoSmallCalls, SmallCalls

__all__ = [
    "AgentCore",
    "ChatModel",
    "ChatPrompt",
    "ChatReply",
    "Embedder",
    "Library",
    "NoSmallCalls",
    "Progress",
    "Reranker",
    "RoundView",
    "ShownDocument",
    "ShownWindow",
    "SmallCalls",
    "Task",
    "TaskKind",
    "TextSize",
    "Vector",
]
