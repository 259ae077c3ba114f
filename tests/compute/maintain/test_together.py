"""Ticks that go together: each comes to what it comes to alone, whatever becomes of the others."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.maintain.change import literal_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.tick import Question, Tick, TickAnswer, TickResult
from compute.maintain.ticking import Ticking, tick_together
from compute.spark.prepared import Asked
from compute.spark.session import Profile, profile_sessions
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.rules.pipeline import optimize
from tests.compute.maintain.histories import History, random_history
from tests.compute.maintain.relations import RELATIONS, TABLES

pytestmark = pytest.mark.spark
_VIEW = GlobalId.user(9)
_KINDS = ("union", "group by text and flag", "top", "failing map")
_CUTS = ((1, 2), (2, 4), (4, 5), (5, 8))


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


def _begun(name: str, history: History, sessions: dict[Profile, SparkSession], directory: Path) -> Dataflow:
    plan = plan_maintenance(((_VIEW, optimize(RELATIONS[name])),), (_VIEW,))
    dataflow = Dataflow(plan, history.descs, sessions, directory)
    dataflow.begin({each: Arrangement(layout) for each, layout in dataflow.layouts.items()}, upper=None)
    return dataflow


def _tables(history: History, lower: int, upper: int) -> dict[GlobalId, pa.Table]:
    return history.snapshot(lower) if lower == _CUTS[0][0] else history.changes(lower, upper)


def _ticking(dataflow: Dataflow, history: History, lower: int, upper: int) -> Ticking:
    changes = {id_: literal_change(table) for id_, table in _tables(history, lower, upper).items()}
    return dataflow.begin_tick(changes, Timestamp(lower), Timestamp(upper))


def _told(result: TickResult) -> tuple[list[str], list[str]]:
    rows = [repr(row) for table in result.outputs[_VIEW] for row in table.to_pylist()]
    return sorted(rows), sorted(map(repr, result.errors[_VIEW].to_pylist()))


def _wanting_jobs(marked: Tick) -> Callable[[Tick, Question], Asked | None]:
    asked = Tick.asked
    return lambda tick, question: None if tick is marked else asked(tick, question)


def _refusing(marked: Tick) -> Callable[[Tick, Question, list[pa.RecordBatch]], TickAnswer]:
    answered = Tick.answered

    def answers(tick: Tick, question: Question, batches: list[pa.RecordBatch]) -> TickAnswer:
        if tick is marked:
            raise OSError("no room")
        return answered(tick, question, batches)

    return answers


def test_each_comes_to_what_it_comes_to_alone(
    sessions: dict[Profile, SparkSession], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them fails once, and is repeated alone; one asks for a job in a tick, and is finished alone."""
    history = random_history(random.Random(12), TABLES, 8)
    alone = {name: _begun(name, history, sessions, tmp_path) for name in _KINDS}
    company = {name: _begun(name, history, sessions, tmp_path) for name in _KINDS}
    failing, leaving = _KINDS[1], _KINDS[2]
    for lower, upper in _CUTS:
        ticks = {name: _ticking(dataflow, history, lower, upper) for name, dataflow in company.items()}
        with monkeypatch.context() as patch:
            if lower == 2:
                patch.setattr(Tick, "answered", _refusing(ticks[failing]._tick))
            if lower == 4:
                patch.setattr(Tick, "asked", _wanting_jobs(ticks[leaving]._tick))
            tick_together(list(ticks.values()), tmp_path)
        if lower == 2:
            assert [name for name, each in ticks.items() if each.failure is not None] == [failing]
            company[failing].discard()
            ticks[failing] = _ticking(company[failing], history, lower, upper)
        if lower == 4:
            assert [name for name, each in ticks.items() if each.result is None] == [leaving]
        for name, each in ticks.items():
            changes = {id_: literal_change(table) for id_, table in _tables(history, lower, upper).items()}
            expected = alone[name].tick(changes, Timestamp(lower), Timestamp(upper))
            assert _told(each.finish()) == _told(expected), name
            alone[name].seal()
            company[name].seal()
    for dataflow in (*alone.values(), *company.values()):
        dataflow.close()
