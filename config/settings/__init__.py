"""Every knob of the assistant, typed, in one place.

Values come from (first wins) environment variables `FOOTNOTE_<GROUP>__<KEY>`, then one TOML
file, then the defaults, which run as they are. Only the composition root calls `load_settings`;
everybody else is handed the group it needs.
"""

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
    PathRule,
    SourceSettings,
    SyncSettings,
)
from config.settings.engine import (
    EmbedderSettings,
    LoopSettings,
    ModelSettings,
    RerankerSettings,
    StoreSettings,
    TraceSettings,
)
from config.settings.loading import SettingsFileError, load_settings, settings_file
from config.settings.whole import ENV_PREFIX, Settings
from config.settings.words import AUDIENCE_FORMS

__all__ = [
    "AUDIENCE_FORMS",
    "ENV_PREFIX",
    "AdminSettings",
    "ChannelSettings",
    "ConversationSettings",
    "EmbedderSettings",
    "GroupSettings",
    "LoopSettings",
    "ModelSettings",
    "OcrSettings",
    "PathRule",
    "PrivacySettings",
    "PrivateSettings",
    "PublicSettings",
    "RerankerSettings",
    "Settings",
    "SettingsFileError",
    "SlackSettings",
    "SourceSettings",
    "StoreSettings",
    "SyncSettings",
    "TeamsSettings",
    "TraceSettings",
    "load_settings",
    "settings_file",
]
