"""`footnote doctor`: what stands, what does not, and what to do about it."""

from bots.doctor.checks import Check, State
from bots.doctor.examining import PARTS, examine

__all__ = ["PARTS", "Check", "State", "examine"]
