"""All settings as one value, and how they hang together."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from config.settings.chat import (
    AdminSettings,
    ChannelSettings,
    ConversationSettings,
    PrivacySettings,
    PrivateSettings,
    PublicSettings,
    SlackSettings,
    TeamsSettings,
)
from config.settings.drives import (
    GroupSettings,
    OcrSettings,
    SourceSettings,
    SyncSettings,
    default_sources,
)
from config.settings.engine import (
    EmbedderSettings,
    LoopSettings,
    ModelSettings,
    RerankerSettings,
    StoreSettings,
    TraceSettings,
)

ENV_PREFIX = "FOOTNOTE_"


class Settings(BaseSettings):
    """The whole configuration of one running assistant."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_nested_delimiter="__",
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
    )

    data_dir: Path = Path(".footnote")
    """Folder for the database and caches."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least important log lines written."""
    store: StoreSettings = StoreSettings()
    model: ModelSettings = ModelSettings()
    loop: LoopSettings = LoopSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    reranker: RerankerSettings = RerankerSettings()
    slack: SlackSettings = SlackSettings()
    teams: TeamsSettings = TeamsSettings()
    admins: AdminSettings = AdminSettings()
    public: PublicSettings = PublicSettings()
    private: PrivateSettings = PrivateSettings()
    conversation: ConversationSettings = ConversationSettings()
    privacy: PrivacySettings = PrivacySettings()
    trace: TraceSettings = TraceSettings()
    sync: SyncSettings = SyncSettings()
    ocr: OcrSettings = OcrSettings()
    sources: tuple[SourceSettings, ...] = Field(default_factory=default_sources)
    """The drives, `[[sources]]`; the default is the sample library."""
    groups: dict[str, GroupSettings] = Field(default_factory=dict)
    """Named groups of people, `[groups.hr]`."""
    channels: dict[str, ChannelSettings] = Field(default_factory=dict)
    """Channels by id, `[channels."slack:C012…"]`; `default` holds the defaults."""
    glossary: dict[str, str] = Field(default_factory=dict)
    """Abbreviations and what they stand for."""

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        names = [source.name for source in self.sources]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two sources are called {', '.join(twice)}; give each its own name")
        return self

    @model_validator(mode="after")
    def _groups_are_known(self) -> Self:
        for place, words in self._audiences():
            for word in words:
                if word.startswith("group:") and word.removeprefix("group:") not in self.groups:
                    raise ValueError(f"{place}: no [groups.{word[6:]}] is set")
        return self

    def _audiences(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for source in self.sources:
            yield f"source {source.name}", source.audience
            for rule in source.rules:
                yield f"source {source.name}, rule {rule.path}", rule.audience
        for key, channel in self.channels.items():
            yield f'channels."{key}"', channel.askers

    @model_validator(mode="after")
    def _channels_are_known(self) -> Self:
        names = {source.name for source in self.sources}
        for key, channel in self.channels.items():
            if key != "default" and not re.fullmatch(r"[a-z]+:\S+", key):
                raise ValueError(
                    f'channels."{key}" is no channel; use its id, "slack:C…" or "teams:…"'
                )
            if unknown := sorted(set(channel.sources) - names):
                raise ValueError(f'channels."{key}" names a source {unknown[0]!r} that is not set')
        return self

    def channel(self, key: str) -> ChannelSettings:
        """How the bot behaves in a channel, `slack:C012…`; the defaults where nothing is set."""
        return self.channels.get(key) or self.channels.get("default", ChannelSettings())

    @property
    def store_url(self) -> str:
        """Where the database is."""
        return self.store.url or f"sqlite:///{self.data_dir / 'footnote.db'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment first, then what the file said (handed over as arguments)."""
        return env_settings, init_settings
