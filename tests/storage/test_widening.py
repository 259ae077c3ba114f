"""Collections whose columns become more: what was written before has NULL there, compacted or not."""

from __future__ import annotations

import pyarrow as pa
import pytest

from model.ids.global_id import GlobalId
from model.physical.conforming import conformed
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed
from storage.persist.snapshot import read_snapshot, snapshot
from tests.storage.worlds import DESC, World, at, many_rows, table_of

_ID = GlobalId.user(1)
_WIDER = RelationDesc((*DESC.columns, ColumnDesc("x", INT4)))


async def _append(world: World, time: int, rows: pa.Table, desc: RelationDesc, *, widening: bool = False) -> None:
    writes = [world.controller.prepare_widening(_ID, desc)] if widening else []
    writes.append(await world.controller.prepare_append(_ID, [rows], at(time), at(time + 1), desc=desc))
    assert isinstance(await world.controller.commit(writes), Committed)


async def test_columns_that_come_later_are_null_in_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.persist.compact.SMALL_BATCHES_MAX", 2)
    world = World()
    await world.seed.create(_ID, DESC, at(5), at(5))
    await _append(world, 5, many_rows(0, 10_000), DESC)
    await _append(world, 6, table_of((1, "inline")), DESC)
    retracted = conformed(table_of((1, "inline")), _WIDER).append_column("diff", pa.array([-1], pa.int64()))
    await _append(world, 7, retracted, _WIDER, widening=True)
    await _append(world, 8, table_of((70_000, "wide", 9), desc=_WIDER), _WIDER)
    for compacted in (False, True):
        if compacted:
            await world.seed.allow_compaction(_ID, at(8))
            await StorageMaintenance(world.controller).round()
        read = await world.controller.reads.read(_ID, Timestamp(8))
        assert read.column_names == ["c0", "c1", "c2", "diff"]
        assert read.num_rows == 10_001
        assert read.column("c2").drop_null().to_pylist() == [9]
    await world.controller.load([_ID])
    assert world.controller.desc(_ID) == _WIDER


async def test_who_knows_fewer_columns_reads_fewer() -> None:
    world = World()
    await world.seed.create(_ID, DESC, at(5), at(5))
    await _append(world, 5, table_of((1, "x")), DESC)
    await _append(world, 6, table_of((1, "x", 2), (1, "x", 3), desc=_WIDER), _WIDER, widening=True)
    state = world.controller.collections()[0].state
    read = await read_snapshot(snapshot(state, Timestamp(6), DESC), world.controller.blob)
    assert read.to_pylist() == [{"c0": 1, "c1": "x", "diff": 3}]
