"""Returns freed memory to the operating system.

Once a block has been freed, glibc takes blocks of up to its size from the heap, where each long-lived block keeps all
freed memory below. Glibc also keeps twice as much of the heap's end. Compactions free many large blocks.
"""

from __future__ import annotations

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGE_BYTES = 1 << 20


def give_back_large_blocks() -> None:
    """Sets the limits of this process's glibc; does nothing with another C library."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE_BYTES)
        mallopt(_TRIM_THRESHOLD, _LARGE_BYTES)


def give_back_freed() -> None:
    """Returns free memory from the middle of the heap, which small long-lived blocks keep otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
