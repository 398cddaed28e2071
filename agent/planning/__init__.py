"""Questions of several parts: whether to split, and into what."""

from agent.planning.gate import is_comparison, needs_plan, plan

__all__ = ["is_comparison", "needs_plan", "plan"]
