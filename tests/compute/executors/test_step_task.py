"""The law of tasks: what all partitions put out together is what the kernel puts out over all rows, and what they have
sorted is what was inserted; however often a task is tried, and whichever attempts answer."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.checkpoint import local_store
from compute.arrangement.layout import Layout
from compute.arrangement.stores import BatchStore, ManifestMoved, open_batch
from compute.executors import step_task, task_rows
from compute.executors.own_code import OtherCode
from compute.executors.step_task import StepTask, TaskFiles, TaskKernel, TaskRows, run_step
from compute.executors.task_done import StepDone
from compute.executors.task_pool import LostTask, counted
from compute.executors.task_rows import TickOver
from compute.kernels.by_partition import AccumulateWork, JoinWork, PartitionWork, ThresholdWork, VersionsWork
from compute.kernels.rares import RareColumn, rare_layout, rare_rows
from tests.compute.arrangement.failing_disk import FullDisk
from tests.compute.arrangement.scripts import canonical_row, tight_limits
from tests.compute.executors.pools import FATES, attempt

_ROWS = Layout((pa.int64(),), (pa.int64(), pa.string()))
_ORDERED = Layout((pa.int64(),), (pa.int64(), pa.string()), ordered=True)
_WHOLE = Layout((pa.int64(), pa.string()), (pa.int64(), pa.string()))
_SUMS = Layout((pa.int64(),), (), 2)
_RARES = (RareColumn("f0", "a1"),)
KERNELS: Mapping[str, tuple[tuple[Layout, ...], PartitionWork, tuple[RareColumn, ...]]] = {
    "join": ((_ROWS, _ROWS), JoinWork("0", "1"), ()),
    "join with itself": ((_ROWS,), JoinWork("0", "0"), ()),
    "sums": ((_SUMS,), AccumulateWork("0", "0.rare", ()), ()),
    "sums with rare floats": ((_SUMS,), AccumulateWork("0", "0.rare", _RARES), _RARES),
    "threshold": ((_WHOLE,), ThresholdWork("0"), ()),
    "versions": ((_ROWS,), VersionsWork("0", None), ()),
    "first rows": ((_ORDERED,), VersionsWork("0", 2), ()),
}
_PLACE_TIME = 5


def rows_of(dice: random.Random, layout: Layout, rares: tuple[RareColumn, ...]) -> pa.Table:
    """Rows whose keys' hashes lie in all partitions, with errors among them, which have no hash."""
    count = dice.choice((0, 1, 40))
    keys = [dice.randrange(12) for _ in range(count)]
    texts = [dice.choice(("a", "b")) for _ in range(count)]
    own: dict[str, Sequence[Any]] = {
        "h": [((key - 6) << 60) + 7 for key in keys],
        "k0": keys,
        "k1": texts,
        "o": [dice.randrange(3) for _ in range(count)],
        "c0": keys if layout is _WHOLE else [dice.randrange(3) for _ in range(count)],
        "c1": texts,
        "a0": [dice.randrange(9) for _ in range(count)],
        "a1": [dice.randrange(2) for _ in range(count)],
        "time": [_PLACE_TIME] * count,
        "diff": [dice.choice((1, 1, 2, -1 if layout is _SUMS else 1)) for _ in range(count)],
    }
    if layout is _ORDERED:
        own["c0"] = own["o"]
    table = pa.table([pa.array(own[field.name], field.type) for field in layout.schema], schema=layout.schema)
    for rare in rares:
        values = [1e300 if count else None for count in own[rare.count]]
        table = table.append_column(rare.name, pa.array(values, pa.float64()))
    table = table.append_column("err", pa.nulls(count, pa.string()))
    failed = {"time": pa.array([_PLACE_TIME] * 3), "diff": pa.array([1, 1, -1]), "err": pa.array(["x", "y", "x"])}
    errors = [failed.get(field.name, pa.nulls(3, field.type)) for field in table.schema]
    return pa.concat_tables([table, pa.table(errors, schema=table.schema)])


def _inserted(layout: Layout, table: pa.Table, rares: tuple[RareColumn, ...]) -> tuple[Arrangement, Arrangement]:
    sound = table.filter(pc.is_null(table.column("err")))
    own, rare = Arrangement(layout), Arrangement(rare_layout(layout))
    own.insert(sound.select(layout.schema.names).combine_chunks())
    rare.insert(rare_rows(sound, layout, rares))
    return own, rare


