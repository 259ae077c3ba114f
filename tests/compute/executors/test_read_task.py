"""Whole reads by tasks: on however many partitions, what an index has at a time, from files and from memory."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from compute.arrangement.checkpoint import local_store
from compute.executors import read_task
from compute.executors.task_rows import TickOver
from compute.protocol.dataflow import IndexExport
from compute.replica.dataflows.exports.error_log import LAYOUT, ErrorLog
from compute.replica.dataflows.exports.index import MaintainedIndex
from compute.replica.dataflows.exports.index_sink import IndexSink
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_schema
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8, TEXT
from model.updates.update import Update, updates_to_arrow
from planner.ir.scalar import Column
from tests.compute.executors.pools import attempt

_DESC = relation_desc(("k", INT8), ("s", TEXT))
_TIMES = (3, 4, 6)


class _World:
    """An index with one batch a time, the last of which is in memory; `held` are its rows at each time."""

    def __init__(self, place: Path, seed: int) -> None:
        dice = random.Random(seed)
        index = MaintainedIndex(IndexExport(GlobalId.user(1), GlobalId.user(2), (Column(0, INT8),)), _DESC)
        self.place = place
        self.state = local_store(place / "state")
        self.rows = self.state.arrangement(index.layout)
        errors = ErrorLog(self.state.arrangement(LAYOUT), Timestamp(3))
        until = Antichain(Timestamp(7))
        self.sink = IndexSink(GlobalId.user(1), index, None, self.rows, errors, Antichain(Timestamp(0)), until)  # type: ignore[arg-type]
        self.held: dict[int, Counter[tuple[object, ...]]] = {}
        now: Counter[tuple[object, ...]] = Counter()
        for time in _TIMES:
            updates = []
            for _ in range(dice.choice((1, 20))):
                row = (dice.choice((None, *range(8))), dice.choice((None, "", "a" * 30)))
                diff = dice.choice((1, 2, -now[row]))
                now[row] += diff
                updates.append(Update(row, Timestamp(time), diff))
            self.rows.insert(index.keyed(updates_to_arrow([each for each in updates if each.diff], _DESC)))
            self.rows.seal()
            if time != _TIMES[-1]:
                self.rows.file_batches()
            self.held[time] = Counter({row: count for row, count in now.items() if count})

    def read(self, partitions: int, as_of: int) -> Counter[tuple[object, ...]]:
        exchange = self.place / f"exchange-{partitions}-{as_of}"
        exchange.mkdir()
        found: Counter[tuple[object, ...]] = Counter()
        with self.sink.read_by_tasks(partitions, Timestamp(as_of), arrow_schema(_DESC), exchange) as task:
            assert task is not None
            for partition in range(partitions):
                done = attempt(task, partition, [])
                if done.output is not None:
                    table = pq.read_table(done.output)
                    assert table.num_rows == done.rows_out
                    found.update(zip(*(column.to_pylist() for column in table.columns), strict=True))
        return found

    def files(self) -> set[str]:
        return {each.name for each in (self.place / "state").iterdir()}


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_tasks_read_what_an_index_has_at_a_time(partitions: int, tmp_path: Path) -> None:
    for seed in range(4):
        world = _World(tmp_path / f"{seed}", seed)
        files = world.files()
        for time in _TIMES:
            assert world.read(partitions, time) == world.held[time], f"seed {seed}"
        assert world.files() == files, "what was written of batches in memory is removed"


def test_rows_of_two_partitions_are_found(tmp_path: Path) -> None:
    """Each task takes all hashes, so rows come twice."""
    world = _World(tmp_path, 1)
    with patch.object(read_task, "hashes_of", lambda *_: (-(1 << 63), (1 << 63) - 1)):
        assert world.read(2, 6) != world.held[6]


def test_a_read_that_nobody_waits_for_leaves_nothing(tmp_path: Path) -> None:
    world = _World(tmp_path, 1)
    exchange = tmp_path / "exchange"
    exchange.mkdir()

    def gone(_exchange: str, _chunks: object) -> list[pa.Table]:
        raise TickOver("it is gone")

    with world.sink.read_by_tasks(1, Timestamp(6), arrow_schema(_DESC), exchange) as task:
        assert task is not None
        with patch.object(read_task, "while_wanted", gone), pytest.raises(TickOver):
            attempt(task, 0, [])
    assert not list(exchange.iterdir())
