"""Who may read a document: the audience of its source, narrowed by path rules.

Readers are audience words; somebody reads a document if one of its words is his. A rule narrows,
so the readers are those who belong to the audience **and** to the rule. Of words that is known
only where `workspace` (which holds everyone) meets any word, or a word meets itself; whether the
members of a channel are in a group is not known here, and unknown means nobody. Where several
rules fit, each narrows further. Nothing here ever widens.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from config.settings import GroupSettings, SourceSettings

if TYPE_CHECKING:
    from wcmatch.glob import WcMatcher

EVERYONE = "workspace"
_GROUP = "group:"


def readers_of(
    source: SourceSettings, doc: str, groups: Mapping[str, GroupSettings]
) -> frozenset[str]:
    """The audience words that may read one document; empty: nobody.

    Args:
        source: its settings; the audience and the rules count.
        doc: path inside the source; for an attachment that of its mail, `mail.eml!/name`.
        groups: `[groups.*]` of the settings, for `group:<name>`.
    """
    readers = expand(source.audience, groups)
    for rule in source.rules:
        if covers(rule.path, doc):
            readers = both(readers, expand(rule.audience, groups))
    return readers


def expand(words: Iterable[str], groups: Mapping[str, GroupSettings]) -> frozenset[str]:
    """Audience words with `group:<name>` replaced by its members; an unknown group is nobody."""
    found: set[str] = set()
    for word in words:
        if not word.startswith(_GROUP):
            found.add(_folded(word))
        elif group := groups.get(word.removeprefix(_GROUP)):
            found |= {_folded(member) for member in group.members}
    return frozenset(found)


def both(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    """Words of those who are known to belong to both."""
    if EVERYONE in left:
        return right
    if EVERYONE in right:
        return left
    return left & right


def covers(pattern: str, doc: str) -> bool:
    """Whether a rule's glob fits the path, or a folder above it; letter case does not matter."""
    matcher = _matcher("/" + (unicodedata.normalize("NFC", pattern).strip("/") or "**"))
    parts = unicodedata.normalize("NFC", doc).strip("/").split("/")
    return any(matcher.match("/" + "/".join(parts[:end])) for end in range(1, len(parts) + 1))


def warnings_of(source: SourceSettings, groups: Mapping[str, GroupSettings]) -> tuple[str, ...]:
    """Sentences for `status` and start: where nobody gets answers, whom nobody can ask."""
    found: list[str] = []
    if not source.audience:
        found.append(
            f"{source.name} has no audience: nobody gets answers from it. "
            'Set audience, for example ["workspace"].'
        )
    audience = expand(source.audience, groups)
    found += [
        f"{source.name}, rule {rule.path}: nobody is known to be in both its audience and the "
        "source's, so nobody gets answers from there. Name the same words in both."
        for rule in source.rules
        if audience and not both(audience, expand(rule.audience, groups))
    ]
    if not source.contact:
        found.append(f"{source.name} has no contact: readers are not told whom to ask.")
    return tuple(found)


def _folded(word: str) -> str:
    """Mail addresses are the same whatever their case; other ids are not ours to fold."""
    return word.casefold() if word.startswith("mail:") else word


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> "WcMatcher[str]":
    from wcmatch import glob  # most settings have no rules, and most commands no sync

    return glob.compile(pattern, flags=glob.GLOBSTAR | glob.DOTGLOB | glob.IGNORECASE)
