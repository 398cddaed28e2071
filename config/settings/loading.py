"""Reads file and environment, once."""

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic_settings import SettingsError

from config.settings.whole import ENV_PREFIX, Settings

CONFIG_VARIABLE = "FOOTNOTE_CONFIG"


class SettingsFileError(ValueError):
    """The settings file is missing or is no TOML."""


def settings_file(explicit: Path | None) -> Path | None:
    """The file to read: the one named, else `FOOTNOTE_CONFIG`, else `footnote.toml` here."""
    if explicit:
        return explicit
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    here = Path("footnote.toml")
    return here if here.is_file() else None


def load_settings(file: Path | None = None) -> Settings:
    """Read environment and file, once.

    Args:
        file: the settings file; None looks where `settings_file` says.

    Raises:
        SettingsFileError: the file is missing or is no TOML, or a variable is no JSON.
        pydantic.ValidationError: a value or key cannot be used; see `config.explain`.
    """
    path = settings_file(file)
    given: dict[str, Any] = (_read_toml(path) if path else {}) | _unknown_variables()
    try:
        return Settings(**given)
    except SettingsError as error:
        name = str(error).split('"')[1] if '"' in str(error) else ""
        raise SettingsFileError(
            f"The variable {ENV_PREFIX}{name.upper()} cannot be read: a whole group or list is "
            f"JSON there. Set its keys one by one, {ENV_PREFIX}{name.upper()}__<KEY>, "
            "or use the settings file."
        ) from error


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsFileError(
            f"The settings file {path} cannot be read ({error.strerror}). "
            "Name an existing file with --config or FOOTNOTE_CONFIG."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsFileError(
            f"The settings file {path} is no TOML: {error}. Mend that line; "
            "config/footnote.toml is a commented example."
        ) from error


def _unknown_variables() -> dict[str, str]:
    """Misspelt top-level variables, which pydantic-settings would pass over in silence."""
    known = {name.upper() for name in Settings.model_fields}
    unknown: dict[str, str] = {}
    for variable, value in os.environ.items():
        if not variable.startswith(ENV_PREFIX) or variable == CONFIG_VARIABLE:
            continue
        if variable.removeprefix(ENV_PREFIX).split("__")[0] not in known:
            unknown[variable.removeprefix(ENV_PREFIX).lower()] = value
    return unknown
