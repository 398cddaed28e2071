"""Which names of a drive are documents: leftovers of programs are not, globs decide the rest.

Nothing here looks at content; a file of an unknown kind is listed and refused by the parser, by
name and with its reason, so that nobody wonders where it went.
"""

import unicodedata
from collections.abc import Iterable

from wcmatch import fnmatch, glob

_LEFTOVERS = (
    ".*", "~$*", "*.tmp", "*.temp", "*.part", "*.partial", "*.crdownload", "*.swp", "*~",
    "thumbs.db", "desktop.ini", "ehthumbs.db", "#recycle", "@eadir", "$recycle.bin",
    "system volume information", "lost+found", "__macosx",
)  # fmt: skip
"""Hidden, temporary and half-written files, and folders a system keeps for itself."""

_IS_LEFTOVER = fnmatch.compile(list(_LEFTOVERS), flags=fnmatch.IGNORECASE | fnmatch.DOTMATCH)
_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.IGNORECASE | glob.BRACE


def is_leftover(name: str) -> bool:
    """Whether a file or folder of this name is left out whatever the settings say."""
    return _IS_LEFTOVER.match(name)


class Selection:
    """The include and exclude globs of one source.

    A glob fits a path, or everything below a folder it fits; one without a slash fits a name at
    any depth. Letter case does not matter.
    """

    def __init__(self, include: Iterable[str] = (), exclude: Iterable[str] = ()) -> None:
        self._include = _compiled(include)
        self._exclude = _compiled(exclude)

    def takes(self, doc: str) -> bool:
        """Whether a file is a document of the source.

        Args:
            doc: path inside the source, NFC, `/`-separated.
        """
        chain = _with_folders(doc)
        if self._exclude and any(self._exclude.match(path) for path in chain):
            return False
        return self._include is None or any(self._include.match(path) for path in chain)

    def enters(self, folder: str) -> bool:
        """Whether anything below a folder can be a document; its parents were asked before."""
        return self._exclude is None or not self._exclude.match(f"/{folder}")


def _compiled(patterns: Iterable[str]) -> glob.WcMatcher[str] | None:
    cleaned = [_cleaned(pattern) for pattern in patterns]
    return glob.compile(cleaned, flags=_FLAGS) if cleaned else None


def _cleaned(pattern: str) -> str:
    """Rooted: `/drafts` is the one at the top, `drafts` any at whatever depth."""
    pattern = unicodedata.normalize("NFC", pattern).rstrip("/")
    if "/" in pattern:
        return "/" + pattern.lstrip("/")
    return f"/**/{pattern}"


def _with_folders(doc: str) -> list[str]:
    """The path itself and every folder above it, rooted."""
    parts = doc.split("/")
    return ["/" + "/".join(parts[:end]) for end in range(len(parts), 0, -1)]
