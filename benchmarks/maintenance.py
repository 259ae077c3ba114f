"""Maintained views by themselves, without a server: how long small ticks take, how many changes a second get through.

W1 is `SELECT k, count(*), sum(x) GROUP BY k` over 800,000 inserts and 200,000 deletes of 10,000 keys.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession

from benchmarks.report import Measure
from compute.arrangement.checkpoint import local_store
from compute.maintain.change import Change, gathered_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.tick import TickResult
from compute.spark.session import Profile, SparkOptions, profile_sessions, start_session, stop_session
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, NUMERIC
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.relation import Get, Join, JoinKind, Reduce, Relation, TopK
from planner.ir.scalar import Call, Column, Literal

FACTS, DIMENSION, VIEW = GlobalId.user(1), GlobalId.user(2), GlobalId.user(3)
DESC = relation_desc(("k", INT4), ("x", INT8))
_KEYS = 10_000
_TICKS = 20
_WARM_TICKS = 30
_SUMS = (Aggregate("count_star", (), INT8), Aggregate("sum_int8", (Column(1, INT8),), NUMERIC))
_PAIRS = Join(JoinKind.INNER, Get(FACTS, DESC), Get(DIMENSION, DESC), (
    Call("eq_int4_int4", (Column(0, INT4), Column(2, INT4)), BOOL),
))  # fmt: skip
RELATIONS: dict[str, Relation] = {
    "group": Reduce(Get(FACTS, DESC), (Column(0, INT4),), _SUMS, ("k", "n", "s")),
    "join, group": Reduce(_PAIRS, (Column(2, INT4),), _SUMS, ("k", "n", "s")),
    "top 3 a key": TopK(Get(FACTS, DESC), (0,), (SortKey(Column(1, INT8), True, False),), Literal(3, INT8), None),
}


@dataclass(slots=True)
class Course:
    """A dataflow and where it stands."""

    dataflow: Dataflow
    scratch: Path
    time: int = 0

    def tick(self, tables: Mapping[GlobalId, pa.Table]) -> tuple[TickResult, float]:
        """All rows of the tables at the next time; seconds."""
        changes = {id_: self._change(table) for id_, table in tables.items()}
        began = time.monotonic()
        result = self.dataflow.tick(changes, Timestamp(self.time), Timestamp(self.time + 1))
        for chunks in result.outputs.values():
            for _ in chunks:
                pass
        self.dataflow.seal()
        self.time += 1
        return result, time.monotonic() - began

    def _change(self, table: pa.Table) -> Change:
        times = pa.array(np.full(table.num_rows, self.time))
        table = table.add_column(2, "time", times)
        return gathered_change([table], updates_schema(DESC), self.scratch)


def begin(name: str, sessions: Mapping[Profile, SparkSession], directory: Path) -> Course:
    plan = plan_maintenance(((VIEW, RELATIONS[name]),), (VIEW,))
    scratch = Path(tempfile.mkdtemp(dir=directory))
    dataflow = Dataflow(plan, {FACTS: DESC, DIMENSION: DESC}, sessions, scratch)
    store = local_store(scratch / "kept")
    dataflow.begin({each: store.arrangement(layout) for each, layout in dataflow.layouts.items()}, upper=None)
    return Course(dataflow, scratch)


def facts(dice: np.random.Generator, rows: int, keys: int = _KEYS) -> pa.Table:
    columns = {
        "c0": pa.array(dice.integers(0, keys, rows), pa.int32()),
        "c1": pa.array(dice.integers(0, 1_000_000, rows)),
        "diff": pa.array(np.ones(rows, np.int64)),
    }
    return pa.table(columns)


def dimension(keys: int = _KEYS) -> pa.Table:
    numbers = np.arange(keys)
    return pa.table({"c0": pa.array(numbers, pa.int32()), "c1": pa.array(numbers), "diff": pa.array(numbers * 0 + 1)})


def small_ticks(name: str, sessions: Mapping[Profile, SparkSession], directory: Path) -> list[Measure]:
    """The median time of a tick of ten rows, warm."""
    dice = np.random.default_rng(1)
    course = begin(name, sessions, directory)
    course.tick({FACTS: facts(dice, 10_000), DIMENSION: dimension()})
    for _ in range(_WARM_TICKS):
        course.tick({FACTS: facts(dice, 10)})
    times = [course.tick({FACTS: facts(dice, 10)})[1] for _ in range(_TICKS)]
    return [Measure(f"kernels: a tick of 10 rows: {name}", statistics.median(times) * 1000, "ms")]


def throughput(size: int, changes: int, sessions: Mapping[Profile, SparkSession], directory: Path) -> Measure:
    """W1: changes a second in ticks of `size`; every fifth change is a delete of an earlier insert."""
    dice = np.random.default_rng(2)
    course = begin("group", sessions, directory)
    course.tick({FACTS: facts(dice, 1)})
    ticks = []
    for _ in range(changes // size):
        inserts = facts(dice, size * 4 // 5)
        deletes = inserts.slice(0, size // 5).set_column(2, "diff", pa.array(np.full(size // 5, -1)))
        ticks.append(pa.concat_tables([inserts, deletes]))
    for table in ticks[: max(3, len(ticks) // 4)]:
        course.tick({FACTS: table})
    seconds = sum(course.tick({FACTS: table})[1] for table in ticks)
    return Measure(f"kernels: W1 in ticks of {size:,}", len(ticks) * size / seconds, "changes/s", 100_000)


def scaling(
    name: str, bases: Sequence[int], sessions: Mapping[Profile, SparkSession], directory: Path
) -> list[Measure]:
    """1,000 rows on bases of several sizes: time and rows read."""
    measures: list[Measure] = []
    first = 0.0
    for base in bases:
        dice = np.random.default_rng(3)
        course = begin(name, sessions, directory)
        keys = base // 10
        _, hydration = course.tick({FACTS: facts(dice, base, keys), DIMENSION: dimension(keys)})
        for _ in range(_WARM_TICKS):
            course.tick({FACTS: facts(dice, 1_000, keys)})
        ticks = [course.tick({FACTS: facts(dice, 1_000, keys)}) for _ in range(_TICKS)]
        median = statistics.median(seconds for _, seconds in ticks)
        read = statistics.median(result.rows_read for result, _ in ticks)
        first = first or median
        what = f"kernels: {name}, 1,000 on {base:,}"
        measures += [
            Measure(f"{what}: hydration", hydration, "s"),
            Measure(f"{what}: a tick", median * 1000, "ms", note=f"{read:,.0f} rows read"),
            Measure(f"{what}: ratio", median / first, "times", 2, at_least=False),
        ]
    return measures


def measure_maintenance(bases: Sequence[int], changes: int) -> Iterator[Measure]:
    """Changes on `bases` of rows, W1 with `changes`."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        session = start_session(SparkOptions(app_dir=directory / "spark", memory="4g"))
        sessions = profile_sessions(session)
        try:
            for each in RELATIONS:
                yield from small_ticks(each, sessions, directory)
            for size in (changes // 100, changes // 10):
                yield throughput(size, changes, sessions, directory)
            for each in RELATIONS:
                yield from scaling(each, bases, sessions, directory)
        finally:
            stop_session(session)
