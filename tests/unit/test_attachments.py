"""Attachments through the sync: in the map and answerable, and gone with their mail."""

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from agent.domain import ParsedDocument
from connectors.formats.worker import parse_file
from tests.format_files import FILE_BYTES, zipped
from tests.sync_fakes import Bench, PlainParser, bench

FORM = "offer.eml!/form.md"


class RealParser(PlainParser):
    """Reads every kind of file, in this process."""

    async def parse(self, path: Path, name: str) -> ParsedDocument:
        self.parsed.append(name)
        return parse_file(str(path), name, FILE_BYTES).document


def offer(*files: tuple[str, bytes]) -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "Offer", "a@b.example"
    mail.set_content("The form is attached.\n")
    for name, data in files:
        mail.add_attachment(data, maintype="application", subtype="x", filename=name)
    return mail.as_bytes()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Bench]:
    with bench(tmp_path) as made:
        made.parser = RealParser()
        made.drive.put("offer.eml", offer(("form.md", b"# Form\n\nSign on page two.\n")))
        yield made


async def test_an_attachment_is_in_the_map_and_read(house: Bench) -> None:
    report = await house.run()

    assert (report.seen, report.added) == (1, 1)
    assert list(await house.documents()) == ["offer.eml", FORM]
    assert "Sign on page two." in await house.text(FORM)


async def test_an_unchanged_mail_keeps_its_attachments_without_a_parse(house: Bench) -> None:
    await house.run()
    before = await house.documents()

    report = await house.run()

    assert (report.unchanged, house.parser.parsed) == (1, ["offer.eml"])
    assert await house.documents() == before


async def test_the_same_mail_elsewhere_comes_from_the_cache_with_its_attachments(
    house: Bench,
) -> None:
    await house.run()
    house.drive.put("second.eml", house.drive.files["offer.eml"].content)

    report = await house.run()

    assert (report.added, report.parsed) == (1, 0)
    assert "Sign on page two." in await house.text("second.eml!/form.md")


async def test_a_mail_that_changes_keeps_the_ids_of_what_stays_on_it(house: Bench) -> None:
    await house.run()
    before = await house.documents()
    house.drive.put("offer.eml", offer(("form.md", b"# Form\n\nSign twice.\n"), ("b.txt", b"B.")))

    await house.run()

    after = await house.documents()
    assert after[FORM].doc_id == before[FORM].doc_id
    assert list(after) == ["offer.eml", "offer.eml!/b.txt", FORM]
    assert "Sign twice." in await house.text(FORM)


async def test_attachments_move_and_go_with_their_mail(house: Bench) -> None:
    house.drive.put("other.md", "# Other\n\nText.\n")
    await house.run()
    before = await house.documents()
    house.drive.rename("offer.eml", "old/offer.eml")
    await house.run()
    moved = await house.documents()
    house.drive.delete("old/offer.eml")

    await house.run()

    assert moved["old/offer.eml!/form.md"].doc_id == before[FORM].doc_id
    assert list(await house.documents()) == ["other.md"]


async def test_attachments_have_the_readers_of_their_mail(house: Bench) -> None:
    house.changed["drive"] = {"audience": ("slack:C1",)}

    await house.run()

    assert await house.documents() == {}
    assert FORM in await house.documents("slack:C1")


async def test_an_attachment_that_cannot_be_read_is_told_and_fails_no_run(house: Bench) -> None:
    house.drive.put("offer.eml", offer(("a.zip", zipped({"x": "y"}))))

    report = await house.run()

    assert report.failed == ()
    assert [each.doc for each in report.partial] == ["offer.eml!/a.zip"]
    assert report.partial[0].reason.startswith("unsupported")
