"""Marks in Markdown that drives and site builders act on and no reader sees.

They are rules of the Markdown parser itself, so that code, where the same characters are meant
to be read, stays as it is.
"""

import re
import sys
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

_PAIR = r"""(?:[#.][^\s{}#.=]+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s{}"']+))"""
_ATTRIBUTES = rf"\{{:?[ \t]*{_PAIR}(?:[ \t]*{_PAIR})*[ \t]*\}}"
_SHORTCODE = r"\{\{(?:<(?!/\*)[^{}]*>|%(?!/\*)[^{}]*%)\}\}"
_CONTENTS = r"\[TOC\]|\[\[_?TOC_?\]\]|\{:[ \t]*toc[ \t]*\}"

_ATTRIBUTE_MARK = re.compile(_ATTRIBUTES)
_SHORTCODE_MARK = re.compile(_SHORTCODE)
_LINE = re.compile(
    rf"(?:(?:{_SHORTCODE})[ \t]*)+|(?:{_ATTRIBUTES}|{_CONTENTS})[ \t]*", re.IGNORECASE
)
_ALERT = re.compile(r"\A\[![A-Za-z][\w-]*\][+-]?[ \t]*\n?")
_HEADING_END = re.compile(rf"\s*(?:{_ATTRIBUTES})\s*$")
_HEADING_ID = re.compile(r"#([^\s}.#=]+)")
_BRACKET_RUN = re.compile(r"\[{100,}(?=\[{20})")
_NAME = re.compile(r"\{\{[<%]\s*([\w/-]+)")
_SHOWN = re.compile(r"""\b(?:title|caption|summary|text)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_QUOTED = re.compile(r"""(?<![=\w])(?:"([^"]*)"|'([^']*)')""")
_TITLED = frozenset(
    ("admonition", "callout", "details", "expand", "hint", "notice", "tab", "warning")
)
_WRAPPED = ("image", "link_close", "code_inline")


def unseen_plugin(engine: MarkdownIt) -> None:
    """Leave out shortcodes, labels of alerts, attributes and the mark of a contents list.

    What a shortcode wraps stays, and so does the title that it shows.
    """
    stops: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    engine.block.ruler.before("blockquote", "unseen_line", _unseen_line, stops)
    engine.inline.ruler.before("newline", "bracket_run", _bracket_run)
    engine.inline.ruler.before("link", "shortcode", _shortcode)
    engine.inline.ruler.before("link", "attributes", _attributes)
    engine.core.ruler.after("block", "alert_label", _alert_labels)


def nested_without_limit(engine: MarkdownIt) -> None:
    """Let blocks nest as deep as frames allow; beyond, the parser raises RecursionError.

    The limit of the library drops what is below it without a word. Inline text keeps it, as
    there it only ends the search for marks.
    """
    deep = MarkdownIt("commonmark", {"maxNesting": sys.maxsize})
    deep.block = engine.block

    def block(state: StateCore) -> None:
        engine.block.parse(state.src, deep, state.env, state.tokens)

    engine.core.ruler.at("block", block)


def without_shortcodes(source: str) -> str:
    """Raw HTML without the shortcodes in it."""
    return _SHORTCODE_MARK.sub("", source)


def split_heading(text: str) -> tuple[str, str]:
    """(text, id) of a heading: its attributes are no text, and one of them may be its id."""
    match = _HEADING_END.search(text)
    if match is None:
        return text, ""
    named = _HEADING_ID.search(match[0])
    return text[: match.start()], named[1] if named else ""


def _unseen_line(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """A line that holds nothing but marks ends the paragraph before it."""
    if state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not line.startswith(("{", "[")) or not _LINE.fullmatch(line):
        return False
    if silent:
        return True
    for shown in _shown(line):
        state.push("paragraph_open", "p", 1)
        token = state.push("inline", "", 0)
        token.content, token.children, token.map = shown, [], [start, start + 1]
        state.push("paragraph_close", "p", -1)
    state.line = start + 1
    return True


def _shown(source: str) -> Iterator[str]:
    """The titles that shortcodes show to readers."""
    for match in _SHORTCODE_MARK.finditer(source):
        name = _NAME.match(match[0])
        found = _SHOWN.search(match[0])
        if found is None and name and name[1] in _TITLED:
            found = _QUOTED.search(match[0])
        if found:
            yield found[1] or found[2] or ""


def _bracket_run(state: StateInline, silent: bool) -> bool:
    """Of a very long run of brackets all but the last few are text; each would be tried as one."""
    if state.src[state.pos] != "[":
        return False
    match = _BRACKET_RUN.match(state.src, state.pos)
    if match is None:
        return False
    state.pos = match.end()
    if not silent:
        state.pending += match[0]
    return True


def _shortcode(state: StateInline, silent: bool) -> bool:
    match = _SHORTCODE_MARK.match(state.src, state.pos)
    if match is None:
        return False
    shown = " ".join(_shown(match[0]))
    state.pos = match.end()
    if not silent:
        state.pending += shown
    if not shown and state.src[: match.start()].endswith(" "):
        while state.src[state.pos : state.pos + 1] == " ":
            state.pos += 1
    return True


def _attributes(state: StateInline, silent: bool) -> bool:
    """What is said of the picture, link or code right before."""
    if silent or state.pending or not state.tokens or state.tokens[-1].type not in _WRAPPED:
        return False
    match = _ATTRIBUTE_MARK.match(state.src, state.pos)
    if match is None:
        return False
    state.pos = match.end()
    return True


def _alert_labels(state: StateCore) -> None:
    """`[!NOTE]` at the start of a quote only picks its colour."""
    for before, token in zip(state.tokens, state.tokens[2:], strict=False):
        if before.type == "blockquote_open" and token.type == "inline":
            token.content = _ALERT.sub("", token.content)
