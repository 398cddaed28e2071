"""Scripted conversations with checkable expectations: was every turn answered as it should be?"""

from agent.evaluation.moments.cases import Case, case_of, gold_of, library_of
from agent.evaluation.moments.checking import TurnResult, check_case
from agent.evaluation.moments.results import MomentsResult, moments_result

__all__ = [
    "Case",
    "MomentsResult",
    "TurnResult",
    "case_of",
    "check_case",
    "gold_of",
    "library_of",
    "moments_result",
]
