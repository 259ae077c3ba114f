"""The limits for what waits for a subscription's reader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BufferLimits:
    """Limits in bytes: in memory, and in files beyond. Contents that are larger wait for the reader, who must take
    some every `stall_s` seconds."""

    memory_bytes: int = 16 << 20
    spill_bytes: int = 1 << 30
    stall_s: float = 60.0
