"""Incrementality is counted: what a tick reads and writes for a change does not grow with what is there already.

Views of every kind stand on a small base and a large one, and like changes come to both. Rows are counted where they
are read: by queries, which read changes and what steps make of them, and in arrangements, in which steps look.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.maintain.change import gathered_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.description import recomputed
from compute.maintain.plan import MaintenancePlan
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.parts import Maintenance
from compute.maintain.tick import TickResult
from compute.spark.session import Profile, profile_sessions
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from planner.rules.pipeline import optimize_maintained
from tests.compute.maintain.planning.test_golden_maintenance import relation_of
from tests.planner.small_catalog import SmallCatalog

pytestmark = [pytest.mark.spark, pytest.mark.slow]
_COLUMNS = "(id int not null, k int, g int, p int, v int, until mz_timestamp)"
_AS_OF = 10
_TICKS = 3
_EACH = 10
_SMALL = 2_000

INCREMENTAL = {
    "filter and map": "select id + 1, v * 2 from t where v % 3 = 0",
    "join": "select t.id, u.v from t join u on t.k = u.k",
    "join of three": "select t.id, u.v, w.v from t join u on t.k = u.k join w on u.id = w.id",
    "left join": "select t.id, u.v from t left join u on t.k = u.k and u.v % 2 = 0",
    "full join": "select t.id, u.v from t full join u on t.k = u.k",
    "semi join": "select id from t where exists (select from u where u.k = t.k and u.v % 2 = 0)",
    "anti join": "select id from t where not exists (select from u where u.k = t.k and u.v % 2 = 0)",
    "sums": "select g, count(*), sum(v), avg(v) from t group by g",
    "sums of all": "select count(*), sum(v) from t",
    "distinct": "select distinct g, p from t",
    "count distinct": "select g, count(distinct p) from t group by g",
    "min": "select g, min(v) from t group by g",
    "min and max of all": "select min(v), max(v) from t",
    "extremes beside sums": "select g, max(v) filter (where p % 2 = 0), count(*), min(id) from t group by g",
    "top": "select * from t order by v desc limit 5",
    "distinct on": "select distinct on (g) * from t order by g, v",
    "window": "select id, row_number() over (partition by p order by v) from t",
    "aggregate by group": "select p, array_agg(v order by v) from t group by p",
    "except all": "select k, g from t except all select k, p from u",
    "intersect all": "select k, g from t intersect all select k, g from u",
    "correlated subquery": "select id, (select sum(v) from u where u.k = t.k) from t",
    "temporal filter": "select id from t where mz_now() < until",
}
RECOMPUTED = {
    "window of all rows": "select id, row_number() over (order by v) from t",
    "aggregate of all rows": "select array_agg(v order by v) from t",
    "recursion": "with recursive r as (select id from t where k = 1 union select t.id from t join r on t.k = r.id) "
    "select id from r",
}


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for table in ("t", "u", "w"):
        catalog.run(f"create table {table} {_COLUMNS}")
    return catalog


def _planned(catalog: SmallCatalog, views: Mapping[str, str]) -> MaintenancePlan:
    objects = [
        (GlobalId.user(100 + number), optimize_maintained(relation_of(catalog, sql)))
        for number, sql in enumerate(views.values())
    ]
    return plan_maintenance(tuple(objects), tuple(id_ for id_, _ in objects))


def _rows(ids: npt.NDArray[np.int64], time: int, diff: int, desc: RelationDesc) -> pa.Table:
    """There are eight groups of g, and two rows of each k, five of each p; five rows end at each time."""
    until = _AS_OF + 1 + np.abs(ids) // 5
    columns = (ids, ids // 2, ids % 8, ids // 5, ids, until, np.full(len(ids), time), np.full(len(ids), diff))
    schema = updates_schema(desc)
    return pa.table([pa.array(column).cast(field.type) for column, field in zip(columns, schema)], schema=schema)


def _changes(rows: int, tick: int, desc: RelationDesc) -> pa.Table:
    """The first and the last of `rows` rows go, and others come before and after them."""
    low = np.arange(_EACH) + tick * _EACH
    gone, come = (np.concatenate([each, rows - 1 - each]) for each in (low, -1 - low))
    time = _AS_OF + 1 + tick
    return pa.concat_tables([_rows(gone, time, -1, desc), _rows(come, time, 1, desc)])


class _Views:
    """Views over the catalog's tables, maintained."""

    def __init__(
        self, plan: MaintenancePlan, catalog: SmallCatalog, sessions: Mapping[Profile, SparkSession], scratch: Path
    ) -> None:
        self._descs = {item.id: item.desc for item in catalog.items if item.desc is not None}
        self._scratch = scratch
        self._dataflow = Dataflow(plan, self._descs, sessions, scratch)

    def begin(self, rows: int) -> None:
        """Anew, over tables of so many rows each."""
        arrangements = {name: Arrangement(layout) for name, layout in self._dataflow.layouts.items()}
        self._dataflow.begin(arrangements, upper=None)
        ids = np.arange(rows)
        self._tick({id_: _rows(ids, _AS_OF, 1, desc) for id_, desc in self._descs.items()}, _AS_OF)

    def ticks(self, rows: int) -> list[TickResult]:
        """What further ticks do, over tables that began with so many rows."""
        results = []
        for tick in range(_TICKS):
            changes = {id_: _changes(rows, tick, desc) for id_, desc in self._descs.items()}
            results.append(self._tick(changes, _AS_OF + 1 + tick))
        return results

    def close(self) -> None:
        self._dataflow.close()

    def _tick(self, tables: Mapping[GlobalId, pa.Table], time: int) -> TickResult:
        changes = {id_: gathered_change([each], each.schema, self._scratch) for id_, each in tables.items()}
        result = self._dataflow.tick(changes, Timestamp(time), Timestamp(time + 1))
        assert not any(errors.num_rows for errors in result.errors.values())
        self._dataflow.seal()
        return result


