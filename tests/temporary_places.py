"""Where tests put their directories: in memory, where the machine has enough of it.

A durable write waits for the disk, servers and checkpoints make thousands of them, and no test can tell a disk from
memory: kill -9 leaves files as they are, and what a power cut takes is the simulation's to try.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import psutil

_MEMORY = Path("/dev/shm")
_ROOM_BYTES = 8 << 30


def put_temporary_files_in_memory() -> None:
    """For this process and all that it starts; TMPDIR, where it is set, decides."""
    if "TMPDIR" not in os.environ and _has_room(_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def _has_room(folder: Path) -> bool:
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    executable = not found.f_flag & os.ST_NOEXEC
    free = min(found.f_bavail * found.f_frsize, psutil.virtual_memory().available)
    return executable and os.access(folder, os.W_OK) and free >= _ROOM_BYTES
