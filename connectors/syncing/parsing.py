"""The one parser of all runs and the cache of what it made, started when the first file comes."""

import asyncio
from pathlib import Path

from agent.caching import ContentCache, ParsedCache
from agent.domain import ParsedDocument
from config.settings import Settings
from connectors.syncing.intake import DocumentParser, Intake, ParserVersions


class Parsing:
    """The parser and the cache of parses of all sources."""

    def __init__(self, settings: Settings, parser: DocumentParser | None) -> None:
        """Nothing is started yet; `parser` takes the place of the usual one."""
        self._settings = settings
        self._parser = parser
        self._cache = ParsedCache(ContentCache(settings.data_dir / "cache" / "parsed"))

    def intake(self, name: str) -> Intake:
        """What brings the files of one source in; looks for programs, so call it in a thread."""
        return Intake(
            self,
            self._versions(),
            self._cache,
            self._settings.data_dir / "spool" / name,
            self._settings.sync.file_bytes,
        )

    def _versions(self) -> ParserVersions:
        from connectors.formats.ocr.recogniser import fingerprint
        from connectors.formats.parser import PARSER_VERSION

        recognition = fingerprint(self._settings.ocr)
        return ParserVersions(str(PARSER_VERSION), f"{PARSER_VERSION} ocr {recognition}")

    async def parse(self, path: Path, name: str) -> ParsedDocument:
        """Parse with the one parser, started when the first file needs it."""
        if self._parser is None:
            from connectors.formats.parser import Parser

            cache = self._settings.data_dir / "cache" / "recognised"
            self._parser = Parser(self._settings.sync, self._settings.ocr, cache)
        return await self._parser.parse(path, name)

    async def close(self) -> None:
        """Stop the parser's processes and give back the cache; a later parse starts them again."""
        if self._parser is not None:
            await self._parser.close()
        await asyncio.to_thread(self._cache.close)
