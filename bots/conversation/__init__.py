"""What becomes of a message, the same on every platform."""

from bots.conversation.intake import Conversation

__all__ = ["Conversation"]
