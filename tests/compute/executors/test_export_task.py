"""The law of exports by tasks: on however many partitions, and however attempts fare, an index and a shard get what
they would get of the rows themselves; and what is wrong is found by that."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch, CorruptFile
from compute.arrangement.blob.remote_place import RemoteBlob
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.stores import open_batch
from compute.executors import export_task
from compute.executors.export_task import ExportTask
from compute.executors.task_done import ExportDone, StepDone
from compute.executors.task_pool import LostTask, Task
from compute.executors.task_rows import TickOver
from compute.maintain import wide
from compute.maintain.segments import SegmentQuery
from compute.maintain.wide import ExportResult, ExportTarget, SegmentRows, WideSteps, WideTick
from compute.operators.rendered import ERROR_COLUMN
from compute.protocol.dataflow import IndexExport
from compute.replica.dataflows.exports import shard_rows
from compute.replica.dataflows.exports.index import IndexRows, MaintainedIndex
from compute.replica.dataflows.exports.shard_rows import ShardRows
from compute.scalars.spark_sql import Sql
from compute.spark.session import Profile
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import FLOAT8, INT8, TEXT
from planner.ir.scalar import Column
from storage.persist.files import FileBlob
from storage.persist.snapshot import read_staged
from tests.compute.executors.pools import FATES, Attempts

_DESC = relation_desc(("k", INT8), ("s", TEXT), ("f", FLOAT8))
_STORED = relation_desc(("k", INT8), ("s", TEXT), ("f", FLOAT8), ("err", TEXT))
_INDEX = MaintainedIndex(IndexExport(GlobalId.user(1), GlobalId.user(2), (Column(1, TEXT), Column(0, INT8))), _DESC)
_COLUMNS = pa.schema([*updates_schema(_DESC), (ERROR_COLUMN, pa.string())])
_QUERY = SegmentQuery(Sql("rows"), updates_schema(_DESC), True, frozenset(), False)
_UPDATE = tuple[object, ...]


@dataclass
class _Pool:
    """Makes attempts one after the other; the answers come in any order."""

    rows: pa.Table
    attempts: Attempts
    dice: random.Random
    tasks: list[Task] = field(default_factory=list)

    def run(self, task: Task, rows: SegmentRows | None) -> list[StepDone]:
        assert rows is not None
        self.tasks.append(task)
        batches = self.rows.to_batches(max_chunksize=5)
        done = [each for part in range(task.partitions) for each in self.attempts(task, part, batches)]
        return self.dice.sample(done, len(done))


def _rows(dice: random.Random, count: int) -> pa.Table:
    """Updates with errors among them; many are equal, or take each other away."""
    floats = (0.0, -0.0, float("nan"), 1.5, None)
    columns = [
        [dice.choice((None, *range(9))) for _ in range(count)],
        [dice.choice((None, "", "a", "b" * 40)) for _ in range(count)],
        [dice.choice(floats) for _ in range(count)],
        [dice.choice((5, 6, 8)) for _ in range(count)],
        [dice.choice((1, 1, 2, -1)) for _ in range(count)],
        [dice.choice((None,) * 6 + ("22012 division by zero",)) for _ in range(count)],
    ]
    return pa.table(columns, schema=_COLUMNS)


def _counted(tables: Iterable[pa.Table], names: Iterable[str]) -> Counter[_UPDATE]:
    """Updates by what they add up to, as text, which tells zeros and NaN apart from others."""
    found: Counter[_UPDATE] = Counter()
    for table in tables:
        for *row, diff in zip(*(table.column(name).to_pylist() for name in names), strict=True):
            found[tuple(map(repr, row))] += diff
    return Counter({row: diff for row, diff in found.items() if diff})


_NAMES = ("c0", "c1", "c2", "time", "diff")


class _World:
    """An index's arrangement and a shard's blob, with a tick that exports to both."""

    def __init__(self, place: Path, seed: int, fate: str) -> None:
        self.dice = random.Random(seed)
        self.rows = _rows(self.dice, self.dice.choice((0, 3, 60)))
        self.scratch = place / "scratch"
        self.scratch.mkdir(parents=True)
        self.state: ArrangementStore = local_store(place / "state")
        self.index = self.state.arrangement(_INDEX.layout)
        self.remote = RemoteBlob(str(place / "blob"))
        self.place = place
        self.least: int | None = self.dice.choice((None, 6))
        self.at: int | None = self.dice.choice((None, 9)) if self.least is None else None
        self.pool = _Pool(self.rows, FATES[fate], self.dice)
        self.errors: list[pa.Table] = []
        self.tick: WideTick | None = None

    def export(self, partitions: int) -> ExportResult:
        store = self.index.store
        assert store is not None and store.elsewhere is not None
        self.tick = WideTick(WideSteps(self.pool, lambda: partitions), {}, self.scratch, Timestamp(5), starts=False)
        shard = ShardRows(
            self.remote,
            "u9",
            _STORED,
            None if self.least is None else Timestamp(self.least),
            None if self.at is None else Timestamp(self.at),
        )
        targets = {
            "u1": ExportTarget(IndexRows(_INDEX, store.elsewhere), store),
            "u9": ExportTarget(shard, None),
        }
        return self.tick.export(targets, SegmentRows(_QUERY, Profile.SMALL, {}), -1, self.errors.append)

    def adopt(self, done: Iterable[ExportDone]) -> None:
        store = self.index.store
        assert store is not None
        files = [each.file for each in done if each.file is not None]
        self.index.adopt(ArrangementBatch.joined(open_batch(store, _INDEX.layout, [file]) for file in files))

    def parts(self, done: Iterable[ExportDone]) -> list[pa.Table]:
        async def read() -> list[pa.Table]:
            blob = FileBlob(self.place / "blob")
            return [await read_staged(part, _STORED, "u9", blob) for each in done for part in each.parts]

        return asyncio.run(read())

    def wrong(self, result: ExportResult) -> list[str]:
        """What is not as if the rows had come here."""
        sound = self.rows.filter(pc.is_null(self.rows.column(ERROR_COLUMN)))
        expected = Arrangement(_INDEX.layout)
        if sound.num_rows:
            expected.insert(_INDEX.keyed(sound.combine_chunks()))
        self.adopt(result.exports["u1"])
        names = _INDEX.layout.schema.names
        told = [] if _counted(self.index.changes(), names) == _counted(expected.changes(), names) else ["the index"]
        parts = self.parts(result.exports["u9"])
        wanted = _counted([sound], _NAMES)
        if self.least is not None:
            wanted = Counter({row: diff for row, diff in wanted.items() if int(str(row[3])) >= self.least})
        if self.at is not None:
            at = Counter[_UPDATE]()
            for row, diff in wanted.items():
                at[(*row[:3], repr(self.at))] += diff
            wanted = Counter({row: diff for row, diff in at.items() if diff})
        if _counted(parts, _NAMES) != wanted or sum(part.num_rows for part in parts) != len(wanted):
            told.append("the shard")
        failed = self.rows.filter(pc.is_valid(self.rows.column(ERROR_COLUMN)))
        error_names = (ERROR_COLUMN, "time", "diff")
        if _counted(self.errors, error_names) != _counted([failed], error_names):
            told.append("errors")
        return told

    def staged(self) -> list[Path]:
        return list((self.place / "blob").rglob("*.parquet"))

    def files(self) -> list[Path]:
        return [each for each in (self.place / "state").iterdir() if each.is_file()]


@pytest.mark.parametrize(("partitions", "fate"), [(1, "once"), (7, "once"), *((2, fate) for fate in FATES)])
def test_tasks_export_what_the_rows_themselves_would_give(partitions: int, fate: str, tmp_path: Path) -> None:
    for seed in range(4):
        world = _World(tmp_path / f"{seed}", seed, fate)
        if fate == "no answer":
            with pytest.raises(LostTask):
                world.export(partitions)
            assert world.tick is not None and isinstance(world.tick.failure, LostTask)
            world.tick.end(sealed=False)
            assert not world.files()
            continue
        result = world.export(partitions)
        assert result.tasks == partitions
        assert not world.wrong(result), f"seed {seed}"


def _counts_all(_partitions: int, done: Iterable[StepDone]) -> list[StepDone]:
    return list(done)


def _keeps_all(keyed: pa.Table, _partitions: int, _partition: int) -> pa.Table:
    return keyed


@contextmanager
def _all_told() -> Iterator[None]:
    """Each attempt tells all errors."""

    def told(task: ExportTask, partition: int, batches: Iterable[pa.RecordBatch]) -> StepDone:
        seen = list(batches)
        done = export_task.run_export(task, partition, seen)
        first = done if partition == 0 else export_task.run_export(task, 0, seen)
        return StepDone(partition, {}, 0, 0, done.rows_out, None, first.errors, 0.0, exports=done.exports)

    with patch("compute.executors.task_pool.run_export", told):
        yield


_PLANTED: dict[str, tuple[str, Callable[[], object]]] = {
    "each answer counts": ("both answer", lambda: patch.object(wide, "counted", _counts_all)),
    "each task takes all rows": ("once", lambda: patch.object(export_task, "_own", _keeps_all)),
    "each task tells all errors": ("once", _all_told),
    "a shard's rows are not divided by their hash": (
        "once",
        lambda: patch.object(shard_rows, "row_hash", lambda _rows, count: list(range(-(1 << 62), count - (1 << 62)))),
    ),
}


@pytest.mark.parametrize("planted", _PLANTED)
def test_what_is_wrong_with_exports_is_found(planted: str, tmp_path: Path) -> None:
    fate, plant = _PLANTED[planted]
    found = []
    with plant():  # type: ignore[attr-defined]
        for seed in range(8):
            world = _World(tmp_path / f"{seed}", seed, fate)
            try:
                found += world.wrong(world.export(2))
            except CorruptFile as error:
                found.append(str(error))
    assert found


def test_an_attempt_whose_tick_is_over_leaves_nothing(tmp_path: Path) -> None:
    """It has written the index's file, and the shard's parts, when it finds that nobody waits."""
    world = _World(tmp_path, 2, "once")
    world.rows = world.pool.rows = _rows(world.dice, 60)

    with patch.object(export_task, "check_wanted", side_effect=[None, TickOver("it is gone")]) as looked:
        with pytest.raises(TickOver):
            world.export(1)
    assert looked.call_count == 2
    assert not world.files() and not world.staged()
