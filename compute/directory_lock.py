"""A directory that one process at a time works in: it holds a lock of the system's, which ends when it does, however.

So who holds the lock lives, whatever clocks say and whichever process has got an id anew.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from compute.processes import birth_of

_NAME = "in-use"


class DirectoryTaken(Exception):
    """Another process works in the directory."""


class DirectoryLock:
    """Held until `release`, or the end of this process; processes that it starts don't have it."""

    def __init__(self, directory: Path) -> None:
        """DirectoryTaken, OSError."""
        self._descriptor = os.open(directory / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            holder = holder_of(directory)
            named = "another process" if holder is None else f"process {holder}"
            raise DirectoryTaken(f"{named} works in {directory}") from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()} {birth_of(os.getpid())}".encode(), 0)

    def release(self) -> None:
        os.close(self._descriptor)


def holder_of(directory: Path) -> int | None:
    """Returns the process that works in the directory; None when none does, or it has only just begun. Raises
    OSError."""
    try:
        descriptor = os.open(directory / _NAME, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        pid, _, birth = os.pread(descriptor, 256, 0).decode().partition(" ")
        return int(pid) if pid and birth_of(int(pid)) == birth else None
    else:
        return None
    finally:
        os.close(descriptor)
