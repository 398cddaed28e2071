"""Office files in the strict form of their standard, brought to the form that everyone writes.

They differ in the names of their namespaces alone; libraries that know one form find nothing in
the other, and say nothing of it.
"""

import io
import re
import zipfile

_STRICT = b"http://purl.oclc.org/ooxml/"
_NAMESPACE = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_USUAL = rb"http://schemas.openxmlformats.org/\1/2006/"
_MAIN = ("xl/workbook.xml", "ppt/presentation.xml")
_ENDINGS = (".xml", ".rels")


def transitional(data: bytes) -> bytes:
    """The package with the usual namespaces; itself where it has them."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = package.namelist()
        main = next((name for name in _MAIN if name in names), "")
        if not main or _STRICT not in package.read(main):
            return data
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as rewritten:
            for name in dict.fromkeys(names):
                content = package.read(name)
                if name.lower().endswith(_ENDINGS):
                    content = _NAMESPACE.sub(_USUAL, content)
                rewritten.writestr(name, content)
        return target.getvalue()
