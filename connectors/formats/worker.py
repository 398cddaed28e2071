"""What runs inside a parser process: set the limits, look what the file is, read it.

Whatever a file does to its parser ends here as a result with a reason; only a killed process
is left for the parent to explain. Each format is imported when the first file of its kind comes.
"""

import importlib
import logging
import resource
import sys
import warnings
from pathlib import Path

from agent.domain import ParsedDocument
from agent.errors import ParseError
from connectors.formats.detect import Kind, detect
from connectors.formats.outcome import finished, not_readable

logger = logging.getLogger(__name__)

_MODULES = {
    Kind.MARKDOWN: "connectors.formats.markdown",
    Kind.HTML: "connectors.formats.html",
    Kind.TEXT: "connectors.formats.text",
}
_FRAMES = 3_000


def set_limits(memory_bytes: int) -> None:
    """Called once in each new process: memory, recursion, and silence of the libraries.

    Args:
        memory_bytes: address space the process may use.
    """
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(_FRAMES)
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)


def parse_file(path: str, name: str, file_bytes: int) -> ParsedDocument:
    """Read one file; a bad one gives a result that says why.

    Args:
        path: the file itself, a local copy.
        name: its path inside the source.
        file_bytes: largest file that is read.
    """
    try:
        return finished(_parse(Path(path), name, file_bytes), name)
    except ParseError as error:
        return not_readable(error.reason, error.problem, name=name)
    except MemoryError:
        return not_readable("too_large", "reading it takes more memory than allowed", name=name)
    except RecursionError:
        return not_readable("damaged", "its parts are nested too deeply", name=name)
    except OSError as error:
        return not_readable("damaged", f"it cannot be read ({error.strerror})", name=name)
    except Exception as error:  # noqa: BLE001 - the wall around hostile files: one never stops a run
        return not_readable("damaged", f"its parser failed ({type(error).__name__})", name=name)


def _parse(path: Path, name: str, file_bytes: int) -> ParsedDocument:
    size = path.stat().st_size
    if size > file_bytes:
        raise ParseError("too_large", f"{size:,} bytes; at most {file_bytes:,} are read")
    kind = detect(path, name)
    module = importlib.import_module(_MODULES[kind])
    document: ParsedDocument = module.parse(path.read_bytes(), name)
    return document
