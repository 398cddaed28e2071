"""Whether white letters of a Word file stand on white, where no reader sees them.

Covers and table heads are printed in white on a colour, and Word has many ways to lay a colour
below letters. Only where none is in sight does white mean invisible.
"""

from lxml import etree

from connectors.formats.docx.names import WP, W, value
from connectors.formats.docx.styles import Styles, has_ground

_WHITE = "ffffff"
_PROPERTIES = {f"{W}p": "pPr", f"{W}tc": "tcPr", f"{W}tr": "trPr", f"{W}tbl": "tblPr"}
_DRAWN = (f"{W}pict", f"{WP}anchor")
_BOX = f"{W}txbxContent"


def is_white(properties: etree._Element) -> bool:
    """Whether the properties of a run make its letters white."""
    return (value(properties, f"{W}color") or "").lower() == _WHITE


class Grounds:
    """What lies below the letters of one document."""

    def __init__(self, body: etree._Element, styles: Styles) -> None:
        self._styles = styles
        page = body.getparent()
        background = None if page is None else page.find(f"{W}background")
        colour = "" if background is None else background.get(f"{W}color", "")
        # a picture or shape that floats may lie anywhere on its page
        drawn = next(body.iter(*_DRAWN), None) is not None
        self._anywhere = drawn or colour.lower() not in ("", "auto", _WHITE)

    def below(self, run: etree._Element) -> bool:
        """Whether anything but white may lie below the letters of a run."""
        return (
            self._anywhere
            or has_ground(run.find(f"{W}rPr"))
            or self._styled(value(run, f"{W}rPr/{W}rStyle"))
            or any(self._laid(each) for each in run.iterancestors(*_PROPERTIES, _BOX))
        )

    def _laid(self, element: etree._Element) -> bool:
        if element.tag == _BOX:
            return True
        properties = element.find(f"{W}{_PROPERTIES[element.tag]}")
        if element.tag == f"{W}tbl" and value(properties, f"{W}tblStyle"):
            return True  # a table style may colour rows by their place
        if element.tag == f"{W}p" and self._styles.look(value(properties, f"{W}pStyle")).shaded:
            return True
        return has_ground(properties)

    def _styled(self, style_id: str | None) -> bool:
        return style_id is not None and self._styles.look(style_id).shaded
