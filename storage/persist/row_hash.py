"""A 64-bit hash of a row's stored values, the same in every process.

The hash only brings equal rows together in an order; collisions cost time and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from model.updates.consolidate import one_nan

Words = npt.NDArray[np.uint64]
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_NULL = np.uint64(0xD6E8FEB86659FD93)
_WORD_BYTES = 8


def row_hash(columns: Sequence[pa.Array], count: int) -> npt.NDArray[np.int64]:
    """Returns the hashes of `count` rows; 0 for rows without columns."""
    combined = np.zeros(count, np.uint64)
    for column in columns:
        combined = _mixed(combined + _hash(column))
    return combined.view(np.int64)


def layer_bits(columns: int) -> tuple[int, ...]:
    """Returns how many of a layered hash's 64 bits depend on the first 1, 2, … columns; the last number counts all
    columns."""
    if columns <= 1:
        return (64,) * columns
    # Who asks by a beginning asks by the first column mostly, so that gets half of the bits.
    rest = [32 * place // (columns - 1) for place in range(columns)]
    return tuple(32 + bits for bits in rest)


def layered_hash(columns: Sequence[pa.Array], count: int, width: int) -> npt.NDArray[np.int64]:
    """Hashes `count` rows of keys of `width` columns. `columns` are the first of the columns; the bits of the rest are
    0.

    Keys with equal first columns get hashes with equal first bits, and so lie side by side in the hash's order.
    """
    combined = np.zeros(count, np.uint64)
    layered = np.zeros(count, np.uint64)
    above = 0
    for column, bits in zip(columns, layer_bits(width)):
        combined = _mixed(combined + _hash(column))
        layered |= (combined >> np.uint64(64 - (bits - above))) << np.uint64(64 - bits)
        above = bits
    return layered.view(np.int64)


def _mixed(words: Words) -> Words:
    """Mixes bits by Stafford's finaliser of splitmix64: each bit of the input moves half of the output's."""
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return words ^ (words >> np.uint64(31))


def _hash(array: pa.Array) -> Words:
    type_ = array.type
    if array.null_count == len(array):
        return np.full(len(array), _NULL)
    if pa.types.is_struct(type_):
        hashes = row_hash(array.flatten(), len(array)).view(np.uint64)
    elif pa.types.is_list(type_) or pa.types.is_large_list(type_):
        lengths = np.asarray(pc.fill_null(pc.list_value_length(array), 0)).astype(np.int64)
        hashes = _combined(_hash(array.flatten()), lengths)
    elif _has_offsets(type_):
        hashes = _hash_bytes(array)
    else:
        hashes = _hash_fixed(array)
    if array.null_count:
        hashes = np.where(array.is_valid().to_numpy(zero_copy_only=False), hashes, _NULL)
    return hashes


def _has_offsets(type_: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(type_)
        or pa.types.is_binary(type_)
        or pa.types.is_large_string(type_)
        or pa.types.is_large_binary(type_)
    )


def _hash_fixed(array: pa.Array) -> Words:
    if pa.types.is_null(array.type):
        return np.zeros(len(array), np.uint64)
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.uint8())
    array = one_nan(array)
    width = array.type.bit_width // 8
    data = np.frombuffer(array.buffers()[1], np.uint8)[array.offset * width : (array.offset + len(array)) * width]
    if width <= _WORD_BYTES:
        return _mixed(data.view(f"<u{width}").astype(np.uint64) + _STEP)
    words = -(-width // _WORD_BYTES)
    padded = np.zeros((len(array), words * _WORD_BYTES), np.uint8)
    padded[:, :width] = data.reshape(len(array), width)
    return _combined(padded.reshape(-1).view("<u8"), np.full(len(array), words, np.int64))


def _combined(words: Words, lengths: npt.NDArray[np.int64]) -> Words:
    """Returns one hash for each run of `lengths[i]` words; the order of the words counts."""
    ends = np.cumsum(lengths)
    places = np.arange(len(words), dtype=np.int64) - np.repeat(ends - lengths, lengths)
    mixed = _mixed(words + (places + 1).view(np.uint64) * _STEP)
    hashes = lengths.view(np.uint64) * _STEP
    filled = np.flatnonzero(lengths)
    if len(filled):
        hashes[filled] += np.add.reduceat(mixed, (ends - lengths)[filled])
    return _mixed(hashes)


def _hash_bytes(array: pa.Array) -> Words:
    large = pa.types.is_large_string(array.type) or pa.types.is_large_binary(array.type)
    _, offset_buffer, data_buffer = array.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64 if large else np.int32)[
        array.offset : array.offset + len(array) + 1
    ]
    offsets = offsets.astype(np.int64)
    lengths = np.diff(offsets)
    if array.null_count:
        lengths = np.where(array.is_valid().to_numpy(zero_copy_only=False), lengths, 0)
    counts = -(-lengths // _WORD_BYTES)
    first = int(offsets[0])
    size = int(offsets[-1]) - first
    data = np.zeros(size + _WORD_BYTES, np.uint8)
    if size:
        data[:size] = np.frombuffer(data_buffer, np.uint8)[first : first + size]
    # A word begins at any byte.
    words_at = np.ndarray((size + 1,), "<u8", data.data, 0, (1,))
    ends = np.cumsum(counts)
    places = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64) - np.repeat(ends - counts, counts)
    starts = np.repeat(offsets[:-1] - first, counts) + places * _WORD_BYTES
    remaining = np.repeat(lengths, counts) - places * _WORD_BYTES
    surplus = np.maximum(_WORD_BYTES - remaining, 0) * 8
    words = words_at[starts] & (np.uint64(2**64 - 1) >> surplus.astype(np.uint64))
    return _combined(words, counts) ^ _mixed(lengths.view(np.uint64))
