"""How the library changes, on both databases: replaced whole, hidden, moved, purged."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import (
    WORKSPACE,
    Attachment,
    DocId,
    MapEntry,
    ParsedDocument,
    ParseOutcome,
    Scope,
    SectionPath,
)
from agent.errors import DocumentNotFound
from agent.library import writing
from agent.library.library import StoreLibrary
from agent.store import Store
from config.settings import LoopSettings
from tests.library_files import (
    CHINESE,
    HANDBOOK,
    INCIDENTS,
    LEAVE,
    LEGAL,
    facts,
    fill,
    fill_handbook,
    new,
    parsed,
    section,
    unreadable,
)

LAWYERS = Scope.of("slack:C1")
LEAVE_ID = facts("hr/leave.md").doc_id
INCIDENTS_ID = facts("ops/incidents.md").doc_id


@pytest.fixture
def library(store: Store) -> StoreLibrary:
    fill_handbook(store)
    return StoreLibrary(store, LoopSettings())


async def _titles(library: StoreLibrary, scope: Scope = WORKSPACE) -> list[str]:
    return [entry.document.title for entry in await library.read_document_map(scope)]


async def _found(library: StoreLibrary, query: str, scope: Scope = WORKSPACE) -> Sequence[DocId]:
    return (await library.search(query, scope)).documents


async def _entry(library: StoreLibrary, doc_id: DocId, scope: Scope = WORKSPACE) -> MapEntry:
    [entry] = await library.read_map(scope, [doc_id])
    return entry


def _left(connection: Connection) -> dict[str, int]:
    """Rows in every table of the library but the sources and its state."""
    tables = ("documents", "readers", "sections", "stretches", "cross_references")
    counted = {
        table: connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one()
        for table in (*tables, "abbreviations", "section_terms")
    }
    return {table: count for table, count in counted.items() if count}


async def test_what_the_drive_says_comes_back(library: StoreLibrary) -> None:
    document = await library.find_document(WORKSPACE, "hr/leave.md")

    assert document.doc_id == LEAVE_ID
    assert document.modified == facts("x").modified
    assert (document.owner, document.url) == (
        "mail:ann@acme.example",
        "https://drive.example/hr/leave.md",
    )
    assert (document.contact, document.trust) == ("#people-help", "own")


async def test_a_section_comes_back_with_blocks_and_headings(library: StoreLibrary) -> None:
    found = await library.read_section(WORKSPACE, LEAVE_ID, SectionPath("parental-leave/adoption"))

    assert found.headings == ("Parental leave", "Adoption")
    assert (found.number, found.level) == ("2.1", 2)
    assert [found.text[block.start : block.end] for block in found.blocks] == [
        "Adoptive parents take the same 16 weeks."
    ]


async def test_chinese_is_found_by_its_words(library: StoreLibrary) -> None:
    found = await library.search("出差住宿费的标准是多少？", WORKSPACE)

    assert found.windows[0].document.title == "差旅报销制度"
    assert "每晚五百元" in found.windows[0].text


async def test_an_identifier_is_found_whole(library: StoreLibrary) -> None:
    found = await library.search("what is err-4021", WORKSPACE)

    assert found.windows[0].section.heading == "Error codes"
    assert found.coverage == pytest.approx(1.0)


async def test_a_typing_error_is_corrected_and_shown(library: StoreLibrary) -> None:
    found = await library.search("How long is parentel leave?", WORKSPACE)

    assert [(each.written, each.used.casefold()) for each in found.corrections] == [
        ("parentel", "parental")
    ]
    assert found.windows[0].section.heading == "Parental leave"


async def test_an_identifier_is_never_corrected(library: StoreLibrary) -> None:
    found = await library.search("what is ERR-4022", WORKSPACE)

    assert found.corrections == ()
    assert found.missing == ("ERR-4022",)


async def test_documents_in_another_language_are_counted_when_little_is_found(
    library: StoreLibrary,
) -> None:
    found = await library.search("宠物可以进办公室吗", WORKSPACE)

    assert found.other_language_documents == 2
    assert "宠物" in found.missing


async def test_a_replaced_document_leaves_nothing_of_its_old_text(
    store: Store, library: StoreLibrary
) -> None:
    changed = parsed("Leave rules", section("Annual leave", "Everybody has thirty vacation days."))
    await store.write(lambda c: writing.put_documents(c, [new("hr/leave.md", changed)]))

    assert await _titles(library) == ["Leave rules", "差旅报销制度", "Incident response"]
    assert await _found(library, "vacation") == (LEAVE_ID,)
    assert (await library.search("adoptive", WORKSPACE)).missing == ("adoptive",)
    assert [each.path for each in (await _entry(library, LEAVE_ID)).outline] == ["annual-leave"]


async def test_putting_the_same_again_changes_nothing(store: Store, library: StoreLibrary) -> None:
    before = await store.read(_left)

    await store.write(lambda c: writing.put_documents(c, [new("hr/leave.md", LEAVE)]))

    assert await store.read(_left) == before


async def test_of_two_copies_put_in_together_the_later_counts(store: Store) -> None:
    fill(store, new("hr/leave.md", INCIDENTS), new("hr/leave.md", LEAVE))

    assert await _titles(StoreLibrary(store, LoopSettings())) == ["Leave policy"]


async def test_an_unreadable_document_is_in_the_map_with_its_reason(
    store: Store, library: StoreLibrary
) -> None:
    broken = new("hr/pay_scale-2026.pdf", unreadable("password: it is protected"))
    await store.write(lambda c: writing.put_documents(c, [broken]))

    entry = await _entry(library, broken.facts.doc_id)

    assert entry.document.outcome is ParseOutcome.NOT_READABLE
    assert entry.document.reason == "password: it is protected"
    assert (entry.document.title, entry.outline) == ("Pay scale 2026", ())


async def test_a_document_that_becomes_unreadable_has_no_sections_any_more(
    store: Store, library: StoreLibrary
) -> None:
    broken = new("hr/leave.md", unreadable("damaged: it ends early"))
    await store.write(lambda c: writing.put_documents(c, [broken]))

    assert LEAVE_ID not in await _found(library, "parental leave")


async def test_a_document_without_readers_is_seen_by_nobody(
    store: Store, library: StoreLibrary
) -> None:
    await store.write(lambda c: writing.put_documents(c, [new("secret.md", LEAVE, readers=())]))

    assert len(await _titles(library)) == 3
    assert facts("secret.md").doc_id not in await _found(library, "parental leave")


async def test_new_readers_count_at_once(store: Store, library: StoreLibrary) -> None:
    await store.write(lambda c: writing.set_readers(c, LEAVE_ID, frozenset({"slack:C1"})))

    assert await _found(library, "parental leave") == ()
    assert await _found(library, "parental leave", LAWYERS) == (LEAVE_ID,)


async def test_a_scope_can_be_narrowed_to_sources(store: Store, library: StoreLibrary) -> None:
    await store.write(
        lambda c: writing.put_documents(c, [new("nda.md", LEAVE, ["workspace"], "legal")])
    )
    legal = Scope.of("workspace", sources=["legal"])

    assert await _found(library, "parental leave", legal) == (facts("nda.md", "legal").doc_id,)
    assert [state.name for state in await library.sources(legal)] == ["legal"]


async def test_a_word_of_a_secret_document_is_not_known_outside_it(
    store: Store, library: StoreLibrary
) -> None:
    plan = parsed("Plan", section("Zephyrus", "The merger with Zephyrus Industries closes in May."))
    await store.write(lambda c: writing.put_documents(c, [new("plan.md", plan, ["slack:C1"])]))

    asked = await library.search("annual leave at Zephyrus", WORKSPACE)
    mistyped = await library.search("annual leave at Zephyros", WORKSPACE)
    insider = await library.search("when closes the merger with Zephyros", LAWYERS)

    assert asked.missing == ("Zephyrus",)
    assert [term.known for term in asked.terms if term.written == "Zephyrus"] == [False]
    assert (mistyped.missing, mistyped.corrections) == (("Zephyros",), ())
    assert [each.used for each in insider.corrections] == ["Zephyrus"]


async def test_a_term_weighs_the_same_whether_unknown_or_out_of_scope(
    store: Store, library: StoreLibrary
) -> None:
    plan = parsed("Plan", section("Zephyrus", "The merger with Zephyrus Industries closes in May."))
    await store.write(lambda c: writing.put_documents(c, [new("plan.md", plan, ["slack:C1"])]))

    hidden = await library.search("annual leave at Zephyrus", WORKSPACE)
    unknown = await library.search("annual leave at Quixotix", WORKSPACE)

    assert [t.weight for t in hidden.terms] == [t.weight for t in unknown.terms]
    assert hidden.coverage == unknown.coverage


async def test_hidden_documents_are_nowhere_and_come_back(
    store: Store, library: StoreLibrary
) -> None:
    await store.write(lambda c: writing.hide_documents(c, [LEAVE_ID]))

    assert "Leave policy" not in await _titles(library)
    assert await _found(library, "parental leave") == ()
    assert (await library.sources(WORKSPACE))[0].documents == 2
    with pytest.raises(DocumentNotFound):
        await library.read_section(WORKSPACE, LEAVE_ID, SectionPath("annual-leave"))

    await store.write(lambda c: writing.show_documents(c, [LEAVE_ID]))

    assert await _found(library, "parental leave") == (LEAVE_ID,)


async def test_a_document_can_be_marked_as_not_seen(store: Store, library: StoreLibrary) -> None:
    since = datetime(2026, 6, 1, tzinfo=UTC)
    await store.write(lambda c: writing.mark_not_seen(c, [LEAVE_ID], since))

    marked = (await library.search("parental leave", WORKSPACE)).windows[0].document
    await store.write(lambda c: writing.mark_not_seen(c, [LEAVE_ID], None))

    assert marked.not_seen_since == since
    assert (await _entry(library, LEAVE_ID)).document.not_seen_since is None


async def test_a_purged_library_is_empty_to_the_last_term(
    store: Store, library: StoreLibrary
) -> None:
    ids = [entry.document.doc_id for entry in await library.read_document_map(WORKSPACE)]
    await store.write(writing.resolve_cross_references)

    await store.write(lambda c: writing.purge_documents(c, ids))

    assert await store.read(_left) == {}


async def test_a_source_that_is_not_named_any_more_goes_with_its_documents(
    store: Store, library: StoreLibrary
) -> None:
    await store.write(lambda c: writing.apply_sources(c, [LEGAL]))

    assert await store.read(_left) == {}
    assert await library.sources(WORKSPACE) == []


async def test_a_source_keeps_its_documents_when_its_settings_change(
    store: Store, library: StoreLibrary
) -> None:
    changed = replace(HANDBOOK, contact="#ask-people", trust="external")
    await store.write(lambda c: writing.apply_sources(c, [changed, LEGAL]))

    document = (await _entry(library, LEAVE_ID)).document

    assert (document.contact, document.trust) == ("#ask-people", "external")


async def test_a_moved_document_keeps_its_identity(store: Store, library: StoreLibrary) -> None:
    moved = replace(facts("hr/leave.md"), doc="archive/time-off.md", url="https://drive.example/n")
    await store.write(lambda c: writing.move_document(c, moved, frozenset({"workspace"})))

    document = await library.find_document(WORKSPACE, "archive/time-off.md")

    assert (document.doc_id, document.url) == (LEAVE_ID, "https://drive.example/n")
    assert (await library.search("archive", WORKSPACE)).documents == (LEAVE_ID,)
    assert (await library.search("parental leave", WORKSPACE)).documents == (LEAVE_ID,)


async def test_a_title_made_of_the_file_name_follows_it(
    store: Store, library: StoreLibrary
) -> None:
    nameless = new("scan_0007.txt", parsed("", section("", "All rooms are booked in the portal.")))
    await store.write(lambda c: writing.put_documents(c, [nameless]))
    moved = replace(nameless.facts, doc="room-booking.txt")

    await store.write(lambda c: writing.move_document(c, moved, frozenset({"workspace"})))

    assert (await _entry(library, nameless.facts.doc_id)).document.title == "Room booking"


async def test_links_and_named_titles_lead_to_other_documents(store: Store) -> None:
    fill(
        store,
        new("hr/leave.md", LEAVE),
        new("ops/incidents.md", INCIDENTS),
        new(
            "hr/start.md",
            parsed(
                "First week",
                section("Reading", "Then read the incident response page."),
                links=("leave.md#annual-leave", "https://elsewhere.example/x"),
            ),
        ),
    )
    await store.write(writing.resolve_cross_references)

    entry = await _entry(StoreLibrary(store, LoopSettings()), facts("hr/start.md").doc_id)

    assert [each.title for each in entry.cross_references] == ["Leave policy", "Incident response"]


async def test_a_reference_to_a_document_out_of_scope_is_not_told(store: Store) -> None:
    pointing = parsed(
        "First week", section("Reading", "See the leave policy."), links=("leave.md",)
    )
    fill(
        store,
        new("hr/leave.md", LEAVE, ["slack:C1"]),
        new("hr/start.md", pointing, ["workspace", "slack:C1"]),
    )
    await store.write(writing.resolve_cross_references)
    library = StoreLibrary(store, LoopSettings())
    start = facts("hr/start.md").doc_id

    assert (await _entry(library, start)).cross_references == ()
    assert len((await _entry(library, start, LAWYERS)).cross_references) == 1


async def test_a_new_document_is_found_by_those_that_name_it_already(store: Store) -> None:
    fill(store, new("start.md", parsed("First week", section("Day 1", "Read the leave policy."))))
    await store.write(writing.resolve_cross_references)
    await store.write(lambda c: writing.put_documents(c, [new("hr/leave.md", LEAVE)]))
    await store.write(writing.resolve_cross_references)

    entry = await _entry(StoreLibrary(store, LoopSettings()), facts("start.md").doc_id)

    assert [each.title for each in entry.cross_references] == ["Leave policy"]


async def test_references_to_a_replaced_document_stay(store: Store) -> None:
    start = parsed("First week", section("Day 1", "Read the leave policy."), links=("leave.md",))
    fill(store, new("hr/leave.md", LEAVE), new("hr/start.md", start))
    await store.write(writing.resolve_cross_references)
    await store.write(lambda c: writing.put_documents(c, [new("hr/leave.md", LEAVE)]))
    await store.write(writing.resolve_cross_references)

    entry = await _entry(StoreLibrary(store, LoopSettings()), facts("hr/start.md").doc_id)

    assert [each.title for each in entry.cross_references] == ["Leave policy"]


async def test_an_abbreviation_explained_in_a_document_is_searched_in_full(store: Store) -> None:
    terms = parsed("Terms", section("Words", "A Service Level Agreement (SLA) binds both sides."))
    uptime = parsed("Uptime", section("Promise", "The service level agreement names 99.9 percent."))
    fill(store, new("terms.md", terms), new("uptime.md", uptime), new("leave.md", LEAVE))

    found = await StoreLibrary(store, LoopSettings()).search("What does the SLA promise", WORKSPACE)

    assert [(each.short, each.long) for each in found.expansions] == [
        ("SLA", "Service Level Agreement")
    ]
    assert set(found.documents) == {facts("terms.md").doc_id, facts("uptime.md").doc_id}


async def test_an_abbreviation_of_a_secret_document_is_not_explained(store: Store) -> None:
    secret = parsed("Plan", section("Plan", "The Big Zephyr Acquisition (BZA) is near."))
    fill(store, new("plan.md", secret, ["slack:C1"]), new("leave.md", LEAVE))

    found = await StoreLibrary(store, LoopSettings()).search("What is BZA?", WORKSPACE)

    assert (found.expansions, found.missing) == ((), ("BZA",))


async def test_a_glossary_expands_both_ways(store: Store) -> None:
    fill(store, new("pto.md", parsed("PTO", section("Days", "PTO is 28 days."))))
    library = StoreLibrary(store, LoopSettings(), {"PTO": "paid time off"})

    found = await library.search("How much paid time off is there?", WORKSPACE)

    assert found.windows[0].section.heading == "Days"
    assert [(each.short, each.long) for each in found.expansions] == [("PTO", "paid time off")]


async def test_every_write_is_a_change_of_the_library(store: Store, library: StoreLibrary) -> None:
    before = await library.last_changed()
    await store.write(lambda c: writing.hide_documents(c, [INCIDENTS_ID]))
    after = await library.last_changed()

    assert before is not None
    assert after is not None
    assert after >= before


async def test_text_that_a_database_refuses_is_stored_with_a_replacement(store: Store) -> None:
    odd = parsed("Odd\x00title", section("A\ud800b", "Nul \x00 and half a pair \udfff here."))
    fill(store, new("odd.md", odd), new("zh.md", CHINESE))

    entry = await _entry(StoreLibrary(store, LoopSettings()), facts("odd.md").doc_id)

    assert entry.document.title == "Odd\ufffdtitle"


def _mail(*attachments: Attachment) -> ParsedDocument:
    """A mail with what hangs on it."""
    mail = parsed("Offer", section("", "The offer is attached."))
    return replace(mail, attachments=attachments)


TERMS = parsed("Terms", section("Payment", "Invoices are paid within 45 days."))
INNER = replace(
    parsed("Older offer", section("", "We once asked for a deposit.")),
    attachments=(Attachment("terms.md", TERMS, "hash of the terms"),),
)


async def _docs(library: StoreLibrary, scope: Scope = WORKSPACE) -> dict[str, DocId]:
    entries = await library.read_document_map(scope)
    found = {entry.document.doc: entry.document.doc_id for entry in entries}
    return {doc: doc_id for doc, doc_id in found.items() if "offer.eml" in doc}


async def test_an_attachment_is_a_document_of_its_own_at_any_depth(
    store: Store, library: StoreLibrary
) -> None:
    mail = new("offer.eml", _mail(Attachment("old.eml", INNER)), ["slack:C1"])
    await store.write(lambda c: writing.put_documents(c, [mail]))

    docs = await _docs(library, LAWYERS)
    found = await library.search("within how many days are invoices paid", LAWYERS)

    assert list(docs) == ["offer.eml", "offer.eml!/old.eml", "offer.eml!/old.eml!/terms.md"]
    assert found.documents[:1] == (docs["offer.eml!/old.eml!/terms.md"],)
    assert await _docs(library) == {}  # its readers are those of the mail


async def test_an_attachment_keeps_its_identity_and_goes_when_it_is_taken_off(
    store: Store, library: StoreLibrary
) -> None:
    both = _mail(Attachment("old.eml", INNER), Attachment("plan.md", LEAVE))
    await store.write(lambda c: writing.put_documents(c, [new("offer.eml", both)]))
    before = await _docs(library)

    fewer = _mail(Attachment("plan.md", LEAVE))
    await store.write(lambda c: writing.put_documents(c, [new("offer.eml", fewer)]))

    left = ("offer.eml", "offer.eml!/plan.md")
    assert await _docs(library) == {doc: before[doc] for doc in left}
    assert before["offer.eml!/old.eml!/terms.md"] not in await _found(library, "invoices paid")


async def test_what_hangs_on_a_mail_shares_its_fate(store: Store, library: StoreLibrary) -> None:
    mail = new("offer.eml", _mail(Attachment("old.eml", INNER)))
    mail_id = mail.facts.doc_id
    before = await store.read(_left)
    await store.write(lambda c: writing.put_documents(c, [mail]))
    ids = await _docs(library)
    since = datetime(2026, 6, 1, tzinfo=UTC)

    await store.write(lambda c: writing.mark_not_seen(c, [mail_id], since))
    marked = [(await _entry(library, one)).document.not_seen_since for one in ids.values()]
    await store.write(lambda c: writing.hide_documents(c, [mail_id]))
    hidden = await _docs(library)
    await store.write(lambda c: writing.show_documents(c, [mail_id]))
    shown = await _docs(library)
    await store.write(lambda c: writing.set_readers(c, mail_id, frozenset({"slack:C1"})))
    others = (await _docs(library), await _docs(library, LAWYERS))
    await store.write(lambda c: writing.purge_documents(c, [mail_id]))

    assert marked == [since] * 3
    assert (hidden, shown, others) == ({}, ids, ({}, ids))
    assert await store.read(_left) == before


async def test_what_hangs_on_a_mail_moves_with_it(store: Store, library: StoreLibrary) -> None:
    mail = new("offer.eml", _mail(Attachment("old.eml", INNER)))
    await store.write(lambda c: writing.put_documents(c, [mail]))
    ids = await _docs(library)

    moved = replace(mail.facts, doc="archive/offer.eml", url="https://drive.example/n")
    await store.write(lambda c: writing.move_document(c, moved, frozenset({"workspace"})))

    now = await _docs(library)
    assert now == {f"archive/{doc}": doc_id for doc, doc_id in ids.items()}
    assert (await _entry(library, ids["offer.eml!/old.eml"])).document.url == moved.url
    assert ids["offer.eml!/old.eml"] in await _found(library, "archive")


async def test_a_mail_leads_to_what_hangs_on_it(store: Store, library: StoreLibrary) -> None:
    mail = _mail(Attachment("old.eml", INNER))
    await store.write(lambda c: writing.put_documents(c, [new("offer.eml", mail)]))
    await store.write(writing.resolve_cross_references)
    ids = await _docs(library)

    entry = await _entry(library, ids.pop("offer.eml"))

    assert {each.doc_id for each in entry.cross_references} == set(ids.values())
