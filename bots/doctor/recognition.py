"""Whether scanned pages can be recognised, where the settings ask for it."""

import asyncio

from bots.doctor.checks import Check, failed, ok
from config.settings import Settings
from connectors.formats.ocr.tesseract import problem_of


async def look(settings: Settings) -> list[Check]:
    """The program and its language packs."""
    ocr = settings.ocr
    if not ocr.enabled:
        return [ok("ocr", "Off: scanned pages stay unread and are named.")]
    problem = await asyncio.to_thread(problem_of, ocr)
    if problem is not None:
        return [failed("ocr", problem.problem, problem.hint)]
    languages = ", ".join(ocr.languages)
    return [ok("ocr", f"{ocr.command} reads up to {ocr.max_pages} pages a document ({languages}).")]
