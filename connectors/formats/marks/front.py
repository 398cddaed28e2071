"""Where a Markdown file says what it is called: front matter, or the heading that is its title."""

import re
import tomllib

from connectors.formats.sections import SectionBuilder

_TOML = re.compile(r"\A\ufeff?\+\+\+[ \t]*\n(.*?\n)\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML_TITLE = re.compile(r"^title\s*:\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)


def toml_front_matter(text: str) -> tuple[str, str]:
    """(title, text after it) of `+++` front matter; ("", text) where there is none."""
    match = _TOML.match(text)
    if match is None:
        return "", text
    try:
        title = tomllib.loads(match[1]).get("title", "")
    except tomllib.TOMLDecodeError:
        title = ""
    return str(title), text[match.end() :]


def yaml_title(front_matter: str) -> str:
    """The title that YAML front matter states; empty where it states none on one line."""
    match = _YAML_TITLE.search(front_matter)
    if match is None or match[1][0] in "|>[{&*":
        return ""
    value = match[1]
    if value[0] in "\"'" and value[-1] == value[0] and len(value) > 1:
        return value[1:-1].replace("''", "'").replace('\\"', '"')
    return value.split(" #")[0].strip()


def title_place(builder: SectionBuilder, title: str) -> int | None:
    """Which heading is the title of the document itself, counted from 0, or None.

    The single h1; or the single top heading of another level where nothing stands before it.
    A front matter title takes only a heading that repeats it.
    """
    headings = builder.headings()
    if not headings:
        return None
    top = min(level for level, _ in headings)
    places = [place for place, (level, _) in enumerate(headings) if level == top]
    if len(places) > 1 or (top > 1 and (places[0] > 0 or builder.text_before_headings)):
        return None
    if title and _folded(title) != _folded(headings[places[0]][1]):
        return None
    return places[0]


def _folded(title: str) -> str:
    return re.sub(r"[\W_]+", "", title).casefold()
