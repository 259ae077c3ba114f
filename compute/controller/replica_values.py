"""What a replica's options may be, wherever they are written: its heap, its Spark master, and how many there may be."""

from __future__ import annotations

import re

REPLICAS_MAX = 16
"""How many replicas a cluster may have."""
_MASTER = re.compile(r"local(?:\[[\d*]+(?:, *\d+)?\])?|local-cluster\[\d+, *\d+, *\d+\]|spark://\S+:\d+\S*")
_MEMORY = re.compile(r"[1-9]\d*[kmgKMG]")


def checked_master(value: str) -> str:
    if not _MASTER.fullmatch(value):
        forms = "local[SLOTS], local-cluster[WORKERS,CORES,MEGABYTES] or spark://HOST:PORT"
        raise ValueError(f"Spark's master is {forms}, not {value!r}")
    return value


def checked_memory(value: str) -> str:
    if not _MEMORY.fullmatch(value):
        raise ValueError(f"an amount of memory is a number and its unit, such as 4g or 512m, not {value!r}")
    return value
