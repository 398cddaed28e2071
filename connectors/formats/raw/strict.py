"""Office files in unusual forms of their standard, brought to the form that everyone writes.

The strict form differs in the names of its namespaces alone; some programs write the names of
members with other slashes or capitals. Libraries that know one form find nothing in the others,
and say nothing of it.
"""

import io
import re
import zipfile

_STRICT = b"http://purl.oclc.org/ooxml/"
_NAMESPACE = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_USUAL = rb"http://schemas.openxmlformats.org/\1/2006/"
_MAIN = ("xl/workbook.xml", "ppt/presentation.xml")
_ENDINGS = (".xml", ".rels")
_CONTENTS = "[Content_Types].xml"


_PART = re.compile(rb"PartName=[\"']/?([^\"']+)")


def usual(data: bytes) -> bytes:
    """The package with the usual namespaces and names; itself where it has them."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = _usual_names(package)
        main = next((name for name in package.namelist() if names[name] in _MAIN), "")
        strict = bool(main) and _STRICT in package.read(main)
        if not strict and all(written == name for written, name in names.items()):
            return data
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as rewritten:
            for written, name in {name: written for written, name in names.items()}.items():
                content = package.read(name)
                if strict and written.lower().endswith(_ENDINGS):
                    content = _NAMESPACE.sub(_USUAL, content)
                rewritten.writestr(written, content)
        return target.getvalue()


def _usual_names(package: zipfile.ZipFile) -> dict[str, str]:
    """The name of each member as the list of contents has it, by the name it is stored under."""
    stored = package.namelist()
    slashed = {name: name.replace("\\", "/") for name in stored}
    listing = next((n for n in stored if slashed[n].casefold() == _CONTENTS.casefold()), "")
    listed = _PART.findall(package.read(listing)) if listing else []
    named = {part.decode("utf-8", "replace").casefold(): part for part in listed}
    named[_CONTENTS.casefold()] = _CONTENTS.encode()
    found = {}
    for name, plain in slashed.items():
        part = named.get(plain.casefold())
        found[name] = plain if part is None else part.decode("utf-8", "replace")
    return found
