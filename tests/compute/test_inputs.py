"""A snapshot's DataFrame holds exactly what storage says that the snapshot holds, whichever way it is read."""

from __future__ import annotations

import asyncio
import datetime
import random
import uuid
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.replica.contents import inputs as inputs_module
from compute.replica.contents import shard_contents as contents_module
from compute.replica.contents.inputs import input_frame
from compute.replica.contents.parts import PartFiles
from compute.replica.contents.shard_contents import contents_key, expand, expanded_size, read_contents
from compute.spark import frames
from compute.spark.collect import collect_batches
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, rows_from_arrow
from model.time.antichain import MINIMUM, Antichain
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from model.types.datum import Interval, Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import FLOAT8, INT4, INTERVAL, TEXT, TIMESTAMP, TIMESTAMPTZ, UUID, array_of
from model.updates.update import Update, updates_to_arrow
from storage.persist import shard as shard_module
from storage.persist.commit import Committed, commit, compare_and_append
from storage.persist.files import FileBlob
from storage.persist.runner import InlineRunner
from storage.persist.shard import ShardMachine
from storage.persist.snapshot import Snapshot, read_snapshot, snapshot
from storage.persist.write import Stage
from tests.storage.memory import MemoryConsensus

pytestmark = pytest.mark.spark

_DESC = RelationDesc((ColumnDesc("a", INT4), ColumnDesc("b", TEXT), ColumnDesc("c", FLOAT8)))
_ODD = RelationDesc(
    (
        ColumnDesc("i", INTERVAL),
        ColumnDesc("u", UUID),
        ColumnDesc("t", TIMESTAMP),
        ColumnDesc("z", TIMESTAMPTZ),
        ColumnDesc("l", array_of(INT4)),
    )
)
_FLOATS = (0.0, -0.0, float("nan"), 1.5, None)


def _row(rng: random.Random) -> Row:
    return rng.choice((None, 1, 2, 3)), rng.choice((None, "", "x")), rng.choice(_FLOATS)


def _script(seed: int) -> list[list[Update]]:
    """Batches of updates that never retract what is not there."""
    rng = random.Random(seed)
    held: list[Row] = []
    batches = []
    for number in range(rng.randint(1, 5)):
        updates = []
        for time in range(number * 2 + 1, number * 2 + rng.randint(2, 3)):
            for _ in range(rng.randint(0, 12)):
                if held and rng.random() < (0 if number == 0 else 0.4):
                    updates.append(Update(held.pop(rng.randrange(len(held))), Timestamp(time), -1))
                else:
                    row = _row(rng)
                    count = rng.choice((1, 1, 1, 1 if seed % 2 else 3))
                    held += [row] * count
                    updates.append(Update(row, Timestamp(time), count))
        batches.append(updates)
    return batches


class Place:
    """A shard of its own in a directory."""

    def __init__(self, directory: Path, desc: RelationDesc) -> None:
        self.desc = desc
        self.directory = directory
        self.blob = FileBlob(directory / "blob")
        self.consensus = MemoryConsensus()
        stage = Stage(self.blob, SystemClock(), SystemRandomness(), InlineRunner())
        self.machine = ShardMachine("u1", self.consensus, stage)

    async def write(self, batches: list[list[Update]]) -> None:
        created = self.machine.prepare_create(self.desc, MINIMUM, Antichain.at(1), timeline=False)
        assert isinstance(await commit(self.consensus, [created], token="create"), Committed)
        for number, updates in enumerate(batches):
            table = updates_to_arrow(updates, self.desc)
            bounds = Antichain.at(number * 2 + 1), Antichain.at(number * 2 + 3)
            outcome = await compare_and_append(self.machine, [table], *bounds, token=str(number))
            assert isinstance(outcome, Committed)

    def at(self, as_of: int) -> Snapshot:
        return snapshot(self.machine.state, Timestamp(as_of))

    async def expected(self, source: Snapshot) -> Counter[str]:
        table = await read_snapshot(source, self.blob)
        diffs = table.column(DIFF_COLUMN).to_pylist()
        rows: Counter[str] = Counter()
        for row, diff in zip(rows_from_arrow(table, self.desc), diffs, strict=True):
            rows[repr(row)] += diff
        return rows

    async def seen(self, spark: SparkSession, source: Snapshot) -> Counter[str]:
        contents = await read_contents(source, self.blob)
        files = PartFiles(self.blob, self.directory / "copies")
        paths = {part.key: await files.path(part, "u1") for part in contents.files}
        found = []
        for small in (True, False):
            batches: list[pa.RecordBatch] = []
            collect_batches(input_frame(spark, source, contents, paths, small=small), batches.append)
            found.append(Counter(repr(row) for batch in batches for row in rows_from_arrow(batch, self.desc)))
        assert found[0] == found[1]
        return found[0]


