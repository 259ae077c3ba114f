"""Large blocks of memory go back to the system as they are freed.

Once a large block was freed, glibc takes blocks of up to that size from its heap, where each that lives on keeps what
was freed below it; and keeps twice as much of the heap's end. Compactions free many.
"""

from __future__ import annotations

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGE_BYTES = 1 << 20


def give_back_large_blocks() -> None:
    """For this process, whose C library may be another one, which is left as it is."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE_BYTES)
        mallopt(_TRIM_THRESHOLD, _LARGE_BYTES)


def give_back_freed() -> None:
    """Gives the system what is free anywhere in the heap, which small blocks that live on keep otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
