"""Backups without a server: whole or none, of one moment, cut at any time that the state tells."""

from __future__ import annotations

import asyncio
import random
import threading
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from msgspec.structs import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.updates.update import Update, updates_to_arrow
from storage.backup.capture import Captured, Overtaken, capture
from storage.backup.cut import cut
from storage.backup.manifest import BackupManifest, backup_name, encode_manifest, manifest_key
from storage.backup.reading import backup_names, damages, named_parts, read_manifest, read_states
from storage.backup.restoring import require_empty, restore_consensus, restore_parts
from storage.backup.writing import BackupProgress, BackupWriter
from storage.maintenance import StorageMaintenance
from storage.persist.batch import encode_part
from storage.persist.files import FileBlob
from storage.persist.location import Blob
from storage.persist.runner import InlineRunner
from storage.persist.sqlite import SqliteConsensus
from storage.persist.state import Part, ShardState
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.worlds import DESC, World

_RUNNER = InlineRunner()
_KEY = "some/record"


def _id(number: int) -> GlobalId:
    return GlobalId.user(number)


def _name(short: str) -> str:
    """A backup's name for a test's short one."""
    return backup_name(1_795_833_806_536, short.encode().hex().ljust(8, "0"))


async def _written(world: World, place: Blob, name: str, captured: Captured | None = None) -> BackupManifest:
    captured = captured or await capture(world.controller, (_KEY,))
    name = _name(name)

    def described(progress: BackupProgress) -> BackupManifest:
        return BackupManifest(
            name=name,
            timestamp=0,
            version="",
            records=dict(captured.records),
            states=(),
            shards=0,
            parts=progress.parts,
            part_bytes=progress.bytes,
        )

    try:
        states = await captured.states()
        return await BackupWriter(world.blob, place, _RUNNER, BackupProgress()).write(captured, states, described)
    finally:
        captured.release()


async def _restored(place: Blob, name: str) -> World:
    world = World(MemoryConsensus(), MemoryBlob())
    manifest = await read_manifest(place, _name(name))
    states = [state async for state in read_states(place, manifest)]
    await require_empty(world.consensus, world.blob, set())
    await restore_parts(place, world.blob, named_parts(states), _RUNNER)
    await restore_consensus(world.consensus, states, manifest.records, "token")
    await world.restart()
    return world


async def _world(shards: int = 2) -> World:
    world = World()
    await world.consensus.compare_and_set({_KEY: None}, {_KEY: b"value"})
    for number in range(1, shards + 1):
        await world.seed.create(_id(number), DESC, Antichain.at(0), Antichain.at(0))
    return world


async def _append(world: World, number: int, rows: Sequence[tuple[int, str]], at: int, diff: int = 1) -> None:
    updates = updates_to_arrow([Update(row, Timestamp(at), diff) for row in rows], DESC)
    lower = world.controller.frontiers(_id(number)).upper
    write = await world.controller.prepare_append(_id(number), [updates], lower, Antichain.at(at + 1))
    await world.controller.commit([write])


async def _contents(world: World, number: int, at: int) -> Counter[tuple[object, ...]]:
    table = await world.controller.reads.read(_id(number), Timestamp(at))
    counts: list[int] = table.column("diff").to_pylist()
    rows = rows_from_arrow(table.drop_columns(["diff"]), DESC)
    return Counter({tuple(row): count for row, count in zip(rows, counts, strict=True)})


def _big(first: int) -> list[tuple[int, str]]:
    """Rows that don't fit inline."""
    return [(first + at, f"row {at} " * 400) for at in range(30)]


class _Dying(MemoryBlob):
    """Takes so many files, then no more: a disk that is full, or a process that is killed."""

    def __init__(self, files: int) -> None:
        super().__init__()
        self.left = files

    async def put(self, key: str, data: bytes) -> None:
        if self.left == 0:
            raise OSError(28, "No space left on device")
        self.left -= 1
        await super().put(key, data)


async def test_wherever_it_ends_there_is_no_backup_and_the_next_goes_on() -> None:
    world = await _world()
    for number in (1, 2):
        await _append(world, number, _big(0), 5)
    whole = MemoryBlob()
    await _written(world, whole, "whole")
    files = len(await whole.list_keys(""))
    assert files == 4, "two parts, a file of states and the manifest"
    for taken in range(files):
        place = _Dying(taken)
        with pytest.raises(SqlError) as ended:
            await _written(world, place, "first")
        assert ended.value.sqlstate is Sqlstate.DISK_FULL
        assert await backup_names(place) == []
        place.left = -1
        copied = len(await place.list_keys("part/"))
        assert (await _written(world, place, "second")).parts == 2 and copied == min(taken, 2)
        assert await backup_names(place) == [_name("second")]
        restored = await _restored(place, "second")
        assert await _contents(restored, 2, 5) == await _contents(world, 2, 5)


async def test_two_at_once_into_one_place_are_both_whole() -> None:
    world = await _world()
    for number in (1, 2):
        await _append(world, number, _big(0), 5)
    place = MemoryBlob()
    await asyncio.gather(_written(world, place, "one"), _written(world, place, "two"))
    for name in ("one", "two"):
        assert await _contents(await _restored(place, name), 1, 5) == await _contents(world, 1, 5)


