"""A batch as an Arrow IPC file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BatchFile:
    """`checksum` is the CRC-32 of the file's `bytes` bytes."""

    name: str
    rows: int
    bytes: int
    checksum: int
