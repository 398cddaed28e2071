"""What a thread remembers, and how a follow-up is completed from it."""

from agent.memory.turns import ThreadMemory, Turn, turns

__all__ = ["ThreadMemory", "Turn", "turns"]
