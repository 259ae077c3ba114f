"""How much may wait for the reader of one subscription."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BufferLimits:
    """Bytes: in memory, and in files beyond. Contents that are larger than that wait for their reader, who must take
    something every `stall_s` seconds."""

    memory_bytes: int = 16 << 20
    spill_bytes: int = 1 << 30
    stall_s: float = 60.0
