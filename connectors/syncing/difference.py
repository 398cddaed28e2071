"""What a full listing means against the ledger: which item is which document.

Where a drive has lasting ids they decide. Elsewhere the place decides, unless a file that is
known from another place stands there now; whether it really is that file only its content can
tell, since an inode goes to the next file as soon as one is deleted. So `compare` names the
doubtful with the documents they may be, the run reads them, and `settle` concludes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from connectors.ledger import Entry, EntryState
from connectors.ports import Item

_TRIES = 2
"""How often a version is read that failed for what may be a passing reason."""
_PASSING = ("timeout", "empty")
"""Words of such reasons: a busy machine, a file caught between being cut and written."""
_RANK = {
    EntryState.PURGED: 0,
    EntryState.HIDDEN: 1,
    EntryState.HELD: 2,
    EntryState.LIVE: 3,
}


@dataclass(frozen=True, slots=True)
class Work:
    """An item and the document it is; None: a new one."""

    item: Item
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Suspect:
    """An item that may be one of these documents, come from another place.

    Attributes:
        work: what it is if it is none of them and its place is not taken.
    """

    work: Work
    candidates: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """A listing against the ledger; every item is in exactly one of the first four."""

    unchanged: tuple[Work, ...]
    moves: tuple[Work, ...]
    work: tuple[Work, ...]
    suspects: tuple[Suspect, ...]
    missing: tuple[Entry, ...]
    """Documents that no item is for certain; suspects may turn out to be some of them."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The same, once it is known what the suspects were."""

    moves: tuple[Work, ...]
    work: tuple[Work, ...]
    missing: tuple[Entry, ...]


def compare(items: Sequence[Item], entries: Sequence[Entry], current: frozenset[str]) -> Difference:
    """Tell unchanged, new or changed, perhaps moved and missing apart.

    Args:
        items: the whole listing.
        entries: the whole ledger of the source, tombstones too.
        current: parser versions that a copy may rest on without being read again.
    """
    return _Comparison(items, entries).difference(current)


def without_twins(items: Sequence[Item], entries: Sequence[Entry]) -> tuple[Item, ...]:
    """The listing with each file once, however many names it has; the known name counts."""
    twins: dict[str, list[Item]] = {}
    for item in items:
        if item.shared and item.file_id:
            twins.setdefault(item.file_id, []).append(item)
    if not any(len(same) > 1 for same in twins.values()):
        return tuple(items)
    known = {(entry.file_id, entry.address) for entry in entries}
    chosen = {
        file_id: min(same, key=lambda item: (item.file_id, item.address) not in known)
        for file_id, same in twins.items()
    }
    return tuple(item for item in items if chosen.get(item.file_id, item) is item)


def settle(difference: Difference, digests: Mapping[str, str]) -> Settled:
    """Conclude, now that the doubtful were read.

    A file is a known document at a new place if its content is the same and either its file id
    says so too or no other file and no other missing document has that content.

    Args:
        difference: what `compare` found.
        digests: content hash by address, of every suspect that could be read.
    """
    moves = _moves(difference.suspects, digests)
    claimed = {work.entry.doc_id for work in moves.values() if work.entry}
    rest: list[Work] = []
    for suspect in difference.suspects:
        work = suspect.work
        if work.item.address in moves:
            continue
        if work.entry and work.entry.doc_id in claimed:
            work = Work(work.item)
        claimed |= {work.entry.doc_id} if work.entry else set()
        rest.append(work)
    missing = tuple(entry for entry in difference.missing if entry.doc_id not in claimed)
    return Settled((*difference.moves, *moves.values()), (*difference.work, *rest), missing)


def is_quiet(entry: Entry, item: Item, current: frozenset[str]) -> bool:
    """Whether an item needs no reading: the version is the one last dealt with."""
    if entry.version != item.version or not entry.settled:
        return False
    return entry.parser_version in current and not may_pass(entry)


def may_pass(entry: Entry) -> bool:
    """Whether what kept the document out may be over when it is tried once more."""
    return entry.reason.startswith(_PASSING) and entry.attempts < _TRIES


