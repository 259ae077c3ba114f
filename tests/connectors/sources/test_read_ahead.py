"""The shell of a reader: whoever takes gets what follows the place to begin at, and nothing from before."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass

import pytest

from connectors.gauge import Partition
from connectors.sources.read_ahead import ReadAhead
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_SEEDS = 30


@dataclass(frozen=True)
class _Number:
    number: int
    size: int = 1 << 20


class _Numbers(ReadAhead[_Number]):
    """Counts upwards from its frontier; fails at `fails_at`."""

    def __init__(self, fails_at: int | None = None, defect: Exception | None = None) -> None:
        self.told = threading.Event()
        super().__init__("numbers", self.told.set)
        self._fails_at, self._defect = fails_at, defect
        self._start()

    def _follow(self, frontier: dict[Partition, int]) -> None:
        at = frontier[""]
        while True:
            if at == self._fails_at:
                raise self._defect or SqlError(Sqlstate.UNDEFINED_OBJECT, "gone")
            self._wait_for_room()
            if at % 5 == 0:
                time.sleep(0.0002)  # as long as reading takes, in which the reader may be told another place
            self._put(_Number(at))
            at += 1
            if at % 7 == 0:
                self._pause(0.0001)

    def taken(self) -> int | None:
        with self._changed:
            if not self._pieces:
                if self._failure is not None:
                    raise self._failure
                return None
            piece = self._pieces.popleft()
            self._buffered -= piece.size
            self._changed.notify_all()
            return piece.number

    def next(self) -> int:
        while True:
            self.told.clear()
            found = self.taken()
            if found is not None:
                return found
            assert self.told.wait(60), "nothing comes any more"

    @property
    def buffered(self) -> int:
        with self._changed:
            return len(self._pieces)


@pytest.mark.parametrize("seed", range(_SEEDS))
def test_after_each_beginning_numbers_follow_without_gap_or_rest(seed: int) -> None:
    draw, reader = random.Random(seed), _Numbers()
    try:
        for _ in range(40):
            at = draw.randrange(1_000_000)
            for _ in range(draw.choice((1, 1, 2))):  # told twice, the last one holds
                at = draw.randrange(1_000_000)
                reader.begin({"": at})
            count = draw.choice((0, 1, 5, 150))
            assert [reader.next() for _ in range(count)] == list(range(at, at + count))
    finally:
        reader.close()


def test_the_buffer_is_bounded_and_closing_does_not_wait_for_room() -> None:
    reader = _Numbers()
    reader.begin({"": 0})
    assert reader.next() == 0
    for _ in range(200):
        reader.told.clear()
        reader.told.wait(0.001)
        assert reader.buffered <= 65
    reader.close()


def test_a_failure_is_told_after_what_came_before_it_until_the_next_beginning() -> None:
    reader = _Numbers(fails_at=3)
    try:
        reader.begin({"": 1})
        assert (reader.next(), reader.next()) == (1, 2)
        with pytest.raises(SqlError, match="gone"):
            reader.next()
        with pytest.raises(SqlError, match="gone"):
            reader.next()
        reader.begin({"": 4})
        assert reader.next() == 4
    finally:
        reader.close()


def test_a_defect_is_an_error_that_names_it() -> None:
    reader = _Numbers(fails_at=0, defect=ZeroDivisionError("by nothing"))
    try:
        reader.begin({"": 0})
        with pytest.raises(SqlError, match="ZeroDivisionError: by nothing"):
            reader.next()
    finally:
        reader.close()


def test_a_reader_that_was_never_begun_closes() -> None:
    _Numbers().close()