@pytest.mark.in_part(8)
@pytest.mark.parametrize("way", ["local", "plain", "mixed", "often", "filed"])
@pytest.mark.parametrize("seed", range(6))
def test_every_way_of_reading_agrees_with_storage(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, seed: int
) -> None:
    if way != "local":
        monkeypatch.setattr(contents_module, "LOCAL_ROWS_MAX", 0)
        # Some batches stay inline, others become parts.
        monkeypatch.setattr(shard_module, "INLINE_BYTES", 200)
    if way == "mixed":
        monkeypatch.setattr(contents_module, "MIXED_BYTES_MAX", 0)
    if way == "filed":
        monkeypatch.setattr(frames, "LITERAL_BYTES_MAX", -1)
    if way == "often":
        monkeypatch.setattr(inputs_module, "_EXPAND_HERE_BYTES_MAX", 0)
    batches = _script(seed)

    async def check() -> None:
        place = Place(tmp_path, _DESC)
        await place.write(batches)
        for as_of in {1, 2, len(batches) * 2 - 1, len(batches) * 2}:
            source = place.at(as_of)
            assert await place.seen(spark, source) == await place.expected(source), (seed, way, as_of)

    asyncio.run(check())


def test_the_size_of_contents_counts_each_row_as_often_as_it_is_there() -> None:
    rng = random.Random(1)
    for _ in range(20):
        rows = [("x" * rng.choice((0, 3, 5_000)), rng.randrange(1, 100)) for _ in range(rng.randrange(20))]
        texts, diffs = [text for text, _ in rows], [diff for _, diff in rows]
        table = pa.table({"c0": pa.array(texts, pa.string()), DIFF_COLUMN: pa.array(diffs, pa.int64())})
        copies, bytes_ = expanded_size(table)
        assert copies == expand(table).num_rows
        assert bytes_ >= sum(len(text) * diff for text, diff in rows)


@pytest.mark.parametrize("way", ["local", "plain"])
def test_types_survive_the_way_through_spark(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    if way == "plain":
        monkeypatch.setattr(contents_module, "LOCAL_ROWS_MAX", 0)
        monkeypatch.setattr(shard_module, "INLINE_BYTES", 0)
    first = datetime.datetime.min.replace(tzinfo=datetime.UTC)
    noon = datetime.datetime(1582, 10, 4, 12, 0, 0, 1)
    rows: list[Row] = [
        (Interval(1, -2, 3), uuid.UUID(int=5), noon, noon.replace(tzinfo=datetime.UTC), (1, None)),
        (None, None, None, None, None),
        (Interval(0, 0, 0), uuid.UUID(int=2**128 - 1), datetime.datetime.max, first, ()),
    ]

    async def check() -> None:
        place = Place(tmp_path, _ODD)
        await place.write([[Update(row, Timestamp(1), 1) for row in rows]])
        source = place.at(1)
        assert len(source.parts) == (way == "plain")
        assert await place.seen(spark, source) == await place.expected(source) == Counter(map(repr, rows))

    asyncio.run(check())


def test_rows_without_columns_are_counted(spark: SparkSession, tmp_path: Path) -> None:
    async def check() -> None:
        place = Place(tmp_path, RelationDesc(()))
        await place.write([[Update((), Timestamp(1), 5)], [Update((), Timestamp(3), -2)]])
        contents = await read_contents(place.at(3), place.blob)
        assert input_frame(spark, place.at(3), contents, {}, small=True).count() == 3

    asyncio.run(check())


def test_a_missing_and_a_cut_part_name_their_shard(spark: SparkSession, tmp_path: Path) -> None:
    async def check() -> None:
        place = Place(tmp_path, _DESC)
        shard_module_bytes, shard_module.INLINE_BYTES = shard_module.INLINE_BYTES, 0
        try:
            await place.write([[Update((1, "x", 1.0), Timestamp(1), 1)]])
        finally:
            shard_module.INLINE_BYTES = shard_module_bytes
        files = PartFiles(place.blob, tmp_path / "copies")
        [part] = place.at(1).parts
        path = Path(place.blob.uri(part.key))
        path.write_bytes(path.read_bytes()[:-1])
        with pytest.raises(SqlError, match="shard u1") as caught:
            await files.path(part, "u1")
        assert caught.value.sqlstate is Sqlstate.DATA_CORRUPTED
        path.unlink()
        with pytest.raises(SqlError, match="shard u1") as caught:
            await files.path(part, "u1")
        assert caught.value.sqlstate is Sqlstate.IO_ERROR

    asyncio.run(check())


def test_snapshots_that_hold_the_same_have_the_same_key(tmp_path: Path) -> None:
    async def check() -> None:
        place = Place(tmp_path, _DESC)
        await place.write([[Update((1, "x", 1.0), Timestamp(1), 1)], [Update((2, "x", 1.0), Timestamp(4), 1)]])
        assert contents_key(place.at(1)) == contents_key(place.at(3))
        assert contents_key(place.at(3)) != contents_key(place.at(4))

    asyncio.run(check())
