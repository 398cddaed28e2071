"""Everything that can go wrong, in one tree.

FootnoteError
├── ConfigError          the operator must change a setting            (exit 3)
├── ServiceUnreachable   a service that is needed does not answer      (exit 4)
├── LibraryError
│   ├── DocumentNotFound     no such document in this scope
│   └── SectionNotFound      no such section in the document
├── SourceError          a drive cannot be listed or read
├── ParseError           a file cannot be read as a document
└── DecisionError        a core's decision broke the agreed form
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.domain import Usage


class FootnoteError(Exception):
    """Base class: `problem` says what is wrong, `hint` what to do now."""

    hint: str = ""

    def __init__(self, problem: str, *, hint: str | None = None) -> None:
        self.problem = problem
        self.hint = hint if hint is not None else self.hint
        super().__init__(f"{problem} {self.hint}".rstrip())


class ConfigError(FootnoteError):
    """A setting is missing or cannot be used."""

    hint = "All settings: docs/configuration.md."


class ServiceUnreachable(FootnoteError):  # noqa: N818 - reads better where it is caught
    """A needed service does not answer."""


class LibraryError(FootnoteError):
    """The stored library cannot serve a request."""


class DocumentNotFound(LibraryError):  # noqa: N818 - reads better where it is caught
    """No document of that name or id in this scope."""


class SectionNotFound(LibraryError):  # noqa: N818 - reads better where it is caught
    """A section path is not in the document's outline."""


class SourceError(FootnoteError):
    """A drive cannot be listed or read."""

    hint = "Check the source's path and rights, then run /reindex again."


class ParseError(FootnoteError):
    """A file cannot be read as a document; `reason` is a word of `domain.PARSE_REASONS`."""

    def __init__(self, reason: str, problem: str, *, hint: str | None = None) -> None:
        self.reason = reason
        super().__init__(problem, hint=hint)


class DecisionError(FootnoteError):
    """A decision could not be used; `usage` is what it cost all the same, a `domain.Usage`."""

    usage: "Usage | None" = None
