"""Random histories of collections, and a dataflow's course over one, held against evaluation at every time."""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

from compute.arrangement.blob.remote_place import RemoteBlob
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.executors.task_pool import LostTask
from compute.maintain.change import literal_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.plan import MaintenancePlan
from compute.maintain.queries import Queries
from compute.maintain.tick import TickResult
from compute.maintain.wide import ExportTarget, WideSteps
from compute.replica.dataflows.exports.shard_rows import ShardRows
from compute.spark.session import Profile
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import row_key
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate
from model.updates.update import Update, updates_from_arrow, updates_to_arrow
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.ir.scalar import SessionName
from storage.persist.files import FileBlob
from storage.persist.snapshot import read_staged
from tests.compute.dataflows.world import shard_desc

Pools = Sequence[Sequence[Datum]]


@dataclass(frozen=True, slots=True)
class History:
    """Updates of collections; accumulated up to any time, no row is there less than zero times."""

    descs: Mapping[GlobalId, RelationDesc]
    updates: Mapping[GlobalId, Sequence[Update]]

    def contents(self, id_: GlobalId, time: int) -> list[Row]:
        counts: Counter[int] = Counter()
        rows: dict[int, Row] = {}
        places: dict[str, int] = {}
        for update in self.updates[id_]:
            if update.time <= time:
                place = places.setdefault(repr(update.row), len(places))
                rows[place] = update.row
                counts[place] += update.diff
        return [rows[place] for place, count in counts.items() for _ in range(count)]

    def changes(self, lower: int, upper: int) -> dict[GlobalId, pa.Table]:
        return {
            id_: updates_to_arrow([each for each in updates if lower <= each.time < upper], self.descs[id_])
            for id_, updates in self.updates.items()
        }

    def snapshot(self, as_of: int) -> dict[GlobalId, pa.Table]:
        return {
            id_: updates_to_arrow(
                [Update(row, Timestamp(as_of), 1) for row in self.contents(id_, as_of)], self.descs[id_]
            )
            for id_ in self.descs
        }


def random_history(dice: random.Random, tables: Mapping[GlobalId, tuple[RelationDesc, Pools]], times: int) -> History:
    """Rows come, several at once, and go, some in the very tick or at the very time at which they came."""
    updates: dict[GlobalId, list[Update]] = {}
    for id_, (desc, pools) in tables.items():
        mine: list[Update] = []
        live: list[Row] = []
        for time in range(times):
            for _ in range(dice.choice((0, 0, 1, 2, 5))):
                if live and dice.random() < 0.45:
                    row = live.pop(dice.randrange(len(live)))
                    mine.append(Update(row, Timestamp(time), -1))
                    continue
                row = tuple(
                    None if column.nullable and dice.random() < 0.12 else dice.choice(pool)
                    for column, pool in zip(desc.columns, pools, strict=True)
                )
                count = dice.choice((1, 1, 1, 3))
                mine.append(Update(row, Timestamp(time), count))
                live += [row] * count
        updates[id_] = mine
    return History({id_: desc for id_, (desc, _) in tables.items()}, updates)


def random_cuts(dice: random.Random, times: int) -> list[int]:
    """as_of, and then where each tick ends; the last at `times`."""
    as_of, *rest = sorted(dice.sample(range(times - 1), dice.choice((2, 3, 4))))
    return [as_of, *(cut for cut in rest if cut > as_of + 1), times]


@dataclass(slots=True)
class Course:
    """What came of the ticks: updates of each export, and its errors as (text, time, diff)."""

    updates: dict[GlobalId, list[Update]] = field(default_factory=dict)
    errors: dict[GlobalId, list[tuple[str, int, int]]] = field(default_factory=dict)

    def contents(self, id_: GlobalId, desc: RelationDesc, time: int) -> Counter[object]:
        """Rows, as SQL tells them apart, with what they add up to."""
        key = row_key(desc.types)
        counts: Counter[object] = Counter()
        for update in self.updates[id_]:
            if update.time <= time:
                counts[key(update.row)] += update.diff
        return Counter({row: count for row, count in counts.items() if count})

    def failures(self, id_: GlobalId, time: int) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for error, at, diff in self.errors[id_]:
            if at <= time:
                counts[error] += diff
        return {error: count for error, count in counts.items() if count}


def course_of(
    plan: MaintenancePlan,
    history: History,
    sessions: Mapping[Profile, SparkSession],
    scratch: Path,
    cuts: Sequence[int],
    wide: Callable[[Queries], WideSteps | None] = lambda _: None,
    store_in: Callable[[Path], ArrangementStore] = lambda place: local_store(place / "state"),
) -> Course:
    """The ticks of a dataflow that hydrates at the first of `cuts`, and then goes from each to the next. `wide` says
    where wide steps run; a tick whose tasks are lost is made again."""
    dataflow = Dataflow(plan, history.descs, sessions, scratch, wide)
    course = course_in(dataflow, plan, history, store_in(scratch), cuts)
    dataflow.close()
    return course


