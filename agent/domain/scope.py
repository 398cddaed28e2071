"""What those who will see a reply may read."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Scope:
    """What those who will see the reply may read.

    Attributes:
        audiences: audience words they hold (`workspace`, `slack:C012`, `mail:a@b.example`);
            a document is in scope if one of its readers is among them. Empty: nothing.
        sources: names of the sources it is narrowed to; None: all.
    """

    audiences: frozenset[str] = frozenset()
    sources: frozenset[str] | None = None

    @classmethod
    def of(cls, *audiences: str, sources: Iterable[str] | None = None) -> Self:
        """The scope of those who hold these audience words."""
        return cls(frozenset(audiences), None if sources is None else frozenset(sources))

    @property
    def key(self) -> str:
        """Short and stable; part of every cache key."""
        sources = "*" if self.sources is None else ",".join(sorted(self.sources))
        text = f"{','.join(sorted(self.audiences))}|{sources}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


WORKSPACE = Scope.of("workspace")
