"""Small talk: messages that ask nothing of the documents."""

from agent.talk.kinds import TalkKind
from agent.talk.replies import reply, split_talk

__all__ = ["TalkKind", "reply", "split_talk"]
