"""What the pages know of the library as a whole; worked out again only when it has changed."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

from agent.ports import Library
from bots.examples import example_questions
from bots.phrases import languages
from bots.web.deps import PrivateDeps
from bots.web.pages.answer_html import SharedDates

T = TypeVar("T")


class LibraryFacts:
    """Example questions, and dates that tell nothing."""

    def __init__(self, deps: PrivateDeps) -> None:
        library = deps.library
        self._examples = {
            language: _Kept(library, partial(example_questions, library, language))
            for language in languages()
        }
        self._shared_dates = _Kept(library, deps.shared_dates)

    async def examples(self, language: str) -> list[str]:
        """A few questions whose section a search finds first, in this language where there are."""
        return await self._examples[language].newest()

    async def shared_dates(self) -> SharedDates:
        """Dates that half a source's files carry, as (source, date)."""
        return await self._shared_dates.newest()


class _Kept(Generic[T]):
    def __init__(self, library: Library, make: Callable[[], Awaitable[T]]) -> None:
        self._library = library
        self._make = make
        self._kept: tuple[datetime | None, T] | None = None

    async def newest(self) -> T:
        changed = await self._library.last_changed()
        if self._kept is None or self._kept[0] != changed:
            self._kept = changed, await self._make()
        return self._kept[1]