def counted_rows(tables: list[pa.Table]) -> Counter[Hashable]:
    names = sorted({name for table in tables for name in table.column_names} - {"diff", "h"})
    counts: Counter[Hashable] = Counter()
    for table in tables:
        diffs = table.column("diff").to_pylist() if "diff" in table.column_names else [1] * table.num_rows
        for row, diff in zip(zip(*(table.column(name).to_pylist() for name in names), strict=True), diffs, strict=True):
            counts[canonical_row(row)] += diff
    return Counter({row: count for row, count in counts.items() if count})


@pytest.mark.parametrize("partitions", [1, 2, 7])
@pytest.mark.parametrize("name", KERNELS)
def test_partitions_together_are_the_whole(name: str, partitions: int, tmp_path: Path) -> None:
    layouts, work, rares = KERNELS[name]
    store = local_store(tmp_path / "state")
    place = store.arrangement(_ROWS).store
    assert place is not None and place.elsewhere is not None
    for seed in range(6):
        dice = random.Random(seed)
        tables = [rows_of(dice, layout, rares) for layout in layouts]
        whole: dict[str, Arrangement] = {}
        for number, (layout, table) in enumerate(zip(layouts, tables, strict=True)):
            whole[f"{number}"], whole[f"{number}.rare"] = _inserted(layout, table, rares)
        expected = list(work.changes(whole, _PLACE_TIME))
        fates = [FATES[fate] for fate in FATES if fate != "no answer"]
        known: tuple[TaskFiles, ...] = ()
        done: list[StepDone] = []
        for number, (layout, table) in enumerate(zip(layouts, tables, strict=True)):
            last = number == len(layouts) - 1
            schema = pa.schema([field for field in table.schema if field.name != "err"])
            rows = TaskRows(f"{number}", layout, schema, "err", f"{number}.rare", rares)
            output = expected[0].schema if expected else pa.schema([("time", pa.int64())])
            kernel = TaskKernel(work, output, _PLACE_TIME) if last else None
            task = StepTask(f"t{seed}-{number}", partitions, place.elsewhere, str(tmp_path), rows, known, kernel)
            batches = table.to_batches(max_chunksize=dice.choice((3, 100)))
            answers = [each for part in range(partitions) for each in dice.choice(fates)(task, part, batches)]
            done = counted(partitions, dice.sample(answers, len(answers)))
            known = (*known, TaskFiles(f"{number}", layout, tuple(each.files.get(f"{number}") for each in done)))
            _as_inserted(known[-1], place, whole[f"{number}"])
            errors = [pa.ipc.open_stream(each.errors).read_all() for each in done if each.errors is not None]
            assert counted_rows(errors) == Counter({canonical_row(("y", _PLACE_TIME)): 1})
        outputs = [pq.read_table(each.output) for each in done if each.output is not None]
        assert counted_rows(outputs) == counted_rows(expected)
        assert sum(each.rows_out for each in done) == sum(chunk.num_rows for chunk in outputs)


def _as_inserted(files: TaskFiles, place: BatchStore, inserted: Arrangement) -> None:
    adopted = Arrangement(files.layout)
    opened = [open_batch(place, files.layout, [file]) for file in files.files if file is not None]
    adopted.adopt(ArrangementBatch.joined(opened))
    assert counted_rows(list(adopted.changes())) == counted_rows(list(inserted.changes()))


def _task(tmp_path: Path, directory: str) -> StepTask:
    place = local_store(tmp_path / directory).arrangement(_ROWS).store
    assert place is not None and place.elsewhere is not None
    rows = TaskRows("rows", _ROWS, _ROWS.schema)
    return StepTask("token", 2, place.elsewhere, str(tmp_path), rows)


