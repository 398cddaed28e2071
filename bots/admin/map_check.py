"""What the map check found, for an admin in the chat.

Being an admin is the right to operate, not to read: documents are named, nothing in them is quoted.
"""

from collections import Counter
from collections.abc import Sequence

from agent.map.remarks import MapRemark
from bots.phrases import counted, phrase

FIRST = 5
"""Documents named in the report of a run."""
_REPORTED = ("not_readable", "partial")
"""Stand in the report of the run already."""


def check_text(found: Sequence[MapRemark], language: str) -> str:
    """How much of what there is to mend, the first documents with what to do; empty for none.

    The first of each kind come first, so that many small things do not hide a grave one.
    """
    kept = [one for one in found if one.kind not in _REPORTED]
    if not kept:
        return ""
    seen: Counter[str] = Counter()
    ranked = []
    for one in reversed(kept):  # what concerns several documents weighs most, and comes last
        seen[one.kind] += 1
        ranked.append((seen[one.kind], one))
    ranked.sort(key=lambda pair: pair[0])
    lines = [counted(language, "check.found", len(kept))]
    for _, one in ranked[:FIRST]:
        what = phrase(language, f"check.{one.kind}")
        lines.append(f"• {phrase(language, 'admin.failure', doc=one.doc, reason=what)}")
    if (rest := len(kept) - FIRST) > 0:
        lines.append(counted(language, "check.more", rest))
    return "\n".join(lines)