def _moves(suspects: Sequence[Suspect], digests: Mapping[str, str]) -> dict[str, Work]:
    """The suspects that are one known document beyond doubt, by address."""
    moves: dict[str, Work] = {}
    taken: set[str] = set()
    for by_file in (True, False):
        alike = Counter(digests.get(one.work.item.address) for one in suspects)
        for suspect in suspects:
            item = suspect.work.item
            digest = digests.get(item.address, "")
            same = [
                one
                for one in suspect.candidates
                if digest and one.content_hash == digest and one.doc_id not in taken
            ]
            if by_file:
                same = [one for one in same if one.file_id and one.file_id == item.file_id]
            if item.address not in moves and len(same) == 1 and (by_file or alike[digest] == 1):
                moves[item.address] = Work(item, same[0])
                taken.add(same[0].doc_id)
    return moves


@dataclass(slots=True)
class _Sorted:
    unchanged: list[Work] = field(default_factory=list)
    moves: list[Work] = field(default_factory=list)
    work: list[Work] = field(default_factory=list)
    suspects: list[Suspect] = field(default_factory=list)


class _Comparison:
    def __init__(self, items: Sequence[Item], entries: Sequence[Entry]) -> None:
        ranked = sorted(entries, key=lambda entry: _RANK[entry.state])  # the last one wins
        kept = [entry for entry in ranked if entry.state is not EntryState.PURGED]
        self._items = items
        self._kept = kept
        self._by_native = {entry.native_id: entry for entry in ranked}
        self._by_address = {entry.address: entry for entry in ranked}
        self._by_file = {entry.file_id: entry for entry in kept if entry.file_id}
        self._place_of = {item.file_id: item.address for item in items if item.file_id}
        self._found: set[str] = set()
        self._sorted = _Sorted()

    def difference(self, current: frozenset[str]) -> Difference:
        doubtful = [item for item in self._items if not self._is_certain(item, current)]
        for item in doubtful:
            self._doubt(item)
        missing = tuple(entry for entry in self._kept if entry.doc_id not in self._found)
        work = tuple(self._not_alike(missing))
        return Difference(
            tuple(self._sorted.unchanged),
            tuple(self._sorted.moves),
            work,
            tuple(self._sorted.suspects),
            missing,
        )

    def _is_certain(self, item: Item, current: frozenset[str]) -> bool:
        """Settle an item whose document is beyond doubt."""
        if item.native_id:
            entry = self._by_native.get(item.native_id)
        else:
            entry = self._by_address.get(item.address)
            if entry and entry.file_id != item.file_id:
                return False
        if entry is None:
            return False
        self._found.add(entry.doc_id)
        if not is_quiet(entry, item, current):
            self._sorted.work.append(Work(item, entry))
        elif entry.doc != item.doc:
            self._sorted.moves.append(Work(item, entry))
        else:
            self._sorted.unchanged.append(Work(item, entry))
        return True

    def _doubt(self, item: Item) -> None:
        """Settle or suspect an item that is new at its place, by id or by file."""
        here = None if item.native_id else self._by_address.get(item.address)
        work = Work(item, here)
        known = self._by_file.get(item.file_id)
        if known and known.doc_id not in self._found and known is not here:
            self._sorted.suspects.append(Suspect(work, (known,)))
        elif here and self._place_of.get(here.file_id, here.address) != here.address:
            self._sorted.suspects.append(Suspect(work))  # its document may be elsewhere now
        else:
            self._sorted.work.append(work)
            self._found |= {here.doc_id} if here else set()

    def _not_alike(self, missing: Sequence[Entry]) -> Iterator[Work]:
        """The work, without new items that may be a missing document of the same size."""
        by_size: dict[int, list[Entry]] = {}
        for entry in missing:
            if entry.content_hash and entry.size_bytes:
                by_size.setdefault(entry.size_bytes, []).append(entry)
        for work in self._sorted.work:
            is_new = work.entry is None or work.entry.state is EntryState.PURGED
            candidates = by_size.get(work.item.size_bytes)
            if is_new and candidates:
                self._sorted.suspects.append(Suspect(work, tuple(candidates)))
            else:
                yield work
