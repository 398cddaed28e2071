"""What is asked of those who know what words mean: embedders and rerankers."""

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]
"""What a text means, as a point; of one model all have the same length."""


class Embedder(Protocol):
    """Turns texts into vectors: near ones mean much the same."""

    @property
    def name(self) -> str:
        """What made a vector; vectors of different names are never compared."""
        ...

    @property
    def outside(self) -> bool:
        """Whether texts leave the machine."""
        ...

    async def embed(self, texts: Sequence[str], *, asked: bool = False) -> Sequence[Vector]:
        """One vector a text, in the same order.

        Args:
            texts: of a few hundred characters each; what is too long is cut.
            asked: whether they are questions, which some models want marked as such.

        Raises:
            ServiceUnreachable: the model does not answer, its retries included.
        """
        ...

    async def close(self) -> None:
        """Give back connections or memory; the next call opens them again."""
        ...


class Reranker(Protocol):
    """A second opinion on which texts answer a question."""

    @property
    def name(self) -> str:
        """The model, for people."""
        ...

    @property
    def outside(self) -> bool:
        """Whether texts leave the machine."""
        ...

    async def rank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, in the same order, higher is better; comparable within one call only.

        Raises:
            ServiceUnreachable: the model does not answer, its retries included.
        """
        ...

    async def close(self) -> None:
        """Give back connections or memory; the next call opens them again."""
        ...