async def test_parts_stay_until_they_are_copied_whatever_compaction_and_drops_do() -> None:
    world = await _world()
    for at in range(1, 9):
        await _append(world, 1, _big(at), at)
        await _append(world, 2, [(at, "few")], at)
    wanted = [await _contents(world, number, 8) for number in (1, 2)]
    captured = await capture(world.controller, (_KEY,))
    named = {part.part.key for part in named_parts(await captured.states())}
    maintenance = StorageMaintenance(world.controller)
    await world.controller.commit([world.controller.prepare_drop(_id(2))])
    for at in range(1, 9):
        await _append(world, 1, _big(at), 10 + at, diff=-1)
        await world.seed.allow_compaction(_id(1), Antichain.at(10 + at))
        world.clock.ms += 3_600_000
        await maintenance.round()
    now = {part.part.key for part in named_parts([world.controller.machine("u1").state])}
    assert now != named, "they were compacted"
    assert named <= set(await world.blob.list_keys(""))
    place = MemoryBlob()
    await _written(world, place, "b", captured)
    await maintenance.round()
    await maintenance.round()
    assert not (named - now) & set(await world.blob.list_keys("")), "nobody holds them any more"
    restored = await _restored(place, "b")
    assert [await _contents(restored, number, 8) for number in (1, 2)] == wanted


async def test_what_others_write_is_of_the_moment_of_its_capture() -> None:
    world = await _world()
    other = World(world.consensus, world.blob, world.clock)
    await other.controller.load()
    for at in range(1, 80):
        await _append(other, 1, [(at, "other")], at)
    captured = await capture(world.controller, (_KEY,))
    for at in range(80, 90):
        await _append(other, 1, [(at, "later")], at)
    place = MemoryBlob()
    await _written(world, place, "b", captured)
    restored = await _restored(place, "b")
    assert restored.controller.frontiers(_id(1)).upper == Antichain.at(80)
    assert await _contents(restored, 1, 79) == await _contents(other, 1, 79)


async def test_a_state_that_consensus_has_forgotten_meanwhile_is_captured_again() -> None:
    world = await _world()
    other = World(world.consensus, world.blob, world.clock)
    await other.controller.load()
    await _append(other, 1, [(1, "other")], 1)
    captured = await capture(world.controller, (_KEY,))
    for at in range(2, 300):
        await _append(other, 1, [(at, "later")], at)
    await world.consensus.truncate("shard/u1", 128)
    with pytest.raises(Overtaken):
        await captured.states()
    captured.release()
    await world.controller.load()
    assert [state.shard for state in await (await capture(world.controller, (_KEY,))).states()] == ["u1", "u2"]


async def test_a_damaged_part_of_the_system_does_not_become_a_backup() -> None:
    world = await _world()
    await _append(world, 1, _big(0), 5)
    (key,) = await world.blob.list_keys("part/")
    data = await world.blob.get(key)
    assert data is not None
    await world.blob.put(key, data[:-1] + bytes([data[-1] ^ 1]))
    place = MemoryBlob()
    with pytest.raises(SqlError, match=f"part {key} of shard u1 is corrupt") as refused:
        await _written(world, place, "b")
    assert refused.value.sqlstate is Sqlstate.DATA_CORRUPTED and await backup_names(place) == []
    await world.blob.put(key, data)
    await _written(world, place, "b")
    await place.delete(key)
    states = [state async for state in read_states(place, await read_manifest(place, _name("b")))]
    (damage,) = await damages(place, named_parts(states), _RUNNER)
    assert damage.message == f"part {key} of shard u1 is missing"


@pytest.mark.parametrize(
    "key", ["part/u1/../../../etc/passwd", "/etc/passwd", "part/u2/1-a.parquet", "part/u1/x.parquet", "backup/1-a", ""]
)
async def test_a_state_that_names_what_is_no_part_of_its_shard_is_damaged(key: str) -> None:
    world = await _world()
    await _append(world, 1, _big(0), 5)
    place = MemoryBlob()
    manifest = await _written(world, place, "b")
    states = [state async for state in read_states(place, manifest)]
    (batch,) = states[0].batches
    hostile = replace(states[0], batches=(replace(batch, parts=(replace(batch.parts[0], key=key),)),))
    data = msgspec.msgpack.encode([hostile])
    file = replace(manifest.states[0], bytes=len(data), checksum=zlib.crc32(data))
    await place.put(file.key, data)
    with pytest.raises(SqlError, match=f"{file.key} of the backup is damaged") as refused:
        _ = [state async for state in read_states(place, replace(manifest, states=(file,)))]
    assert refused.value.detail == f'it names "{key}" as a part of shard u1'


