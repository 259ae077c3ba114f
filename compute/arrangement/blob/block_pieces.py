"""The pieces of a block: record batches of few rows, each read, checked and decoded by itself.

    object of a block = piece | piece | …

A lookup of few keys reads the pieces that may hold them, by ranges of the object. The footer says where each piece
lies, and has its checksum; every WINDOW_ROWS-th hash is there anyway, so the first hash of each piece is known, too. A
filter tells of most keys that the block does not have, so that these cost no read.

    filter: HASHES_EACH bits for each hash, of BITS_EACH times as many bits as hashes: one absent hash in 18 passes
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from compute.arrangement.batch import WINDOW_ROWS, Block
from compute.arrangement.batch_footer import FooterBlock, footer_block
from compute.arrangement.equality import Indices, Mask

PIECE_BYTES = 16 << 10
"""About how large a piece is: a request of less costs as much, and a checksum of more takes longer than the read."""
BITS_EACH = 6
HASHES_EACH = 4
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ALL = (1 << 64) - 1
_FEW = 8


@dataclass(frozen=True, slots=True)
class BlockPieces:
    """Where the pieces of a block lie: piece i has the bytes from `begins[i]` until before `begins[i + 1]`, and hashes
    from `first[i]` on."""

    begins: memoryview
    checksums: memoryview
    first: Indices
    filter: bytes

    @property
    def count(self) -> int:
        return len(self.checksums)

    def ranges(self, numbers: Sequence[int]) -> list[tuple[int, int]]:
        """Returns the first byte and the size of each piece."""
        begins = self.begins
        return [(begins[number], begins[number + 1] - begins[number]) for number in numbers]

    def between(self, low: Indices, high: Indices) -> list[int]:
        """Returns the numbers of the pieces that may have hashes from `low[i]` to `high[i]`, for any i, in their
        order."""
        return self._between_few(low.tolist(), high.tolist()) if len(low) <= _FEW else self._between_many(low, high)

    def _between_few(self, low: Sequence[int], high: Sequence[int]) -> list[int]:
        first, found = self.first.data, set[int]()
        for least, greatest in zip(low, high, strict=True):
            if least < greatest or _may_have_one(self.filter, least):
                # The hash that a piece begins with may be the last of the piece before it.
                found.update(range(max(0, bisect_left(first, least) - 1), bisect_right(first, greatest)))
        return sorted(found)

    def _between_many(self, low: Indices, high: Indices) -> list[int]:
        asked = (low < high) | may_have(self.filter, low)
        begin = np.maximum(np.searchsorted(self.first, low[asked]) - 1, 0)
        end = np.searchsorted(self.first, high[asked], "right")
        open_ = np.zeros(self.count + 1, np.int64)
        np.add.at(open_, begin, 1)
        np.add.at(open_, end, -1)
        numbers: list[int] = np.flatnonzero(np.cumsum(open_)).tolist()
        return numbers


def pieces_of(block: FooterBlock) -> BlockPieces | None:
    """Returns the pieces of a block; None for one that was written whole."""
    if not block.piece_rows:
        return None
    lengths = np.frombuffer(block.lengths, "<u4").astype(np.int64)
    sample = np.frombuffer(block.sample, np.int64)
    return BlockPieces(
        np.concatenate([[0], np.cumsum(lengths)]).data,
        np.frombuffer(block.checksums, "<u4").data,
        sample[:: block.piece_rows // WINDOW_ROWS].copy(),
        block.filter,
    )


def divided(block: Block, offset: int) -> tuple[FooterBlock, bytes]:
    """Returns what the footer says of a block that lies from byte `offset` on, and its bytes."""
    rows = max(1, block.rows_in(PIECE_BYTES) // WINDOW_ROWS) * WINDOW_ROWS
    pieces = [block.rows.slice(first, rows).serialize() for first in range(0, block.count, rows)]
    data = b"".join(pieces)
    described = footer_block(
        block,
        offset,
        pa.py_buffer(data),
        piece_rows=rows,
        lengths=np.array([piece.size for piece in pieces], "<u4").tobytes(),
        checksums=np.array([zlib.crc32(piece) for piece in pieces], "<u4").tobytes(),
        filter=filter_of(block.hashes),
    )
    return described, data


def joined_pieces(pieces: BlockPieces, data: pa.Buffer, schema: pa.Schema) -> pa.RecordBatch:
    """Returns the rows of all pieces together."""
    ends = pairwise(pieces.begins)
    return pa.concat_batches([pa.ipc.read_record_batch(data.slice(begin, end - begin), schema) for begin, end in ends])


def filter_of(hashes: Indices) -> bytes:
    """Returns a filter of sorted hashes."""
    distinct = hashes[np.flatnonzero(np.diff(hashes, prepend=~hashes[0]))]
    bits = np.zeros(-(-len(distinct) * BITS_EACH // 8) * 8, np.bool_)
    for place in _places(distinct, len(bits)):
        bits[place] = True
    return np.packbits(bits, bitorder="little").tobytes()


def may_have(filter_: bytes, hashes: Indices) -> Mask:
    """Returns which of the hashes may be among those of the filter: all that are, and few others."""
    octets, found = np.frombuffer(filter_, np.uint8), np.ones(len(hashes), np.bool_)
    for place in _places(hashes, 8 * len(octets)):
        found &= (octets[place >> 3] >> (place & 7).astype(np.uint8) & 1).astype(np.bool_)
    return found


def _may_have_one(filter_: bytes, hash_: int) -> bool:
    """Returns the same as `may_have` for a single hash, before numpy's calls have begun."""
    mixed, among = hash_ * int(_SPREAD) & _ALL, 8 * len(filter_)
    place, step = mixed >> 32, mixed & 0xFFFFFFFF | 1
    for _ in range(HASHES_EACH):
        bit = (place & 0xFFFFFFFF) * among >> 32
        if not filter_[bit >> 3] >> (bit & 7) & 1:
            return False
        place += step
    return True


def _places(hashes: Indices, bits: int) -> list[Indices]:
    """Returns the bits of each hash, HASHES_EACH of them."""
    mixed = hashes.view(np.uint64) * _SPREAD
    start, step = mixed >> _HALF, mixed & _LOW | np.uint64(1)
    among = np.uint64(bits)
    return [((start + np.uint64(i) * step & _LOW) * among >> _HALF).view(np.int64) for i in range(HASHES_EACH)]
