"""Who holds a lock, and whether that process can still be alive.

A killed process leaves its lock behind. On the same machine its death can be seen at once (a
process id alone is not enough: in a container every restart is process 1); from elsewhere only
its heartbeat tells.
"""

import os
import socket
import uuid
from pathlib import Path


def new_owner() -> str:
    """A name for one run of this process: machine, process, when it was born, which run."""
    return "|".join((socket.gethostname(), str(os.getpid()), _born(os.getpid()), uuid.uuid4().hex))


def is_dead(owner: str) -> bool:
    """Whether the process is known to have ended; False where that cannot be known."""
    host, pid, born, _ = owner.split("|")
    if host != socket.gethostname() or not born:
        return False
    return _born(int(pid)) != born


def _born(pid: int) -> str:
    """Boot and clock tick at which a process began; empty: it is gone, or the system is silent."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        after_name = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except (OSError, ValueError):
        return ""
    zombie, started = after_name[0] in (b"Z", b"X"), after_name[19].decode("ascii")
    return "" if zombie else f"{boot}/{started}"
