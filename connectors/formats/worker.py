"""What runs inside a parser process: set the limits, look what the file is, read it.

Whatever a file does to its parser ends here as a result with a reason; only a killed process
is left for the parent to explain.
"""

import logging
import os
import resource
import sys
import traceback
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.domain import ParsedDocument
from agent.errors import ParseError
from connectors.formats.detect import detect
from connectors.formats.outcome import finished, not_readable
from connectors.formats.properties import with_record
from connectors.formats.reading import read

if TYPE_CHECKING:
    from connectors.formats.pdf.page import Page

_FRAMES = 3_000


def set_limits(memory_bytes: int, nice: int) -> None:
    """Called once in each new process: memory, rank, recursion, and silence of the libraries.

    Args:
        memory_bytes: address space the process may use, and each program it starts.
        nice: how far it stands back for the processes that answer.
    """
    os.nice(nice)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(_FRAMES)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A result, and the traceback of a parser that failed on the file; mostly empty."""

    document: ParsedDocument
    trouble: str = ""


def parse_file(
    path: str, name: str, file_bytes: int, recognised: "Mapping[int, Page] | None" = None
) -> Parsed:
    """Read one file; a bad one gives a result that says why.

    Args:
        path: the file itself, a local copy.
        name: its path inside the source.
        file_bytes: largest file that is read.
        recognised: pages of a PDF that were read from their pictures.
    """
    kind = ""
    try:
        data = _content(Path(path), file_bytes)
        kind = detect(data, name)
        document = finished(read(kind, data, name, recognised), name)
        return Parsed(with_record(document, kind, data))
    except ParseError as error:
        reason, problem, trouble = error.reason, error.problem, ""
    except MemoryError:
        reason, problem, trouble = "too_large", "reading it takes more memory than allowed", ""
    except RecursionError:
        reason, problem, trouble = "damaged", "its parts are nested too deeply", ""
    except OSError as error:
        reason, problem, trouble = "damaged", f"it cannot be read ({error.strerror})", ""
    except Exception as error:  # noqa: BLE001 - the wall around hostile files: none stops a run
        reason, problem = "damaged", f"its parser failed ({type(error).__name__})"
        trouble = traceback.format_exc(limit=-5)
    return Parsed(not_readable(reason, problem, name=name, kind=kind), trouble)


def _content(path: Path, file_bytes: int) -> bytes:
    size = path.stat().st_size
    if size > file_bytes:
        raise ParseError("too_large", f"{size:,} bytes; at most {file_bytes:,} are read")
    return path.read_bytes()
