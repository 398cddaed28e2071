"""What an admin word does and answers.

Who is an admin is the platform's to say; being one is the right to operate, not to read. All that
is reported goes to the admin privately, edited as it runs.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from agent.map.remarks import MapRemark
from bots.admin import reports as texts
from bots.admin.map_check import check_text
from bots.admin.words import Command, Word
from bots.audit import Audit, audit_line
from bots.clock import Clock
from bots.newest import Newest
from bots.phrases import phrase
from bots.ports import AdminDesk, Incoming, Notice
from connectors.reports import Busy, FailedDocument, SourceStatus, SyncProgress, SyncReport

EVERY_S = 2.0
"""The shortest time between two edits of a progress message."""

Keep = Callable[[str], Awaitable[None]]
Told = Callable[[SyncProgress], None]


class Jobs(Protocol):
    """Who runs syncs, as far as the admin words need him."""

    async def run(
        self, names: Sequence[str] | None, on_progress: Told | None = None
    ) -> Sequence[SyncReport | Busy]:
        """Sync these sources, None: all; one that is being synced already is `Busy`."""
        ...

    async def status(self) -> Sequence[SourceStatus]:
        """Every configured source as it stands."""
        ...

    async def failed(self, source: str) -> Sequence[FailedDocument]:
        """The files of a source that could not be taken in."""
        ...

    async def confirm_deletes(self, source: str) -> int:
        """Purge what waits for an admin; how many documents that were."""
        ...

    async def map_check(self, names: Sequence[str] | None = None) -> Sequence[MapRemark]:
        """What the map of these sources will answer badly, None: of all."""
        ...


class Commands:
    """Carries out admin words."""

    def __init__(self, jobs: Jobs, audit: Audit, clock: Clock) -> None:
        self._jobs = jobs
        self._audit = audit
        self._clock = clock

    async def run(
        self, command: Command, incoming: Incoming, desk: AdminDesk, keep: Keep
    ) -> Notice:
        """Do it and say how it ended.

        Args:
            command: what is asked.
            incoming: by whom, and where; its language is set.
            desk: says whether he may, and opens the message that shows the progress.
            keep: is given that message's id; the returned notice belongs in its place.
        """
        if not await desk.is_admin(incoming):
            await self._note(incoming, command, "refused")
            return _private(phrase(incoming.language, "admin.refused"), "refused")
        await self._note(incoming, command, "begun")
        sources = [one.source for one in await self._jobs.status()]
        if (wrong := _refusal(command, sources, incoming.language)) is not None:
            return _private(wrong, "help")
        if command.word is Word.REINDEX:
            text = await self._reindex(command, sources, incoming, (desk, keep))
        else:
            text = await self._told(command, sources, incoming.language)
        return _private(text, command.word.value)

    async def _told(self, command: Command, sources: Sequence[str], language: str) -> str:
        match command.word:
            case Word.STATUS:
                return texts.status_text(await self._jobs.status(), self._clock.now(), language)
            case Word.FAILED:
                return await self._failed(command, sources, language)
            case Word.CONFIRM_DELETES:
                count = await self._jobs.confirm_deletes(command.source)
                return texts.confirmed_text(command.source, count, language)
            case _:
                return texts.help_text(sources, language)

    async def _reindex(
        self,
        command: Command,
        sources: Sequence[str],
        incoming: Incoming,
        shown_by: tuple[AdminDesk, Keep],
    ) -> str:
        desk, keep = shown_by
        names = [command.source] if command.source else list(sources)
        begun = texts.begun_text(names, incoming.language, one=bool(command.source))
        report = await desk.report(incoming, begun)
        await keep(report.message_id)
        pump = Newest[str](report.show, self._clock, every_s=EVERY_S)
        so_far: dict[str, SyncProgress] = {}
        loop = asyncio.get_running_loop()

        def note(progress: SyncProgress) -> None:
            so_far[progress.source] = progress
            pump.note("\n".join([begun, *texts.progress_lines(names, so_far, incoming.language)]))

        def told(progress: SyncProgress) -> None:
            loop.call_soon_threadsafe(note, progress)  # the run may live in a thread of its own

        try:
            results = await self._jobs.run(names if command.source else None, told)
        finally:
            await pump.finish()
        found = await self._jobs.map_check(names)
        said = (
            texts.results_text(results, incoming.language),
            check_text(found, incoming.language),
        )
        return "\n".join(filter(None, said))

    async def _failed(self, command: Command, sources: Sequence[str], language: str) -> str:
        names = [command.source] if command.source else sources
        return texts.failed_text(
            [(name, await self._jobs.failed(name)) for name in names], language
        )

    async def _note(self, incoming: Incoming, command: Command, outcome: str) -> None:
        line = audit_line(
            incoming,
            self._clock.now(),
            action=command.word.value,
            outcome=outcome,
            detail=command.source,
        )
        await self._audit.add(line)


def _refusal(command: Command, sources: Sequence[str], language: str) -> str | None:
    if command.unknown:
        unknown = phrase(language, "admin.unknown", word=command.unknown)
        return f"{unknown}\n{texts.help_text(sources, language)}"
    if command.source and command.source not in sources:
        return "\n".join(
            [
                phrase(
                    language,
                    "admin.no_source",
                    name=command.source,
                    sources=", ".join(sources),
                ),
                texts.help_text(sources, language),
            ]
        )
    if command.word is Word.CONFIRM_DELETES and not command.source:
        return phrase(
            language, "admin.needs_source", word=command.word.value, sources=", ".join(sources)
        )
    if not sources and command.word is not Word.HELP:
        return phrase(language, "admin.no_sources")
    return None


def _private(text: str, about: str) -> Notice:
    return Notice(text, private=True, about=about)
