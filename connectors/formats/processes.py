"""Processes that know nothing of the program they serve.

A child of Python's fork server imports the main module of its parent, which for this program
means everything but the parsers: seconds of start and the memory of a whole application in each
worker. Here the main module is out of sight for the moment in which a child is started.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.popen_forkserver import Popen
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

_starting = threading.Lock()


@contextmanager
def _main_out_of_sight() -> Iterator[None]:
    with _starting:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


class _BareProcess(ForkServerProcess):
    """A process forked from the server without the main module."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: N802 - the hook that contexts override
        with _main_out_of_sight():
            return Popen(process_obj)


class BareContext(ForkServerContext):
    """Starts such processes; each holds the modules in `preload` and no others of ours."""

    Process = _BareProcess

    def __init__(self, preload: str) -> None:
        super().__init__()
        self.set_forkserver_preload([preload])
