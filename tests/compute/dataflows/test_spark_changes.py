"""What Spark is given of an import is what storage says of it, whichever way it is read."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.protocol.dataflow import Import
from compute.replica.contents.fallible import split_errors
from compute.replica.contents.parts import PartFiles
from compute.replica.dataflows import spark_changes
from compute.replica.dataflows.maintained import Input
from compute.replica.dataflows.spark_changes import ImportReader
from compute.replica.running.places import Fencing, Places
from compute.spark import frames
from compute.spark.collect import collect_batches
from model.ids.global_id import GlobalId
from model.physical.columns import TIME_COLUMN
from model.time.antichain import Antichain
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import FLOAT8, INT4, TEXT
from model.updates.update import Update, updates_to_arrow
from storage.persist import shard as shard_module
from storage.persist.commit import Committed, commit, compare_and_append
from storage.persist.files import FileBlob
from storage.persist.runner import InlineRunner
from storage.persist.shard import ShardMachine
from storage.persist.snapshot import Snapshot, read_changes, read_snapshot, snapshot, updates_between
from storage.persist.write import Stage
from tests.storage.memory import MemoryConsensus

pytestmark = pytest.mark.spark

_VIEW = relation_desc(("a", INT4), ("b", FLOAT8))
_SHARD = relation_desc(("a", INT4), ("b", FLOAT8), ("err", TEXT))
_ITEM = Import(GlobalId.user(1), "u1", _VIEW, fallible=True)
_ROWS: list[Row] = [(1, 0.5, None), (2, -0.0, None), (None, 0.0, None), (None, None, "22012 division by zero")]
_TIMES = 9


def history(source: random.Random) -> list[list[Update]]:
    """Batches of updates at times 1 to _TIMES, that never retract what is not there."""
    held: list[Row] = []
    batches: list[list[Update]] = []
    for time in range(1, _TIMES + 1):
        if time % 3 == 1:
            batches.append([])
        for _ in range(source.randrange(5)):
            if held and source.random() < 0.4:
                batches[-1].append(Update(held.pop(source.randrange(len(held))), Timestamp(time), -1))
            else:
                held.append(source.choice(_ROWS))
                batches[-1].append(Update(held[-1], Timestamp(time), 1))
    return batches


async def filled(directory: Path, batches: list[list[Update]], *, inline: bool) -> tuple[ShardMachine, Places]:
    consensus, blob = MemoryConsensus(), FileBlob(directory / "blob")
    clock, randomness, runner = SystemClock(), SystemRandomness(), InlineRunner()
    stage = Stage(blob, clock, randomness, runner)
    places = Places(consensus, blob, stage, Fencing({}), clock, randomness, runner, directory, directory / "copies")
    machine = ShardMachine("u1", consensus, stage)
    zero = Antichain.at(0)
    created = machine.prepare_create(_SHARD, zero, zero, timeline=False)
    assert isinstance(await commit(consensus, [created], token="t"), Committed)
    lower = 0
    for number, updates in enumerate(batches):
        shard_module.INLINE_BYTES = 1 << 16 if inline and number == 1 else 0
        upper = number * 3 + 4
        tables = [updates_to_arrow(updates, _SHARD)] if updates else []
        append = compare_and_append(machine, tables, Antichain.at(lower), Antichain.at(upper), token=f"a{number}")
        assert isinstance(await append, Committed)
        lower = upper
    return machine, places


def summed(table: pa.Table, arity: int) -> Counter[tuple[object, ...]]:
    """Rows and times by what their diffs add up to."""
    sums: Counter[tuple[object, ...]] = Counter()
    for values in zip(*(column.to_pylist() for column in table.columns), strict=True):
        sums[(*map(repr, values[:arity]), values[arity])] += values[arity + 1]
    return Counter({key: count for key, count in sums.items() if count})


@pytest.mark.in_part(4)
@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize("way", ["parts", "literal", "filed"])
def test_an_import_s_rows_and_errors_are_those_of_its_shard(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inline: bool, way: str
) -> None:
    monkeypatch.setattr(spark_changes, "LITERAL_ROWS_MAX", 0 if way == "parts" else 10_000)
    if way == "filed":
        monkeypatch.setattr(frames, "LITERAL_BYTES_MAX", -1)
    monkeypatch.setattr(shard_module, "INLINE_BYTES", shard_module.INLINE_BYTES)
    batches = history(random.Random(7))
    machine, places = asyncio.run(filled(tmp_path, batches, inline=inline))
    files = PartFiles(places.blob, tmp_path / "parts")
    inputs: list[Input] = [snapshot(machine.state, Timestamp(time)) for time in (2, 5, 9)]
    for lower, upper in ((1, 10), (3, 5), (4, 8), (9, 10)):
        inputs.append(updates_between(machine.state, Timestamp(lower), Timestamp(upper)))
    for input_ in inputs:
        change = asyncio.run(ImportReader(places, files, tmp_path / "changes").read(_ITEM, input_))
        rows: list[pa.RecordBatch] = []
        collect_batches(change.change.frame(spark), rows.append)
        got = pa.Table.from_batches(rows) if rows else None
        errors = change.errors(spark) if change.errors is not None else None
        expected_rows, expected_errors = split_errors(_ITEM, asyncio.run(obvious(input_, places)))
        assert (summed(got, 2) if got is not None else Counter()) == summed(expected_rows, 2)
        assert (summed(errors, 1) if errors is not None else Counter()) == summed(expected_errors, 1)


async def obvious(input_: Input, places: Places) -> pa.Table:
    """The updates that the input is, as storage reads them."""
    if not isinstance(input_, Snapshot):
        return await read_changes(input_, places.blob)
    table = await read_snapshot(input_, places.blob)
    times = pa.array([input_.as_of] * table.num_rows, pa.int64())
    return table.add_column(table.num_columns - 1, TIME_COLUMN, times)
