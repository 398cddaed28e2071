"""One report of all that was measured: for programs, for a page in a repository, for a browser."""

from agent.evaluation.report.markdown import as_markdown
from agent.evaluation.report.page import as_page
from agent.evaluation.report.tables import AnyResult, Report

__all__ = ["AnyResult", "Report", "as_markdown", "as_page"]
