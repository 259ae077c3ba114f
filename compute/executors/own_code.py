"""Tells whether two processes have the same code for tasks: an executor's machine may have another version installed.

A task is plain data, and other code could take it for something else without an error. So it carries a digest of the
sources that work on it, and an attempt by others is refused.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_ROOMS = ("arrangement", "executors", "kernels", "replica/dataflows/exports")


class OtherCode(Exception):
    """A task that was made by other code than this process has."""


@cache
def own_code() -> str:
    """Returns a digest of this process's sources of tasks. Raises OSError."""
    digest = hashlib.sha256()
    compute = Path(__file__).parent.parent
    for path in sorted(path for room in _ROOMS for path in (compute / room).rglob("*.py")):
        digest.update(f"{path.relative_to(compute)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def check_code(code: str) -> None:
    """Raises OtherCode unless the code is this process's."""
    if code != own_code():
        raise OtherCode("the executor has another version of this software than the replica")
