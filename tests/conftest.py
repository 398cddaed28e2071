"""The whole suite runs without a network, without credentials and without leftover settings."""

import os
import socket
from typing import Any

import pytest
from hypothesis import settings

# The same examples in every run and no limit of time: a red run can be repeated as it was.
settings.register_profile("footnote", derandomize=True, deadline=None)
settings.load_profile("footnote")

_LOOPBACK = ("127.", "localhost", "::1", "0.0.0.0")
_real_connect = socket.socket.connect


def _loopback_only(self: socket.socket, address: Any) -> None:
    if isinstance(address, tuple) and not str(address[0]).startswith(_LOOPBACK):
        pytest.fail(f"a test reached out to {address[0]}; only loopback is allowed")
    _real_connect(self, address)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("FOOTNOTE_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(socket.socket, "connect", _loopback_only)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """With NO_SKIPS set (CI), a test skipped for something missing is a failure."""
    skipped = terminalreporter.stats.get("skipped", [])
    if os.environ.get("NO_SKIPS") and skipped:
        terminalreporter.write_line(f"{len(skipped)} skipped, but NO_SKIPS is set", red=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("NO_SKIPS") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
