"""The app package keeps within what Teams takes: texts, commands, icons, least permissions."""

import json
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[2] / "config" / "teams-app"


@pytest.fixture
def manifest() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((PACKAGE / "manifest.json").read_text(encoding="utf-8"))
    return loaded


def test_texts_keep_within_their_limits(manifest: dict[str, Any]) -> None:
    assert len(manifest["name"]["short"]) <= 30
    assert len(manifest["name"]["full"]) <= 100
    assert len(manifest["description"]["short"]) <= 80
    assert len(manifest["description"]["full"]) <= 4_000
    assert len(manifest["developer"]["name"]) <= 32


def test_commands_keep_within_their_limits(manifest: dict[str, Any]) -> None:
    (bot,) = manifest["bots"]
    (commands,) = [entry["commands"] for entry in bot["commandLists"]]

    assert len(commands) <= 10
    assert {command["title"] for command in commands} >= {"reindex", "status"}
    for command in commands:
        assert len(command["title"]) <= 32
        assert len(command["description"]) <= 128


def test_the_bot_may_be_used_everywhere_and_asks_for_nothing_more(
    manifest: dict[str, Any],
) -> None:
    (bot,) = manifest["bots"]

    assert bot["scopes"] == ["personal", "team", "groupChat"]
    assert not bot["supportsFiles"]
    assert manifest["permissions"] == ["identity", "messageTeamMembers"]
    assert manifest["validDomains"] == []
    assert "authorization" not in manifest
    assert "webApplicationInfo" not in manifest


def test_the_app_id_is_the_only_place_to_fill(manifest: dict[str, Any]) -> None:
    assert manifest["id"] == manifest["bots"][0]["botId"] == "{{APP_ID}}"


@pytest.mark.parametrize(("name", "side"), [("color.png", 192), ("outline.png", 32)])
def test_icons_have_the_size_that_teams_asks_for(
    manifest: dict[str, Any], name: str, side: int
) -> None:
    assert manifest["icons"][name.removesuffix(".png")] == name
    assert _size(PACKAGE / name) == (side, side)


def test_the_outline_is_white_on_nothing() -> None:
    colours = {(r, g, b) for r, g, b, a in _pixels(PACKAGE / "outline.png") if a}
    opacities = {a for _, _, _, a in _pixels(PACKAGE / "outline.png")}

    assert colours == {(255, 255, 255)}
    assert {0, 255} <= opacities


def test_the_colour_icon_is_opaque() -> None:
    assert {a for _, _, _, a in _pixels(PACKAGE / "color.png")} == {255}


def _chunks(path: Path) -> dict[bytes, bytes]:
    data, chunks, at = path.read_bytes(), {}, 8
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        chunks[data[at + 4 : at + 8]] = data[at + 8 : at + 8 + length]
        at += length + 12
    return chunks


def _size(path: Path) -> tuple[int, int]:
    width, height = struct.unpack(">II", _chunks(path)[b"IHDR"][:8])
    return width, height


def _pixels(path: Path) -> list[tuple[int, int, int, int]]:
    """The pixels of an RGBA image whose rows are stored unfiltered, as ours are."""
    width, height = _size(path)
    rows = zlib.decompress(_chunks(path)[b"IDAT"])
    stride = 4 * width + 1
    assert {rows[row * stride] for row in range(height)} == {0}
    flat = b"".join(rows[row * stride + 1 : (row + 1) * stride] for row in range(height))
    return [tuple(flat[at : at + 4]) for at in range(0, len(flat), 4)]  # type: ignore[misc] # four


def test_only_one_package_knows_the_sdk() -> None:
    root = Path(__file__).parents[2]
    sdk = root / "bots" / "teams" / "sdk"
    knows = re.compile(r"^\s*(?:from|import) (?:botbuilder|botframework|msal|msrest)\b", re.M)
    files = [
        path for part in ("bots", "agent", "connectors") for path in (root / part).rglob("*.py")
    ]
    knowing = [path for path in files if knows.search(path.read_text(encoding="utf-8"))]

    assert knowing
    assert {path.parent for path in knowing} == {sdk}
