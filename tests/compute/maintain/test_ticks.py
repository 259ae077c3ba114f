"""Ticks: what is taken back is as if it had not been, what was kept goes on, and the size of a change is no matter."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import local_store
from compute.maintain import change, outputs, queries, tick
from compute.maintain.change import Change, literal_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.plan import MaintenancePlan
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.segments import SegmentQuery
from compute.maintain.tick import TickResult
from compute.spark.session import Profile, profile_sessions
from compute.spark.spool import Spool
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.ir.relation import Relation
from planner.rules.pipeline import optimize
from tests.compute.maintain.histories import History, course_of, differences, random_history
from tests.compute.maintain.relations import RELATIONS, TABLES

pytestmark = pytest.mark.spark
_VIEW = GlobalId.user(9)
_TIMES = 8
_KINDS = (
    "union",
    "full join",
    "group by text and flag",
    "one of each kind of all",
    "except all",
    "top",
    "recursive",
    "failing map",
)


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


def _planned(name: str) -> tuple[Relation, MaintenancePlan]:
    relation = optimize(RELATIONS[name])
    return relation, plan_maintenance(((_VIEW, relation),), (_VIEW,))


def _ticked(dataflow: Dataflow, tables: Mapping[GlobalId, pa.Table], lower: int, upper: int) -> TickResult:
    changes = {id_: literal_change(table) for id_, table in tables.items()}
    return dataflow.tick(changes, Timestamp(lower), Timestamp(upper))


def _told(result: TickResult) -> tuple[list[str], list[str]]:
    """A result in a form that can be compared: NaN is NaN there."""
    rows = [repr(row) for table in result.outputs[_VIEW] for row in table.to_pylist()]
    return sorted(rows), sorted(map(repr, result.errors[_VIEW].to_pylist()))


@pytest.mark.in_part(6)
@pytest.mark.parametrize(("name", "limit"), [*zip(_KINDS, cycle(["LITERAL_ROWS_MAX", "LITERAL_BYTES_MAX"]))])
def test_large_changes_come_to_the_same(
    name: str, limit: str, sessions: dict[Profile, SparkSession], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files in place of literal rows, jobs in the large profiles, outputs in files."""
    monkeypatch.setattr(change, limit, 0)
    monkeypatch.setattr(queries, "SMALL_ROWS_MAX", 0)
    monkeypatch.setattr(queries, "LARGE_ROWS_MAX", 10)
    monkeypatch.setattr(outputs, "TABLE_ROWS_MAX", 0)
    relation, plan = _planned(name)
    history = random_history(random.Random(7), TABLES, _TIMES)
    course = course_of(plan, history, sessions, tmp_path, [2, 5, _TIMES])
    wrong = differences(_VIEW, relation, history, course, range(2, _TIMES))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "rows_max", "starts_jobs"),
    [
        ("group by text and flag", tick.FIRST_ROWS_MAX, False),
        ("top", tick.FIRST_ROWS_MAX, False),
        ("top", 1, True),
        ("series", tick.FIRST_ROWS_MAX, True),
        ("constant", tick.FIRST_ROWS_MAX, True),
    ],
)
def test_a_first_tick_starts_a_job_only_for_many_rows_and_for_constants(
    name: str,
    rows_max: int,
    starts_jobs: bool,
    sessions: dict[Profile, SparkSession],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A later tick of few rows starts none."""
    jobs: list[str] = []
    run = Queries.run

    def counted(self: Queries, query: SegmentQuery, profile: Profile, changes: Mapping[str, Change | None]) -> Spool:
        jobs.append(query.text)
        return run(self, query, profile, changes)

    monkeypatch.setattr(Queries, "run", counted)
    monkeypatch.setattr(tick, "FIRST_ROWS_MAX", rows_max)
    relation, plan = _planned(name)
    history = random_history(random.Random(7), TABLES, _TIMES)
    course = course_of(plan, history, sessions, tmp_path, [2])
    assert bool(jobs) == starts_jobs
    wrong = differences(_VIEW, relation, history, course, range(2, 3))
    assert not wrong, "\n".join(wrong)
    dataflow = _begun(name, history, sessions, tmp_path)
    _ticked(dataflow, history.snapshot(2), 2, 3)
    dataflow.seal()
    jobs.clear()
    _ticked(dataflow, history.changes(3, 8), 3, 8)
    assert not jobs
    dataflow.close()


@pytest.mark.in_part(6, first=1)
@pytest.mark.parametrize("name", _KINDS)
def test_a_tick_that_is_discarded_can_be_repeated(
    name: str, sessions: dict[Profile, SparkSession], tmp_path: Path
) -> None:
    history = random_history(random.Random(8), TABLES, _TIMES)
    dataflow = _begun(name, history, sessions, tmp_path)
    for tables, lower, upper in (
        (history.snapshot(1), 1, 2),
        (history.changes(2, 5), 2, 5),
        (history.changes(5, 8), 5, 8),
    ):
        first = _told(_ticked(dataflow, tables, lower, upper))
        dataflow.discard()
        assert _told(_ticked(dataflow, tables, lower, upper)) == first
        dataflow.seal()
    dataflow.close()


@pytest.mark.in_part(6, first=2)
@pytest.mark.parametrize("name", _KINDS)
def test_a_checkpoint_goes_on_as_if_nothing_had_been(
    name: str, sessions: dict[Profile, SparkSession], tmp_path: Path
) -> None:
    history = random_history(random.Random(9), TABLES, _TIMES)
    dataflow = _begun(name, history, sessions, tmp_path)
    _ticked(dataflow, history.snapshot(2), 2, 3)
    dataflow.seal()
    store = local_store(tmp_path / "kept")
    store.checkpoint("one", 3, {}, dataflow.arrangements)
    uninterrupted = _told(_ticked(dataflow, history.changes(3, 8), 3, 8))
    dataflow.close()

    opened = local_store(tmp_path / "kept").open("one", dataflow.layouts)
    assert opened is not None
    _, plan = _planned(name)
    again = Dataflow(plan, history.descs, sessions, tmp_path)
    again.begin(opened.arrangements, upper=Timestamp(opened.upper))
    assert _told(_ticked(again, history.changes(3, 8), 3, 8)) == uninterrupted
    again.close()


def _begun(name: str, history: History, sessions: dict[Profile, SparkSession], scratch: Path) -> Dataflow:
    _, plan = _planned(name)
    dataflow = Dataflow(plan, history.descs, sessions, scratch)
    dataflow.begin({name: Arrangement(layout) for name, layout in dataflow.layouts.items()}, upper=None)
    return dataflow
