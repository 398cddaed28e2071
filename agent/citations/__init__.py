"""Checked quotes: found, widened, placed, and every sentence held against them."""

from agent.citations.checking import Checked, check, quotes_only, renumber, verify

__all__ = ["Checked", "check", "quotes_only", "renumber", "verify"]
