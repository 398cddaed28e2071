"""Where documents come from: the drives, how they are read, who may read what."""

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import NoDecode

from config.settings.words import Audience, Group, Words, split_commas

_OcrLanguage = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_/]{0,40}$")]
_MOST_WORKERS = 32


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class SyncSettings(Group):
    """How sources are kept in step."""

    interval_s: float = Field(900.0, ge=10)
    """Seconds between runs of a source."""
    batch_documents: int = Field(50, ge=1, le=1_000)
    """Documents committed together."""
    workers: int = Field(0, ge=0, le=_MOST_WORKERS)
    """Parser processes side by side; 0: one for each core."""
    nice: int = Field(10, ge=0, le=19)
    """How far parser processes stand back for answers, 0 (not at all) to 19."""
    file_bytes: int = Field(100_000_000, ge=1_000)
    """Largest file read, in bytes."""
    parse_s: float = Field(60.0, gt=0, le=3_600)
    """Seconds one file may take to parse."""
    parse_bytes: int = Field(1 << 30, ge=1 << 28)
    """Memory one parser process may use, in bytes."""

    @property
    def processes(self) -> int:
        """Parser processes side by side, at least one."""
        return self.workers or min(_cores(), _MOST_WORKERS)


class OcrSettings(Group):
    """Text recognition for scanned pages of PDFs, off by default; it needs tesseract."""

    enabled: bool = False
    """Whether pages without a text layer are recognised; their footnotes say so."""
    command: str = Field("tesseract", min_length=1)
    """The program, by name or path."""
    languages: Annotated[tuple[_OcrLanguage, ...], NoDecode, BeforeValidator(split_commas)] = (
        "eng",
    )
    """Its language packs, the likeliest first: `eng`, `chi_sim`, `deu`; each must be installed."""
    dpi: int = Field(300, ge=72, le=600)
    """Dots per inch at which pages are looked at."""
    max_pages: int = Field(50, ge=1, le=2_000)
    """Pages recognised of one document; what is beyond stays unread and is named."""
    page_s: float = Field(30.0, gt=0, le=600)
    """Seconds one page may take."""
    confidence: int = Field(50, ge=0, le=100)
    """Words that the program is less sure of, 0 to 100, are left out."""


class PathRule(Group):
    """Narrows who may read a part of a source."""

    path: str
    """Glob over paths inside the source, `/hr/**`."""
    audience: Audience
    """Audience words or `group:<name>`; readers must belong to this as well."""


class SourceSettings(Group):
    """One configured drive."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,40}$")
    """The word used in `/reindex handbook`: small letters, digits, `-`, `_`."""
    kind: Literal["folder"] = "folder"
    """What kind of drive it is."""
    path: Path
    """The folder; relative paths count from the working directory."""
    audience: Audience = ()
    """Who may get answers from it; empty means nobody."""
    contact: str = ""
    """Channel, group or address that knows more."""
    trust: Literal["own", "external"] = "own"
    """`external` where outsiders write; footnotes say so."""
    egress: Literal["any", "none"] = "any"
    """`none` keeps its text from every outside model."""
    include: Words = ()
    """Globs of files to read, `**/*.md`; empty means all."""
    exclude: Words = ()
    """Globs of files to leave out."""
    link: str = ""
    """Template of a document's address, `https://drive.example/{path}`; empty means our viewer."""
    acl: Literal["none"] = "none"
    """Whether permissions are mirrored from the drive; a folder has none."""
    rules: tuple[PathRule, ...] = ()
    """Path rules, each narrowing the audience."""


class GroupSettings(Group):
    """A named set of people for path rules."""

    members: Audience = ()
    """Audience words: `slack-group:S…`, `mail:…`."""


def default_sources() -> tuple[SourceSettings, ...]:
    """The sample library, as long as no source is set."""
    return (
        SourceSettings(
            name="handbook",
            path=Path("examples/library"),
            audience=("workspace",),
            contact="#people-help",
        ),
    )
