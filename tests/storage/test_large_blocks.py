"""Large blocks are the system's again as soon as they are freed, also after the C library has learned otherwise."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from tests.missing import lacks

_PROGRAM = """
import ctypes, sys
from storage.persist.large_blocks import give_back_large_blocks

class Blocks(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "heap b c d mapped f g h i j".split()]

told = ctypes.CDLL(None).mallinfo2
told.restype = Blocks
if sys.argv[1] == "give":
    give_back_large_blocks()
for _ in range(3):
    bytearray(24 << 20)
blocks = [bytearray(4 << 20) for _ in range(10)]
print(told().mapped >> 20)
"""


@pytest.mark.parametrize(("what", "mapped"), [("give", True), ("keep", False)])
def test_large_blocks_are_mapped_whatever_was_freed_before(what: str, mapped: bool) -> None:
    if platform.libc_ver()[0] != "glibc":
        lacks("glibc tells which blocks are mapped")
    done = subprocess.run([sys.executable, "-c", _PROGRAM, what], capture_output=True, text=True, check=True)
    assert (int(done.stdout) >= 40) is mapped
