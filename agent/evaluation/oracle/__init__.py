"""A stand-in for a language model whose whole competence is the gold of a question set.

It answers with the gold quote exactly when that quote is in the prompt, reads the gold section when
its id is listed, else searches, and declines what cannot be answered. With it, calls, tokens and
whether the evidence reached the prompt are measured without a model.
"""

from agent.evaluation.oracle.mind import OracleMind, OracleReply

__all__ = ["OracleMind", "OracleReply"]
