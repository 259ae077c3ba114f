"""The footer of a batch's file, format 2: where each block lies, and enough of its hashes to look a key up in it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec
import pyarrow as pa

from compute.arrangement.batch import Block, CorruptFile

FORMAT = 2
MAGIC = b"HWBATCH2"
_LENGTH_BYTES = 8


class FooterBlock(msgspec.Struct, frozen=True, array_like=True):
    """The block of `length` bytes from byte `offset` on, whose CRC-32 is `checksum`.

    `memory_bytes`: the size of its rows in memory.
    `first`, `last`: its first and its last hash.
    `sample`: every WINDOW_ROWS-th hash (see Block), as little-endian int64.
    """

    offset: int
    length: int
    checksum: int
    rows: int
    memory_bytes: int
    first: int
    last: int
    sample: bytes


def footer_block(block: Block, offset: int, message: pa.Buffer) -> FooterBlock:
    """Returns what the footer says of a block that lies as `message` from byte `offset` on."""
    checksum = zlib.crc32(message)
    sample = block.sample.tobytes()
    return FooterBlock(offset, message.size, checksum, block.count, block.bytes, block.first, block.last, sample)


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
