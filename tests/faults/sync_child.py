"""Processes that sync one folder and say how far they are, to be killed by a test.

`python -m tests.faults.sync_child DATA FOLDER` starts one for every line it is given. A line each:
`pid N`, the signs of progress, `ended STATUS`.
"""

import asyncio
import os
import sys
from pathlib import Path

from agent.domain import ParsedDocument
from agent.store import open_store
from config.settings import Settings
from connectors.jobs import Jobs
from connectors.reports import SyncProgress
from tests.sync_fakes import PlainParser


class SayingParser(PlainParser):
    async def parse(self, path: Path, name: str) -> ParsedDocument:
        parsed = await PlainParser.parse(self, path, name)
        say(f"parsed {name}")
        return parsed


def settings_for(data: Path, folder: Path) -> Settings:
    """One folder, committed three documents at a time, so that kills fall between commits."""
    return Settings.model_validate(
        {
            "data_dir": data,
            "sync": {"batch_documents": 3},
            "sources": [{"name": "drive", "path": folder, "audience": ["workspace"]}],
        }
    )


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def main(data: Path, folder: Path) -> None:
    settings = settings_for(data, folder)
    store = open_store(settings.store_url)
    jobs = Jobs(store, settings, parser=SayingParser())

    def told(progress: SyncProgress) -> None:
        say(f"{progress.stage} {progress.seen} {progress.done}")

    await jobs.run(None, told)
    await jobs.close()
    store.close()


def start_one(data: Path, folder: Path) -> None:
    """Fork, before any thread or loop is there, and wait for the end."""
    pid = os.fork()
    if pid == 0:
        asyncio.run(main(data, folder))
        os._exit(0)
    say(f"pid {pid}")
    _, status = os.waitpid(pid, 0)
    say(f"ended {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    for _ in sys.stdin:
        start_one(Path(sys.argv[1]), Path(sys.argv[2]))
