"""What a replica's options may be, wherever they are written: its heap, its Spark master, the address of one that runs
elsewhere, and how many there may be."""

from __future__ import annotations

import re

from model.process.addresses import ADDRESS, PORT_MAX

STATE_CACHE_BYTES = 4 << 30
"""So much of the state that is kept in blob lies on a replica's disk, too, unless told otherwise."""
REPLICAS_MAX = 16
"""How many replicas a cluster may have."""
_MASTER = re.compile(r"local(?:\[[\d*]+(?:, *\d+)?\])?|local-cluster\[\d+, *\d+, *\d+\]|spark://\S+:\d+\S*")
_MEMORY = re.compile(r"([1-9]\d*)([kmgKMG])")
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_MEMORY_MAX = 16384 << 30
"""The largest heap that Java's collectors are made for."""
_DIGITS_MAX = 18


def checked_master(value: str) -> str:
    if not _MASTER.fullmatch(value):
        forms = "local[SLOTS], local-cluster[WORKERS,CORES,MEGABYTES] or spark://HOST:PORT"
        raise ValueError(f"Spark's master is {forms}, not {value!r}")
    return value


def checked_address(value: str) -> str:
    """Returns the address of a replica that somebody else starts; raises ValueError for other texts."""
    if value.startswith("unix:/"):
        return value
    match = ADDRESS.fullmatch(value)
    if match is None or not 0 < int(match[1]) <= PORT_MAX or value.startswith(":"):
        raise ValueError(f"a replica's address is HOST:PORT or unix:/PATH, not {value!r}")
    return value


def checked_memory(value: str) -> str:
    amount = _MEMORY.fullmatch(value)
    if amount is None:
        raise ValueError(f"an amount of memory is a number and its unit, such as 4g or 512m, not {value!r}")
    if len(amount[1]) > _DIGITS_MAX or int(amount[1]) * _UNITS[amount[2].lower()] > _MEMORY_MAX:
        raise ValueError("an amount of memory is 16384g at most")
    return value
