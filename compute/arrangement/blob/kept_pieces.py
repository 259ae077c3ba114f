"""Decoded pieces in memory, bounded by bytes: the least recently used go first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from weakref import WeakValueDictionary

import pyarrow as pa

_Piece = tuple[str, int]
"""A block's key, and the number of one of its pieces."""


class KeptPieces:
    """The pieces of one process. Any thread may call. A piece that somebody uses is found, although it had to go."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Piece, tuple[pa.RecordBatch, int]] = OrderedDict()
        self._in_use: WeakValueDictionary[_Piece, pa.RecordBatch] = WeakValueDictionary()
        self.bytes = 0
        """How many bytes all kept pieces have: never more than the bound."""

    def get(self, key: str, number: int) -> pa.RecordBatch | None:
        """Returns the rows of a piece that is at hand."""
        with self._lock:
            kept = self._kept.get((key, number))
            if kept is None:
                return self._in_use.get((key, number))
            self._kept.move_to_end((key, number))
            return kept[0]

    def keep(self, key: str, number: int, rows: pa.RecordBatch, size: int) -> None:
        """Keeps the rows of a piece, which hold on to `size` bytes; of a piece larger than the bound, while it is in
        use."""
        with self._lock:
            self._in_use[key, number] = rows
            former = self._kept.pop((key, number), None)
            self.bytes -= 0 if former is None else former[1]
            if size > self._bytes_max:
                return
            while self.bytes + size > self._bytes_max:
                _, (_, gone) = self._kept.popitem(last=False)
                self.bytes -= gone
            self._kept[key, number] = rows, size
            self.bytes += size
