"""The checksum by which PostgreSQL orders lexemes and tells trigrams apart: CRC-32 as its old versions made it.

The table is that of the usual CRC-32, whose lowest bit comes first, but the register shifts the other way.
"""

from __future__ import annotations


def _table() -> tuple[int, ...]:
    """Returns the checksums of single bytes."""
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        table.append(value)
    return tuple(table)


_CHECKSUMS = _table()


def old_checksum(data: bytes) -> int:
    """Returns the checksum of bytes, in 32 bits."""
    register = 0xFFFFFFFF
    for byte in data:
        register = _CHECKSUMS[(register >> 24) ^ byte] ^ (register << 8) & 0xFFFFFFFF
    return register ^ 0xFFFFFFFF
