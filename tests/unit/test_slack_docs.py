"""The manifests ask for what the code needs, and docs/slack.md explains every scope."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "slack.md").read_text(encoding="utf-8")
MANIFESTS = ("slack-manifest.yaml", "slack-manifest-follow-ups.yaml")


def listed(manifest: str, key: str) -> list[str]:
    """The items of a list in a manifest."""
    text = (ROOT / "config" / manifest).read_text(encoding="utf-8")
    found = re.search(rf"^ *{key}:\n((?: +- \S+\n)+)", text, re.MULTILINE)
    assert found is not None
    return re.findall(r"- (\S+)", found[1])


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_every_scope_is_explained(manifest: str) -> None:
    assert [scope for scope in listed(manifest, "bot") if f"| `{scope}` |" not in DOCS] == []


def test_every_explained_scope_is_asked_for() -> None:
    asked = {scope for manifest in MANIFESTS for scope in listed(manifest, "bot")}

    assert set(re.findall(r"^\| `([a-z_]+:[a-z.]+|commands)` \|", DOCS, re.MULTILINE)) == asked


def test_the_first_manifest_hears_only_what_is_meant_for_us() -> None:
    assert listed("slack-manifest.yaml", "bot_events") == ["app_mention", "message.im"]
    scopes = listed("slack-manifest.yaml", "bot")
    assert [scope for scope in scopes if scope.endswith(":history")] == ["im:history"]


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_every_heard_event_has_its_scope(manifest: str) -> None:
    needed = {
        "app_mention": "app_mentions:read",
        "message.im": "im:history",
        "message.channels": "channels:history",
        "message.groups": "groups:history",
        "message.mpim": "mpim:history",
    }

    scopes = listed(manifest, "bot")
    assert all(needed[event] in scopes for event in listed(manifest, "bot_events"))


def test_the_admin_words_are_documented() -> None:
    words = ("reindex", "reindex SOURCE", "status", "failed [SOURCE]", "confirm-deletes SOURCE")
    assert [word for word in words if f"`{word}`" not in DOCS] == []
