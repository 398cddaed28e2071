"""XML parts of a ZIP package and the relationships between them; nothing outside it is fetched."""

import io
import posixpath
import zipfile
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from lxml import etree

from agent.errors import ParseError

_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship of a part: `kind` is the last word of its type."""

    key: str
    kind: str
    target: str
    external: bool


class Package:
    """An open package; members are read one by one and never kept."""

    def __init__(self, data: bytes) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        self._names = {_key(name): name for name in reversed(self._zip.namelist())}

    def read(self, name: str) -> bytes:
        """The bytes of a member, however its name is written; none where it is missing."""
        found = self._names.get(_key(name))
        return b"" if found is None else self._zip.read(found)

    def xml(self, name: str) -> etree._Element | None:
        """A member as XML, None where it is missing; raises ParseError where it is broken."""
        data = self.read(name)
        return tree(data) if data else None

    def relations(self, part: str) -> dict[str, Relation]:
        """The relationships of a part by their ids; targets are names of members or addresses."""
        folder, name = posixpath.split(part)
        root = self.xml(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels")
        found = {}
        for element in () if root is None else root.iter(_RELATION):
            external = element.get("TargetMode") == "External"
            target = element.get("Target", "")
            key = element.get("Id", "")
            kind = element.get("Type", "").rsplit("/", 1)[-1]
            target = target if external else resolved(PurePosixPath(folder), target)
            found[key] = Relation(key, kind, target, external)
        return found

    def main_part(self) -> str:
        """Name of the part that holds the document itself."""
        relations = self.relations("").values()
        return next((each.target for each in relations if each.kind == "officeDocument"), "")

    def title(self) -> str:
        """The title among the properties; may be empty."""
        for each in self.relations("").values():
            if each.kind == "core-properties":
                root = self.xml(each.target)
                found = None if root is None else root.find(_TITLE)
                return "" if found is None else found.text or ""
        return ""


def _key(name: str) -> str:
    """Names of members mean the same in capitals and with the slashes of Windows."""
    return name.replace("\\", "/").casefold()


def tree(data: bytes) -> etree._Element:
    """XML without entities, network or depth beyond 256.

    Raises:
        ParseError: `damaged`.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, recover=False
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise damaged("its XML is broken", error) from error


def damaged(problem: str, error: Exception) -> ParseError:
    """What is said of a part that cannot be read: that it is too deep, or the problem."""
    if "Excessive depth" in str(error):
        return ParseError("damaged", "nested too deeply")
    return ParseError("damaged", f"{problem} ({error})")


def resolved(folder: PurePosixPath, target: str) -> str:
    """Name of the member that a relative target of a part in `folder` leads to."""
    parts: list[str] = [] if target.startswith("/") else list(folder.parts)
    for part in unquote(target).strip("/").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)