def _told(plan: MaintenancePlan, results: list[TickResult]) -> list[str]:
    """Each tick in lines, one for each step."""
    lines = []
    for tick, result in enumerate(results):
        lines.append(f"{tick}: {result.rows_read} read, {result.rows_written} written")
        lines += [f"{tick}: l{at} {plan.steps[at].maintenance} {each}" for at, each in enumerate(result.steps)]
    return lines


def test_rows_read_and_written_do_not_grow_with_the_base(
    catalog: SmallCatalog,
    sessions: dict[Profile, SparkSession],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    plan = _planned(catalog, INCREMENTAL)
    assert recomputed(plan) == []
    assert {step.maintenance for step in plan.steps} == set(Maintenance) - {Maintenance.LINEAR, Maintenance.RECOMPUTE}
    views = _Views(plan, catalog, sessions, tmp_path)
    counts = []
    for rows in (_SMALL, request.config.getoption("--base-rows")):
        views.begin(rows)
        with monkeypatch.context() as patch:
            patch.setattr(Arrangement, "rows", _snapshot)
            counts.append(_told(plan, views.ticks(rows)))
    views.close()
    assert counts[0] == counts[1]


def _snapshot(*_: object) -> None:
    raise AssertionError("a tick reads all that is there")


@pytest.mark.parametrize("name", RECOMPUTED)
def test_what_explain_calls_recomputed_reads_it_all(
    name: str, catalog: SmallCatalog, sessions: dict[Profile, SparkSession], tmp_path: Path
) -> None:
    plan = _planned(catalog, {name: RECOMPUTED[name]})
    assert recomputed(plan) != []
    views = _Views(plan, catalog, sessions, tmp_path)
    results = []
    for rows in (1000, 2000):
        views.begin(rows)
        results.append(views.ticks(rows))
    views.close()
    for less, more in zip(*results, strict=True):
        assert less.rows_read > 1000
        assert more.rows_read - less.rows_read >= 1000
