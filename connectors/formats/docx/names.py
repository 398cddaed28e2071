"""Names of the WordprocessingML elements the reader meets."""

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
VAL = f"{W}val"


def child(element: etree._Element | None, path: str) -> etree._Element | None:
    """The first element at a path below, or None; a path of one step needs no search."""
    if element is None:
        return None
    return element.find(path) if path.rfind("{") else next(element.iterchildren(path), None)


def value(element: etree._Element | None, path: str) -> str | None:
    """The `w:val` of a child found by path, or None."""
    found = child(element, path)
    return None if found is None else found.get(VAL)


def is_on(element: etree._Element | None, path: str) -> bool | None:
    """An on/off property: True, False, or None where it is not stated."""
    found = child(element, path)
    if found is None:
        return None
    return found.get(VAL, "true") not in ("0", "false", "off", "none")
