"""A view over mz_now() that was kept is read before Spark is up, up to the time at which a row comes or goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from compute.arrangement.layout import Layout
from compute.maintain.arranged import delayed_names
from compute.maintain.plan_names import name_of
from compute.maintain.planning.maintained import plan_maintenance
from compute.replica.dataflows.kept import open_kept
from compute.replica.dataflows.on_spark import SparkMaintenance
from compute.replica.dataflows.outputs import computation_of
from compute.replica.dataflows.shelf import computed_name, shelf_for
from compute.replica.dataflows.states import LocalStates
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT8, MZ_TIMESTAMP
from planner.ir.relation import Filter, Get
from planner.ir.scalar import Call, Column, SessionName, SessionValue
from storage.persist.runner import InlineRunner
from tests.compute.dataflows.world import Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run

_DESC = relation_desc(("id", INT8), ("ends", INT8))


@pytest.mark.parametrize("due", ((), (25,), (40, 31, 5)), ids=("nothing", "one", "several"))
def test_what_is_due_is_known_of_what_was_kept(due: tuple[int, ...], tmp_path: Path) -> None:
    async def work(world: World) -> None:
        item = await world.table(1, _DESC)
        ends = Call("cast_int8_mz_timestamp", (Column(1, INT8),), MZ_TIMESTAMP)
        now = SessionValue(SessionName.MZ_NOW)
        view = Filter(Get(item.id, _DESC), (Call("lt_mz_timestamp_mz_timestamp", (now, ends), BOOL),))
        description = describe([item], (2, view), [index_on(3, 2)])
        computation = computation_of(description)
        plan = plan_maintenance(computation.objects, computation.outputs)
        (delayed,) = delayed_names(plan)
        shelf = replace(shelf_for(computed_name(description), [description], {}), carried_out=name_of(plan))
        layout = Layout((), (pa.int64(), pa.int64()))
        before = await open_kept(LocalStates(tmp_path), shelf, {delayed: layout}, InlineRunner())
        rows = len(due)
        columns = [[*due], [1] * rows, [*due], [*due], [-1] * rows]
        before.arrangements[delayed].insert(pa.table(columns, schema=layout.schema))
        before.arrangements[delayed].seal()
        await before.checkpoint(Timestamp(20), {})
        replica = Replica(world)
        maintenance = SparkMaintenance(replica.places, tmp_path, LocalStates(tmp_path), tmp_path / "scratch")
        opened = await maintenance.open(1, description, computation, shelf)
        assert opened.kept is not None and opened.kept[0] == 20
        assert opened.next_due() == min((time for time in due if time >= 20), default=None)
        await opened.close()
        await replica.dataflows.stop()

    run(work)