def _some(count: int) -> pa.RecordBatch:
    keys = np.arange(count, dtype=np.int64)
    texts = pa.array(["t"] * count)
    columns = [(keys - count // 2) << 55, keys, keys, texts, keys * 0, keys * 0 + 1]
    return pa.RecordBatch.from_arrays([pa.array(column) for column in columns], schema=_ROWS.schema)


def test_an_attempt_without_an_answer_is_missed(tmp_path: Path) -> None:
    task = _task(tmp_path, "state")
    with pytest.raises(LostTask, match=r"partitions \[1\] of 2"):
        counted(2, [attempt(task, 0, [_some(9)]), attempt(task, 0, [_some(9)])])


def test_who_goes_on_from_a_manifest_that_has_moved_names_nothing(tmp_path: Path) -> None:
    """Two drivers have let tasks sort the same rows; the second to commit has gone on from what is no more."""
    first, second = local_store(tmp_path / "state"), local_store(tmp_path / "state")
    for store in (first, second):
        assert store.open("plan", {"rows": _ROWS}) is None
    for store in (first, second):
        arrangement = store.arrangement(_ROWS)
        assert arrangement.store is not None
        task = _task(tmp_path, "state")
        done = counted(2, [attempt(task, part, [_some(20)]) for part in (0, 1)])
        files = [file for each in done for file in each.files.values()]
        arrangement.adopt(ArrangementBatch.joined(open_batch(arrangement.store, _ROWS, [file]) for file in files))
        arrangement.seal()
        if store is first:
            store.checkpoint("plan", 1, {}, {"rows": arrangement})
        else:
            with pytest.raises(ManifestMoved):
                store.checkpoint("plan", 1, {}, {"rows": arrangement})
    found = local_store(tmp_path / "state").open("plan", {"rows": _ROWS})
    assert found is not None
    assert sum(chunk.num_rows for chunk in found.arrangements["rows"].rows(0)) == 20


def _left(tmp_path: Path) -> list[str]:
    """The files below a directory."""
    return sorted(path.name for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize("at", ["rows", "kernel", "end"])
def test_an_attempt_ends_with_its_tick_and_leaves_nothing(
    at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange = tmp_path / "tick"
    exchange.mkdir()
    kernel = TaskKernel(VersionsWork("rows", None), pa.schema([("time", pa.int64())]), _PLACE_TIME)
    task = replace(_task(tmp_path, "state"), exchange=str(exchange), partitions=1, kernel=kernel)
    read = made = 0

    def end(place: str) -> None:
        if place == at:
            shutil.rmtree(exchange)

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal read
        for _ in range(3):
            read += 1
            yield _some(9)
            end("rows")

    def chunks(*_given: object) -> Iterator[pa.Table]:
        nonlocal made
        for _ in range(3):
            made += 1
            end("kernel")
            yield pa.table({"time": pa.array([1])})
        end("end")

    monkeypatch.setattr(VersionsWork, "changes", chunks)
    with pytest.raises(TickOver):
        run_step(task, 0, batches())
    assert (read, made) == {"rows": (2, 0), "kernel": (3, 1), "end": (3, 3)}[at]
    assert not _left(tmp_path)


def test_a_full_disk_fails_an_attempt_that_would_hold_its_partition_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the disk of the runs is full: the state's has room."""
    monkeypatch.setattr(step_task, "local_store", lambda path: local_store(path, disk=FullDisk(100)))
    monkeypatch.setattr(task_rows, "_INSERT_ROWS", 3)
    with tight_limits(), pytest.raises(OSError, match="No space left"):
        run_step(_task(tmp_path, "state"), 0, [_some(9)] * 9)
    assert not _left(tmp_path)


def test_a_task_of_other_code_is_refused(tmp_path: Path) -> None:
    task = _task(tmp_path, "state")
    with pytest.raises(OtherCode, match="another version"):
        attempt(replace(task, code="other"), 0, [_some(9)])
    assert not _left(tmp_path)
    assert attempt(task, 0, [_some(9)]).rows_in


def test_few_long_rows_are_held_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    insert = Arrangement.insert

    def seen(self: Arrangement, keyed: pa.Table) -> None:
        sizes.append(keyed.nbytes)
        insert(self, keyed)

    monkeypatch.setattr(Arrangement, "insert", seen)
    some = _some(8)
    long = some.set_column(some.schema.names.index("c1"), "c1", pa.array(["t" * (1 << 18)] * 8))
    done = run_step(replace(_task(tmp_path, "state"), partitions=1), 0, [long] * 20)
    assert (done.rows_in, sum(sizes) > 40 << 20, max(sizes) < 12 << 20) == (160, True, True)
