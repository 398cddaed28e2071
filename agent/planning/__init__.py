"""Questions of several parts: whether to split, and into what."""

from agent.planning.gate import by_clauses, is_comparison, needs_plan, plan

__all__ = ["by_clauses", "is_comparison", "needs_plan", "plan"]
