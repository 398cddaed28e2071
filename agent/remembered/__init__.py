"""Work that need not be done twice: answers whose grounds are unchanged."""

from agent.remembered.answers import Grounds, RememberedAnswers, remembered_answers

__all__ = ["Grounds", "RememberedAnswers", "remembered_answers"]
