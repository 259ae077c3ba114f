"""Pseudo-random numbers computed from a seed, a purpose and a number. Vectorised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Integers: TypeAlias = npt.NDArray[np.int64]
_GOLDEN, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_BITS = (1 << 64) - 1
_LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz", np.uint8)


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Mixes bits by SplitMix64's finalizer."""
    mixed = (numbers ^ (numbers >> np.uint64(30))) * _FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
    return mixed ^ (mixed >> np.uint64(31))


class Draws:
    """The numbers of one seed for one purpose, which has a name."""

    def __init__(self, seed: int, purpose: str) -> None:
        state = seed & _BITS
        for byte in purpose.encode():
            state = int(_mixed(np.array([(state * 31 + byte + 1) & _BITS], np.uint64))[0])
        self._base = np.uint64(state)

    def bits(self, numbers: Integers) -> npt.NDArray[np.uint64]:
        """Returns 64 bits of each number."""
        return _mixed(_mixed(numbers.astype(np.uint64) * _GOLDEN + self._base) + self._base)

    def below(self, numbers: Integers, bound: Integers | int) -> Integers:
        """Draws from 0 to before the bound."""
        bounds = np.asarray(bound).astype(np.uint64)
        drawn: Integers = (self.bits(numbers) % bounds).astype(np.int64)
        return drawn

    def among(self, numbers: Integers, words: Sequence[str]) -> pa.Array:
        """Chooses one of the words for each number."""
        return pa.array(words, pa.string()).take(pa.array(self.below(numbers, len(words))))

    def fractions(self, numbers: Integers) -> npt.NDArray[np.float64]:
        """Draws from 0 to before 1."""
        return (self.bits(numbers) >> np.uint64(11)).astype(np.float64) / float(1 << 53)

    def letters(self, numbers: Integers, lengths: Integers) -> pa.Array:
        """Returns texts of small letters, of these lengths, one for each number."""
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]).astype(np.int32)
        total = int(offsets[-1])
        place = np.arange(total, dtype=np.int64) - np.repeat(offsets[:-1].astype(np.int64), lengths)
        drawn = self.below(np.repeat(numbers, lengths) * 1_024 + place, len(_LETTERS))
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(_LETTERS[drawn].tobytes())]
        return pa.Array.from_buffers(pa.string(), len(numbers), buffers)


def among(words: Sequence[str], picks: Integers) -> pa.Array:
    """Returns the words at these places."""
    return pa.array(words, pa.string()).take(pa.array(picks))


def texts(template: str, numbers: Integers) -> pa.Array:
    """Returns the template with each number in the place of `{}`."""
    before, after = template.split("{}")
    return pc.binary_join_element_wise(before, pa.array(numbers).cast(pa.string()), after, "")
