"""Counts of rows by their hash, for any number of rows in bounded memory.

Equation: the count of a hash is the sum of all counts that were added for it.

A few recent counts lie in a dictionary, all others in runs of ascending, distinct hashes. A new run is merged with the
run before it while that is not more than twice as large, so there are few runs, and each count is copied a logarithmic
number of times. Runs of more than HELD_MAX hashes lie in mapped files without a name, which the operating system keeps
in memory as far as there is room.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Hashes = npt.NDArray[np.int64]

HELD_MAX = 1 << 13
RECENT_MAX = 1 << 10
"""A dictionary takes ten times the memory of a run, and a tenth of the time to add a few counts."""
RANGE_ROWS = 1 << 18
"""The runs are merged and read in ranges of about so many hashes."""
_NONE: Hashes = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class _Run:
    hashes: Hashes
    counts: Hashes


class HashCounts:
    """The counts; `directory` takes the files, by default that of temporary files. Of a hash whose count is zero
    nothing need be there."""

    def __init__(self, directory: Path | None = None, held_max: int = HELD_MAX, range_rows: int = RANGE_ROWS) -> None:
        self._directory = directory
        self._held_max = held_max
        self._range_rows = range_rows
        self._runs: list[_Run] = []
        self._recent: dict[int, int] = {}

    @property
    def size(self) -> int:
        """Returns the number of counts held: at least that of the distinct hashes with a count."""
        return sum(len(run.hashes) for run in self._runs) + len(self._recent)

    @property
    def held(self) -> int:
        """Returns the number of counts held in memory."""
        in_runs = sum(len(run.hashes) for run in self._runs if len(run.hashes) <= self._held_max)
        return in_runs + len(self._recent)

    def add(self, hashes: Hashes, counts: Hashes) -> None:
        """Adds counts; a hash may occur several times. Raises OSError."""
        if not self.adds_soon(len(hashes)):
            self._settle()
            self._add_run(hashes, counts)
            return
        recent = self._recent
        for hash_, count in zip(hashes.tolist(), counts.tolist(), strict=True):
            recent[hash_] = recent.get(hash_, 0) + count

    def adds_soon(self, rows: int) -> bool:
        """Returns whether so many counts are added in a moment: no run is merged for them."""
        return rows + len(self._recent) <= RECENT_MAX

    def _settle(self) -> None:
        """Puts recent counts into a run."""
        recent, self._recent = self._recent, {}
        if recent:
            size = len(recent)
            self._add_run(np.fromiter(recent.keys(), np.int64, size), np.fromiter(recent.values(), np.int64, size))

    def _add_run(self, hashes: Hashes, counts: Hashes) -> None:
        summed = _there(*net_of([(hashes, counts)]))
        if not len(summed[0]):
            return
        self._runs.append(self._run(len(summed[0]), iter([summed])))
        while len(self._runs) > 1 and len(self._runs[-2].hashes) <= 2 * len(self._runs[-1].hashes):
            last = self._runs[-2:]
            merged = self._run(sum(len(run.hashes) for run in last), self._merged(last))
            self._runs[-2:] = [merged] if len(merged.hashes) else []

    def of(self, hashes: Hashes) -> Hashes:
        """Returns the count of each hash."""
        if len(hashes) > RECENT_MAX:
            self._settle()
        recent = self._recent
        found = np.fromiter((recent.get(hash_, 0) for hash_ in hashes.tolist()), np.int64, len(hashes))
        for run in self._runs:
            at = np.searchsorted(run.hashes, hashes)
            at[at == len(run.hashes)] = 0
            equal = run.hashes[at] == hashes
            found[equal] += run.counts[at[equal]]
        return found

    def ranges(self) -> Iterator[tuple[Hashes, Hashes]]:
        """Yields all distinct hashes with a count other than zero, ascending, and their counts. Nothing may be added
        meanwhile."""
        self._settle()
        return self._merged(self._runs)

    def _merged(self, runs: Sequence[_Run]) -> Iterator[tuple[Hashes, Hashes]]:
        total = sum(len(run.hashes) for run in runs)
        parts = max(1, -(-total // self._range_rows))
        lows = [0] * len(runs)
        for part in range(1, parts + 1):
            # Hashes are even in their range, so equal parts of it have about equally many.
            end = np.int64(-(1 << 63) + part * (1 << 64) // parts) if part < parts else None
            highs = [len(run.hashes) if end is None else int(np.searchsorted(run.hashes, end)) for run in runs]
            bounds = zip(runs, lows, highs, strict=True)
            summed = _there(*net_of([(run.hashes[low:high], run.counts[low:high]) for run, low, high in bounds]))
            lows = highs
            if len(summed[0]):
                yield summed

    def _run(self, expected: int, several: Iterator[tuple[Hashes, Hashes]]) -> _Run:
        """Returns a run of ascending hashes, at most `expected` of them."""
        if expected <= self._held_max:
            tables = list(several)
            return _Run(*(np.concatenate([_NONE, *each]) for each in zip(*tables, strict=True))) if tables else _EMPTY
        with contextlib.ExitStack() as stack:
            files = [
                stack.enter_context(tempfile.NamedTemporaryFile(dir=self._directory, prefix="counts-"))
                for _ in range(2)
            ]
            for columns in several:
                for file, column in zip(files, columns, strict=True):
                    file.write(column.tobytes())
            for file in files:
                file.flush()
            return _Run(*(_mapped(file.name) for file in files))


_EMPTY = _Run(_NONE, _NONE)


def net_of(several: Sequence[tuple[Hashes, Hashes]]) -> tuple[Hashes, Hashes]:
    """Returns the distinct hashes in order, and the sum of the counts for each."""
    hashes = np.concatenate([_NONE, *(each for each, _ in several)])
    if not len(hashes):
        return _NONE, _NONE
    order = np.argsort(hashes)
    hashes, counts = hashes[order], np.concatenate([each for _, each in several])[order]
    first = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1]))
    return hashes[first], np.add.reduceat(counts, first)


def _there(hashes: Hashes, counts: Hashes) -> tuple[Hashes, Hashes]:
    """Leaves out hashes with a count of zero."""
    left = counts != 0
    return hashes[left], counts[left]


def _mapped(path: str) -> Hashes:
    """Returns a file's numbers. The mapping needs neither the name of the file nor a descriptor."""
    if not os.path.getsize(path):
        return _NONE
    with pa.memory_map(path) as file:
        return np.frombuffer(file.read_buffer(), np.int64)
