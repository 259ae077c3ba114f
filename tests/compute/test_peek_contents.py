"""What a replica keeps of the contents that it has read is bounded by bytes, not only by how many there are."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest

from compute.protocol.dataflow import Import
from compute.replica.contents.kept_contents import KeptContents
from compute.replica.contents.shard_contents import Contents
from compute.replica.peeks.peek import Peeks, Rendering
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import TEXT
from storage.persist.snapshot import Snapshot
from storage.persist.state import ShardState
from tests.storage.memory import MemoryBlob

_DESC = relation_desc(("a", TEXT))
_BYTES = 50 << 20


async def _no_time() -> None:
    return


async def test_large_contents_are_not_kept_by_the_dozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = pa.array(["x" * _BYTES])

    async def read(_kept: KeptContents, _snapshot: Snapshot, _state: ShardState) -> Contents:
        table = pa.table({"c0": value, DIFF_COLUMN: pa.array([1], pa.int64())})
        return Contents((), (), table, table.slice(0, 0))

    monkeypatch.setattr(KeptContents, "contents", read)
    nothing = cast(Any, None)
    kept = Peeks(nothing, Rendering(nothing, nothing), nothing, MemoryBlob(_no_time), nothing, tmp_path, nothing)
    tables = []
    for number in range(20):
        snapshot = Snapshot(f"shard {number}", Timestamp(1), _DESC, (), (), True)
        item = Import(GlobalId.user(number), snapshot.shard, _DESC)
        tables.append(weakref.ref((await kept._input(item, snapshot, cast(Any, object()))).contents.added))
    gc.collect()
    assert tables[-1]() is not None
    assert sum(table() is not None for table in tables) * _BYTES <= 256 << 20