@pytest.mark.parametrize("key", ["state/../../../etc/passwd", "/etc/passwd", "state/0000000000001-00000000/000000"])
async def test_a_manifest_that_names_what_is_no_file_of_its_own_is_damaged(key: str) -> None:
    place = MemoryBlob()
    manifest = await _written(await _world(), place, "b")
    file = replace(manifest.states[0], key=key)
    await place.put(manifest_key(manifest.name), encode_manifest(replace(manifest, states=(file,))))
    with pytest.raises(SqlError, match="is damaged") as refused:
        await read_manifest(place, manifest.name)
    assert refused.value.detail == f'it names "{key}" as a file of states'


async def test_only_files_named_as_manifests_are_backups_and_the_oldest_is_the_first() -> None:
    place = MemoryBlob()
    names = [backup_name(at, "0123abcd") for at in (5, 9_999_999_999_999, 10_000_000_000_000)]
    for name in (*reversed(names), "x", "1-a", "../x", f"{names[0]}/y", "1795833806536-0123ABCD"):
        await place.put(manifest_key(name), b"")
    await place.put(f"backup/{names[0]}", b"")
    assert await backup_names(place) == names
    with pytest.raises(SqlError, match=r'there is no backup "\.\./x"'):
        await read_manifest(place, "../x")


@pytest.mark.parametrize("key", ["", "../x", "part/../../x", "part/..", "/x"])
async def test_no_key_leads_out_of_a_directory(tmp_path: Path, key: str) -> None:
    (tmp_path / "x").write_bytes(b"another's")
    blob = FileBlob(tmp_path / "blob")
    with pytest.raises(ValueError, match="not a blob key"):
        await blob.get(key)
    with pytest.raises(ValueError, match="not a blob key"):
        await blob.put(key, b"")
    await blob.close()
    assert (tmp_path / "x").read_bytes() == b"another's"


async def test_states_of_many_collections_are_read_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    consensus = SqliteConsensus(tmp_path / "consensus.sqlite")
    keys = [f"key/{number}" for number in range(500)]
    await consensus.compare_and_set(dict.fromkeys(keys), {key: key.encode() for key in keys})
    threads: list[int] = []
    read = SqliteConsensus._head

    def noted(*arguments: Any) -> Any:
        threads.append(threading.get_ident())
        return read(*arguments[-2:])

    monkeypatch.setattr(SqliteConsensus, "_head", noted)
    write = asyncio.ensure_future(consensus.compare_and_set({"key/0": 1}, {"key/0": b"later"}))
    await asyncio.sleep(0)
    heads = await consensus.head([*keys, "none"])
    assert await write and heads.pop("none") is None
    assert {key: None if head is None else head.data for key, head in heads.items()} == {
        key: b"later" if key == "key/0" else key.encode() for key in keys
    }
    few = await consensus.head(keys[:2])
    assert [None if head is None else head.seqno for head in few.values()] == [2, 1]
    assert threads[0] != threading.get_ident() == threads[1]
    await consensus.close()


@pytest.mark.parametrize("seed", range(6))
async def test_a_cut_holds_what_was_there_at_its_time(seed: int) -> None:
    chance = random.Random(seed)
    world = await _world(1)
    there: Counter[tuple[int, str]] = Counter()
    known: dict[int, Counter[tuple[int, str]]] = {}
    maintenance = StorageMaintenance(world.controller)
    at = 0
    for _ in range(12):
        at += chance.randrange(1, 4)
        if chance.randrange(4) == 0:
            rows = _big(chance.randrange(10**6))
        else:
            rows = [(chance.randrange(20), "few") for _ in range(chance.randrange(1, 30))]
        taken = list((there & Counter(dict.fromkeys(chance.sample(sorted(there), min(len(there), 5)), 1))).elements())
        await _append(world, 1, rows, at)
        there.update(rows)
        known[at] = Counter(there)
        if taken:
            at += 1
            await _append(world, 1, taken, at, diff=-1)
            there.subtract(taken)
            there = +there
            known[at] = Counter(there)
        if chance.randrange(2):
            await maintenance.round()
    state = world.controller.machine("u1").state
    for time, wanted in known.items():
        place = World(MemoryConsensus(), MemoryBlob())

        async def write(of: ShardState, part: Part, table: pa.Table) -> Part:
            made, data = encode_part(table, of.desc, part.key.replace(".parquet", "-cut.parquet"))
            await place.blob.put(made.key, data)  # noqa: B023 - called in this round
            return made

        cut_state = await cut(state, Timestamp(time), world.blob, _RUNNER, write)
        assert cut_state.upper == Antichain.at(time + 1)
        kept = [named for named in named_parts([cut_state]) if not named.part.key.endswith("-cut.parquet")]
        await restore_parts(world.blob, place.blob, kept, _RUNNER)
        await restore_consensus(place.consensus, [cut_state], {}, "token")
        await place.restart()
        assert await _contents(place, 1, time) == +wanted
        # And goes on from there.
        await _append(place, 1, [(7, "after")], time + 1)
        assert await _contents(place, 1, time + 1) == +(wanted + Counter({(7, "after"): 1}))
    with pytest.raises(SqlError, match="can't be read at 1"):
        await cut(replace(state, since=Antichain.at(2)), Timestamp(1), world.blob, _RUNNER, write)
