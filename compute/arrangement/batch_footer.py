"""The footer of a batch's file: where each block lies, and enough of its hashes to look a key up in it.

Format 3 is format 2 with blocks in pieces, which files in blob have."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec
import pyarrow as pa

from compute.arrangement.batch import Block, CorruptFile

FORMAT = 2
PIECES_FORMAT = 3
MAGIC = b"HWBATCH2"
_LENGTH_BYTES = 8


class FooterBlock(msgspec.Struct, frozen=True, array_like=True):
    """The block of `length` bytes from byte `offset` on, whose CRC-32 is `checksum`.

    `memory_bytes`: the size of its rows in memory.
    `first`, `last`: its first and its last hash.
    `sample`: every WINDOW_ROWS-th hash (see Block), as little-endian int64.
    `piece_rows`: how many rows each piece has, but for the last; 0 where the block is a single message. `lengths` and
    `checksums`: of each piece, as little-endian uint32; `filter`: of the block's hashes (see blob/block_pieces).
    """

    offset: int
    length: int
    checksum: int
    rows: int
    memory_bytes: int
    first: int
    last: int
    sample: bytes
    piece_rows: int = 0
    lengths: bytes = b""
    checksums: bytes = b""
    filter: bytes = b""


def footer_block(
    block: Block,
    offset: int,
    data: pa.Buffer,
    *,
    piece_rows: int = 0,
    lengths: bytes = b"",
    checksums: bytes = b"",
    filter: bytes = b"",
) -> FooterBlock:
    """Returns what the footer says of a block that lies as `data` from byte `offset` on."""
    checksum, sample = zlib.crc32(data), block.sample.tobytes()
    size, rows, first, last = data.size, block.count, block.first, block.last
    pieces = piece_rows, lengths, checksums, filter
    return FooterBlock(offset, size, checksum, rows, block.bytes, first, last, sample, *pieces)


_decoder = msgspec.msgpack.Decoder(list[FooterBlock])


def encode_footer(blocks: Sequence[FooterBlock]) -> tuple[bytes, bytes]:
    """Returns the footer, and the end of the file behind it, by which it is found."""
    footer = msgspec.msgpack.encode(blocks)
    return footer, len(footer).to_bytes(_LENGTH_BYTES, "little") + MAGIC


def footer_place(name: str, file: memoryview) -> tuple[int, int]:
    """Returns where the footer of a file begins and ends. Raises CorruptFile."""
    end = len(file) - _LENGTH_BYTES - len(MAGIC)
    if end < 0 or file[end + _LENGTH_BYTES :] != MAGIC:
        raise CorruptFile(f"{name} does not end like a batch's file")
    begin = end - int.from_bytes(file[end : end + _LENGTH_BYTES], "little")
    if begin < 0:
        raise CorruptFile(f"{name} is shorter than its footer")
    return begin, end


def decode_footer(name: str, footer: pa.Buffer) -> list[FooterBlock]:
    """Returns the blocks of a file. Raises CorruptFile."""
    try:
        return _decoder.decode(footer)
    except msgspec.DecodeError as error:
        raise CorruptFile(f"the footer of {name} can't be read: {error}") from error
