"""Disk full, a corrupt batch, a missing part: a clear error naming the shard, and nothing else damaged."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed
from storage.persist.files import FileBlob
from storage.persist.location import Versioned
from storage.persist.snapshot import read_state
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.worlds import BIG_ROWS, DESC, World, at, contents, many_rows, table_of

U1, U2 = GlobalId.user(1), GlobalId.user(2)


async def world_of_two(root: Path) -> World:
    """u1 with a part, u2 with an inline batch and a part."""
    world = World(blob=FileBlob(root))
    for id_ in (U1, U2):
        await world.seed.create(id_, DESC, at(0), at(0))
        write = await world.controller.prepare_append(id_, [many_rows()], at(0), at(1))
        assert isinstance(await world.controller.commit([write]), Committed)
    return world


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(bytes(data))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize(
    "damage, sqlstate",
    [
        (_truncate, Sqlstate.DATA_CORRUPTED),
        (_flip, Sqlstate.DATA_CORRUPTED),
        (_empty, Sqlstate.DATA_CORRUPTED),
        (Path.unlink, Sqlstate.IO_ERROR),
    ],
)
async def test_a_damaged_part_is_an_error_that_names_the_shard(
    tmp_path: Path, damage: Callable[[Path], None], sqlstate: Sqlstate
) -> None:
    world = await world_of_two(tmp_path)
    (part,) = world.controller.reads.snapshot(U1, Timestamp(0)).parts
    damage(Path(world.blob.uri(part.key)))
    with pytest.raises(SqlError) as raised:
        await world.controller.reads.read(U1, Timestamp(0))
    assert raised.value.sqlstate is sqlstate
    assert "shard u1" in raised.value.message
    assert len(contents(await world.controller.reads.read(U2, Timestamp(0)))) == BIG_ROWS
    await world.blob.close()


async def test_compaction_never_skips_a_damaged_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.persist.compact.SMALL_BATCHES_MAX", 0)
    world = await world_of_two(tmp_path)
    (part,) = world.controller.reads.snapshot(U1, Timestamp(0)).parts
    _flip(Path(world.blob.uri(part.key)))
    before = world.controller.collections()[0].state
    await StorageMaintenance(world.controller).round()
    one, two = (collection.state for collection in world.controller.collections())
    assert one == before
    assert [batch.id for batch in two.batches] == [2], "the healthy collection was compacted"
    await world.blob.close()


async def test_a_flipped_bit_of_an_inline_batch_is_found() -> None:
    consensus = MemoryConsensus()
    world = World(consensus=consensus)
    await world.seed.create(U1, DESC, at(0), at(0))
    write = await world.controller.prepare_append(U1, [table_of((1, "abcdefgh"))], at(0), at(1))
    assert isinstance(await world.controller.commit([write]), Committed)
    newest = consensus._versions["shard/u1"][-1]
    assert b"abcdefgh" in newest.data
    consensus._versions["shard/u1"][-1] = Versioned(newest.seqno, newest.data.replace(b"abcdefgh", b"abcdefgi"))
    await world.restart()
    with pytest.raises(SqlError) as raised:
        await world.controller.reads.read(U1, Timestamp(0))
    assert raised.value.sqlstate is Sqlstate.DATA_CORRUPTED
    assert "shard u1" in raised.value.message


@pytest.mark.parametrize("data", [b"", b"\xc1", msgspec.msgpack.encode({"token": 5})])
async def test_a_corrupt_state_is_an_error_that_names_the_shard(data: bytes) -> None:
    consensus = MemoryConsensus()
    await consensus.compare_and_set({"shard/u1": None}, {"shard/u1": data})
    with pytest.raises(SqlError) as raised:
        await read_state(consensus, "u1")
    assert raised.value.sqlstate is Sqlstate.DATA_CORRUPTED
    assert "shard u1" in raised.value.message


class FullBlob(MemoryBlob):
    full = False

    async def put(self, key: str, data: bytes) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        await super().put(key, data)


async def test_a_full_disk_fails_the_large_append_and_nothing_else() -> None:
    blob = FullBlob()
    world = World(blob=blob)
    await world.seed.create(U1, DESC, at(0), at(0))
    write = await world.controller.prepare_append(U1, [many_rows()], at(0), at(1))
    assert isinstance(await world.controller.commit([write]), Committed)
    blob.full = True
    with pytest.raises(SqlError) as raised:
        await world.controller.prepare_append(U1, [many_rows()], at(1), at(2))
    assert raised.value.sqlstate is Sqlstate.DISK_FULL
    assert "shard u1" in raised.value.message
    write = await world.controller.prepare_append(U1, [table_of((-1, "small"))], at(1), at(2))
    assert isinstance(await world.controller.commit([write]), Committed)
    blob.full = False
    write = await world.controller.prepare_append(U1, [many_rows(BIG_ROWS)], at(2), at(3))
    assert isinstance(await world.controller.commit([write]), Committed)
    assert len(contents(await world.controller.reads.read(U1, Timestamp(2)))) == 2 * BIG_ROWS + 1
    assert not world.controller.stage.underway