class WrittenByTasks:
    """Shards for the exports of a dataflow, whose parts tasks may write."""

    def __init__(self, descs: Mapping[GlobalId, RelationDesc]) -> None:
        self._descs = descs
        self._place = tempfile.TemporaryDirectory()
        self._blob = FileBlob(Path(self._place.name))

    def targets(self, id_: GlobalId) -> Mapping[str, ExportTarget]:
        rows = ShardRows(RemoteBlob(self._place.name), str(id_), shard_desc(self._descs[id_]), None, None)
        return {str(id_): ExportTarget(rows, None)}

    def rows(self, id_: GlobalId, result: TickResult) -> list[pa.Table]:
        """What tasks have written for an export in a tick."""
        if id_ not in result.exported:
            return []
        parts = [part for done in result.exported[id_].exports[str(id_)] for part in done.parts]
        desc = self._descs[id_]

        async def read() -> list[pa.Table]:
            tables = [await read_staged(part, shard_desc(desc), str(id_), self._blob) for part in parts]
            return [table.select(updates_schema(desc).names).cast(updates_schema(desc)) for table in tables]

        return asyncio.run(read())

    def close(self) -> None:
        self._place.cleanup()


def course_in(
    dataflow: Dataflow, plan: MaintenancePlan, history: History, store: ArrangementStore, cuts: Sequence[int]
) -> Course:
    """The ticks of `course_of` in a dataflow that begins anew with the empty `store`, whatever it has done before: its
    queries, which take Spark longer than the ticks, stay prepared."""
    arrangements = {name: store.arrangement(layout) for name, layout in dataflow.layouts.items()}
    dataflow.begin(arrangements, upper=None)
    descs = {id_: relation_desc_of(segment) for id_, segment in plan.outputs}
    course = Course({id_: [] for id_ in descs}, {id_: [] for id_ in descs})
    written = WrittenByTasks(descs)
    as_of = cuts[0]
    ticks = [(history.snapshot(as_of), as_of, as_of + 1)]
    ticks += [(history.changes(lower, upper), lower, upper) for lower, upper in pairwise((as_of + 1, *cuts[1:]))]
    for tables, lower, upper in ticks:
        changes = {id_: literal_change(table) for id_, table in tables.items()}
        try:
            result = dataflow.tick(changes, Timestamp(lower), Timestamp(upper), written.targets)
        except LostTask:
            result = dataflow.tick(changes, Timestamp(lower), Timestamp(upper), written.targets)
            assert not result.exported
            assert not any(step.tasks for step in result.steps), "what tasks failed at is tried without them"
        for id_, desc in descs.items():
            for chunk in (*result.outputs[id_], *written.rows(id_, result)):
                assert chunk.schema == updates_schema(desc)
                assert consolidate(chunk).num_rows == chunk.num_rows, "equal updates are added up in each chunk"
                course.updates[id_] += updates_from_arrow(chunk, desc)
            course.errors[id_] += [tuple(row.values()) for row in result.errors[id_].to_pylist()]
        dataflow.seal()
        while dataflow.merges_due:
            with contextlib.suppress(LostTask):
                dataflow.merge()
    written.close()
    return course


def expected(relation: Relation, history: History, time: int) -> Counter[object] | SqlError:
    """The relation's rows at a time, as SQL tells them apart; or why there are none."""
    types = relation_desc_of(relation).types
    key = row_key(types)
    session = {SessionName.MZ_NOW: time}
    context = EvaluationContext(session=session, collections=lambda id_: history.contents(id_, time))
    try:
        rows = evaluate_relation(relation, context)
        return Counter(map(key, rows))
    except SqlError as error:
        return error


def differences(id_: GlobalId, relation: Relation, history: History, course: Course, times: range) -> list[str]:
    """What is wrong with a course, one line for each time."""
    wrong = []
    for time in times:
        wanted = expected(relation, history, time)
        failures = course.failures(id_, time)
        if isinstance(wanted, SqlError):
            if not any(failure.startswith(wanted.sqlstate.value) for failure in failures):
                wrong.append(f"at {time}: {wanted.sqlstate.value} {wanted.message}, but {failures}")
            continue
        found = course.contents(id_, relation_desc_of(relation), time)
        if failures or found != wanted:
            wrong.append(f"at {time}: extra {found - wanted}, missing {wanted - found}, failures {failures}")
    return wrong
