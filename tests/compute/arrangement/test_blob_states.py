"""State in blob: found again whole or not at all, owned by one process, and as large as no disk of its owner is."""

from __future__ import annotations

import errno
import gc
import random
import shutil
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import boto3
import pyarrow as pa
import pytest
from structlog.testing import capture_logs

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import CorruptFile
from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.calls import BlockingCalls
from compute.arrangement.blob.manifest import ConsensusManifest
from compute.arrangement.blob.states import BlobStates, forget_replica, replicas_with_states
from compute.arrangement.checkpoint import ArrangementStore
from compute.arrangement.layout import Layout
from compute.arrangement.stores import ManifestMoved, ManifestUnclear
from model.time.clock import SystemRandomness
from storage.persist.location import Blob, Consensus, Indeterminate
from storage.persist.open import open_blob, open_consensus
from tests.compute.arrangement.blob_worlds import STATE, BlobWorld, Memory, Mortal
from tests.compute.arrangement.failing_disk import Died
from tests.compute.arrangement.scripts import tight_limits
from tests.compute.arrangement.test_checkpoint import LAYOUTS, expected, state, tick
from tests.compute.arrangement.test_manifest_stores import follow_the_law, two_drivers
from tests.storage.memory import MemoryBlob, MemoryConsensus


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def world(memory: Memory, tmp_path: Path) -> Iterator[BlobWorld]:
    world = BlobWorld(tmp_path, memory)
    yield world
    world.close()


@pytest.fixture(params=["memory", "directory", "s3"])
def any_world(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BlobWorld]:
    match request.param:
        case "memory":
            world = BlobWorld(tmp_path, Memory())
        case "directory":
            world = BlobWorld(tmp_path, lambda: _opened(tmp_path, str(tmp_path / "blob")))
        case _:
            endpoint = request.getfixturevalue("amazon")
            for name, value in (("ENDPOINT_URL", endpoint), ("ACCESS_KEY_ID", "test"), ("SECRET_ACCESS_KEY", "test")):
                monkeypatch.setenv(f"AWS_{name}", value)
            monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
            bucket = f"bucket-{uuid.uuid4().hex}"
            boto3.client("s3").create_bucket(Bucket=bucket)
            world = BlobWorld(tmp_path, lambda: _opened(tmp_path, f"s3://{bucket}/some/prefix"))
    yield world
    world.close()


def _opened(directory: Path, blob_url: str) -> tuple[Consensus, Blob]:
    return open_consensus(f"sqlite:///{directory}/consensus.sqlite"), open_blob(blob_url)


def _begun(store: ArrangementStore) -> tuple[int, dict[str, Arrangement]]:
    """What a process goes on from."""
    found = store.open("plan", LAYOUTS)
    if found is None:
        return 0, {name: store.arrangement(layout) for name, layout in LAYOUTS.items()}
    return found.upper, dict(found.arrangements)


def _go_on(store: ArrangementStore, ticks: int) -> dict[str, Arrangement]:
    """Goes on from what is there, tick by tick, and keeps what comes of it."""
    upper, arrangements = _begun(store)
    with tight_limits():
        for _ in range(ticks):
            tick(arrangements, upper)
            upper += 1
        store.checkpoint("plan", upper, {}, arrangements)
        store.close()
    return arrangements


def _files(arrangements: Mapping[str, Arrangement]) -> set[str]:
    return {file.name for each in arrangements.values() for batch in each.batches for file in batch.files}


@pytest.mark.parametrize("place", ["memory", "sqlite"])
def test_a_manifest_in_consensus_is_replaced_by_those_alone_who_have_seen_it(tmp_path: Path, place: str) -> None:
    calls = BlockingCalls()
    for seed in range(20 if place == "memory" else 3):
        consensus: Consensus = (
            MemoryConsensus() if place == "memory" else open_consensus(f"sqlite:///{tmp_path}/{seed}.sqlite")
        )
        follow_the_law(lambda: ConsensusManifest(calls, consensus, "key", dict, {}), seed)  # noqa: B023
        calls.call(consensus.close())
    calls.close()


def test_two_drivers_of_one_state_go_on_one_at_a_time(any_world: BlobWorld) -> None:
    states = any_world.process()
    two_drivers(lambda: states.store(STATE))


def test_a_state_is_found_again_by_the_next_process(any_world: BlobWorld) -> None:
    _go_on(any_world.process().store(STATE), 3)
    upper, arrangements = _begun(any_world.process().store(STATE))
    assert upper == 3
    assert state(arrangements, 3) == expected(3)
    assert all(each.size.memory_bytes == 0 < each.size.bytes for each in arrangements.values())


def test_who_was_given_up_changes_nothing_from_then_on(world: BlobWorld, memory: Memory) -> None:
    """Even before the next owner has written anything; and the other way round nothing of the new owner's is lost."""
    first = world.process()
    store = first.store(STATE)
    kept = _go_on(store, 2)
    following = world.process().store(STATE)
    upper, arrangements = _begun(following)
    before = memory.objects
    tick(kept, 2)
    with pytest.raises(ManifestMoved, match="owns"):
        store.checkpoint("plan", 3, {}, kept)
    assert memory.objects == before
    tick(arrangements, upper)
    following.checkpoint("plan", 3, {}, arrangements)
    # It opens the state once more, lists the files, and tidies up; and it is told to delete it.
    late = first.store(STATE)
    late.open("plan", LAYOUTS)
    with capture_logs() as logs:
        first.delete(STATE)
        first.retain(())
    assert {entry["event"] for entry in logs} == {"a state can't be deleted now"}
    assert _files(arrangements) <= memory.files
    upper, again = _begun(world.process().store(STATE))
    assert (upper, state(again, 3)) == (3, expected(3))


def test_files_of_a_later_owner_are_not_taken_for_garbage(world: BlobWorld, memory: Memory) -> None:
    """The first has read the manifest, and lists the files when the second has already written the next ones."""
    _go_on(world.process().store(STATE), 1)
    first = world.process().store(STATE)
    tidy, later = first._batches.remove_garbage, []

    def tidy_late(named: Collection[str]) -> None:
        later.append(_go_on(world.process().store(STATE), 2))
        tidy(named)

    with patch.object(first._batches, "remove_garbage", tidy_late):
        assert first.open("plan", LAYOUTS) is not None
    (arrangements,) = later
    assert _files(arrangements) <= memory.files


@pytest.mark.parametrize("before", [0, 2])
def test_a_process_that_dies_at_any_step_leaves_the_old_state_or_the_new(tmp_path: Path, before: int) -> None:
    for steps in range(1000):
        memory = Memory()
        world = BlobWorld(tmp_path / str(steps), memory)
        if before:
            _go_on(world.process().store(STATE), before)
        life = Mortal(steps, random.Random(steps))
        outcomes = {before, before + 2}
        try:
            _go_on(world.process(life.wrapped).store(STATE), 2)
            outcomes = {before + 2}
        except (Died, OSError):
            assert life.left < 0
        store = world.process().store(STATE)
        upper, arrangements = _begun(store)
        assert upper in outcomes
        assert state(arrangements, upper) == expected(upper)
        tick(arrangements, upper)
        store.checkpoint("plan", upper + 1, {}, arrangements)
        assert memory.files == _files(arrangements), "garbage stays"
        upper, arrangements = _begun(world.process().store(STATE))
        assert state(arrangements, upper) == expected(upper)
        world.close()
        if outcomes == {before + 2}:
            assert steps > 10, "a checkpoint of so few steps tries nothing"
            return
    raise AssertionError("the checkpoint never ended")


def test_a_lost_cache_costs_downloads_only(world: BlobWorld, tmp_path: Path) -> None:
    store = world.process().store(STATE)
    _go_on(store, 6)
    arrangements = _begun(world.process().store(STATE))[1]
    cache = tmp_path / "cache1"
    assert not list(cache.iterdir()), "opening reads footers alone"
    assert state(arrangements, 6) == expected(6)
    assert list(cache.iterdir())
    shutil.rmtree(cache)
    assert state(arrangements, 6) == expected(6)
    tick(arrangements, 6)
    assert state(arrangements, 7) == expected(7)


@pytest.mark.parametrize("damage", ["flipped", "shorter", "empty", "missing", "temporary"])
def test_a_damaged_cache_costs_downloads_only(world: BlobWorld, tmp_path: Path, memory: Memory, damage: str) -> None:
    store = world.process().store(STATE)
    _go_on(store, 6)
    copies = list((tmp_path / "cache0").iterdir())
    assert len(copies) > 5
    for path in copies:
        content = path.read_bytes()
        path.unlink()
        match damage:
            case "flipped":
                path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
            case "shorter":
                path.write_bytes(content[:-1])
            case "empty":
                path.write_bytes(b"")
            case "temporary":
                (path.parent / f"{path.name}.temporary").write_bytes(content)
    cache = BlockCache(tmp_path / "cache0", 1 << 20)
    states = BlobStates("r1", memory, dict, cache, SystemRandomness())
    arrangements = _begun(states.store(STATE))[1]
    assert state(arrangements, 6) == expected(6)
    assert all(each.damaged is None for each in arrangements.values())
    assert not list((tmp_path / "cache0").glob("*.temporary"))
    states.close()


def test_a_cache_of_the_process_before_saves_downloads(world: BlobWorld, tmp_path: Path, memory: Memory) -> None:
    _go_on(world.process().store(STATE), 6)
    blob = _Counting(memory.blob)
    cache = BlockCache(tmp_path / "cache0", 1 << 20)
    states = BlobStates("r1", lambda: (memory.consensus, blob), dict, cache, SystemRandomness())
    arrangements = _begun(states.store(STATE))[1]
    footers = blob.gets
    assert state(arrangements, 6) == expected(6)
    assert blob.gets == footers > 0
    states.close()


class _Counting(MemoryBlob):
    def __init__(self, of: MemoryBlob) -> None:
        super().__init__()
        self._files = of._files
        self.gets = 0

    async def get(self, key: str) -> bytes | None:
        self.gets += 1
        return await super().get(key)


def test_state_may_be_larger_than_the_disk_that_caches_it(tmp_path: Path) -> None:
    memory = Memory()
    quota = 6_000
    world = BlobWorld(tmp_path, memory, cache_bytes=quota)
    store = world.process().store(STATE)
    upper, arrangements = _begun(store)
    with tight_limits():
        for _ in range(60):
            tick(arrangements, upper)
            upper += 1
            assert _size(tmp_path / "cache0") <= quota
            if upper % 20 == 0:
                store.checkpoint("plan", upper, {}, arrangements)
                assert state(arrangements, upper) == expected(upper)
    assert sum(map(len, memory.blob._files.values())) > 3 * quota
    arrangements = _begun(world.process().store(STATE))[1]
    assert state(arrangements, upper) == expected(upper)
    assert 0 < _size(tmp_path / "cache1") <= quota
    world.close()


def test_room_is_made_before_it_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory, rename, sizes = tmp_path / "cache", Path.rename, []

    def measured(self: Path, target: Path) -> Path:
        sizes.append(_size(directory))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", measured)
    cache = BlockCache(directory, 100)
    for number in range(10):
        cache.write(f"key/{number}", bytes(30))
    assert max(sizes) == 90


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.iterdir())


def test_a_full_disk_costs_the_cache_only(world: BlobWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = world.process().store(STATE)
    _go_on(store, 4)
    arrangements = _begun(world.process().store(STATE))[1]

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "rename", refuse)
    with capture_logs() as logs:
        assert state(arrangements, 4) == expected(4)
    assert [entry["event"] for entry in logs] == ["blocks are read without a cache"]
    assert not list((tmp_path / "cache1").iterdir())


def test_a_lookup_reads_the_blocks_of_its_hashes_and_few_wait_for_none(world: BlobWorld, memory: Memory) -> None:
    _go_on(world.process().store(STATE), 30)
    blob = _Counting(memory.blob)
    arrangements = _begun(world.process(lambda consensus, _: (consensus, blob)).store(STATE))[1]
    rows = arrangements["rows"]
    blocks = [block for batch in rows.batches for block in batch.blocks]
    assert len(blocks) > 20
    (block,) = (each for each in blocks if each is blocks[7])
    key = block.first
    probes = pa.table({"h": pa.array([key]), "k0": pa.array([0], pa.int64())})
    within = sum(each.first <= key <= each.last for each in blocks)
    before = blob.gets
    assert rows.lookup_few(probes, 10_000) is None
    assert blob.gets == before
    rows.lookup(probes, provisional=False)
    assert blob.gets - before == within < len(blocks)
    assert rows.lookup_few(probes, 10_000) is not None
    assert blob.gets - before == within


@pytest.mark.parametrize("damage", ["missing", "flipped"])
def test_a_damaged_block_is_an_error_and_then_a_state_made_anew(world: BlobWorld, memory: Memory, damage: str) -> None:
    _go_on(world.process().store(STATE), 4)
    for key in sorted(memory.objects):
        if not key.endswith("/footer"):
            data = memory.blob._files.pop(key)
            if damage == "flipped":
                memory.blob._files[key] = data[:-1] + bytes([data[-1] ^ 1])
    process = world.process()
    arrangements = _begun(process.store(STATE))[1]
    with capture_logs(), pytest.raises(CorruptFile):
        state(arrangements, 4)
    assert any(each.damaged is not None for each in arrangements.values())
    with capture_logs() as logs:
        assert _begun(process.store(STATE))[0] == 0
    assert "hydrating anew" in [entry["event"] for entry in logs]


class _Down(MemoryBlob):
    async def get(self, key: str) -> bytes | None:
        raise OSError(errno.EIO, "object store: down")


def test_a_blob_that_is_down_is_no_damage(world: BlobWorld, memory: Memory) -> None:
    _go_on(world.process().store(STATE), 4)
    before = memory.objects
    store = world.process(lambda consensus, _: (consensus, _Down())).store(STATE)
    with pytest.raises(OSError, match="down"):
        store.open("plan", LAYOUTS)
    assert memory.objects == before
    upper, arrangements = _begun(world.process().store(STATE))
    assert state(arrangements, upper) == expected(4)


class _Unsure(MemoryConsensus):
    """Loses some answers, of writes that happened or did not."""

    def __init__(self, of: MemoryConsensus, lost: Callable[[], bool], done: Callable[[], bool]) -> None:
        super().__init__()
        self._versions = of._versions
        self._lost = lost
        self._done = done

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        if self._lost():
            if self._done():
                await super().compare_and_set(expected, writes)
            raise Indeterminate("nobody knows")
        return await super().compare_and_set(expected, writes)


@pytest.mark.parametrize("seed", range(6))
def test_lost_answers_of_consensus_lose_no_state(world: BlobWorld, memory: Memory, seed: int) -> None:
    random_ = random.Random(seed)
    # The first write takes the states over; who is not told that it did tries again.
    lossy = [False]
    consensus = _Unsure(memory.consensus, lambda: lossy[0] and random_.random() < 0.5, lambda: random_.random() < 0.5)
    store = world.process(lambda _, blob: (consensus, blob)).store(STATE)
    upper, arrangements = _begun(store)
    lossy[0] = True
    durable, unclear = 0, 0
    for _ in range(30):
        tick(arrangements, upper)
        upper += 1
        try:
            store.checkpoint("plan", upper, {}, arrangements)
            durable = upper
        except ManifestUnclear:
            unclear += 1
        found, kept = _begun(_Peek(world, memory).store)
        assert found >= durable
        assert state(kept, found) == expected(found)
    assert 3 < unclear < 27


class _Peek:
    """Reads what is there without taking it over."""

    def __init__(self, world: BlobWorld, memory: Memory) -> None:
        copied = Memory()
        copied.consensus._versions = {key: list(each) for key, each in memory.consensus._versions.items()}
        copied.blob._files = dict(memory.blob._files)
        self.store = BlobWorld(world.directory / uuid.uuid4().hex, copied).process().store(STATE)


def test_a_state_that_is_not_wanted_goes_with_its_files(world: BlobWorld, memory: Memory) -> None:
    process = world.process()
    for name in ("one", "other", STATE):
        _go_on(process.store(name), 2)
    next_process = world.process()
    next_process.retain({STATE})
    assert {key.split("/")[2] for key in memory.objects} == {STATE}
    assert sorted(memory.consensus._versions) == ["arrangements/r1", f"arrangements/r1/{STATE}"]
    assert _begun(next_process.store(STATE))[0] == 2
    assert _begun(next_process.store("one"))[0] == 0
    BlockingCalls().call(forget_replica(memory.consensus, memory.blob, "r1"))
    assert not memory.objects and not memory.consensus._versions


def test_a_deleted_state_is_readable_while_anybody_reads_it(world: BlobWorld, memory: Memory) -> None:
    """As a file that is removed is, as long as it is mapped: another dataflow may have taken the arrangements."""
    world.cache_bytes = 0
    process = world.process()
    taken = {name: process.store("other").take(each) for name, each in _go_on(process.store(STATE), 4).items()}
    process.delete(STATE)
    assert state(taken, 4) == expected(4)
    assert memory.objects
    taken.clear()
    gc.collect()
    while memory.objects:
        time.sleep(0.01)


def test_reads_go_on_while_blocks_come_and_go(tmp_path: Path) -> None:
    memory = Memory()
    world = BlobWorld(tmp_path, memory, cache_bytes=2_000)
    store = world.process().store(STATE)
    arrangements = _begun(store)[1]
    with tight_limits():
        for number in range(10):
            tick(arrangements, number)
        store.checkpoint("plan", 10, {}, arrangements)
        store.close()

    def read() -> None:
        for _ in range(5):
            assert state(arrangements, 10) == expected(10)

    with ThreadPoolExecutor(4) as threads:
        for reader in [threads.submit(read) for _ in range(4)]:
            reader.result()
    assert _size(tmp_path / "cache0") <= 2_000
    world.close()


def test_a_file_stays_while_another_opening_of_its_state_reads_it(world: BlobWorld, memory: Memory) -> None:
    """A dataflow that fails opens its state anew, while peeks go on with the arrangements that it had."""
    world.cache_bytes = 0
    process = world.process()
    _go_on(process.store(STATE), 4)
    upper, before = _begun(process.store(STATE))
    first = _files(before)
    for _ in range(3):
        now = _files(_go_on(process.store(STATE), 4))
        gc.collect()
    assert first - now, "some files are of no use to the state any more"
    assert state(before, upper) == expected(4)


def test_what_a_dropped_replica_leaves_is_found_until_all_is_deleted(world: BlobWorld, memory: Memory) -> None:
    _go_on(world.process().store(STATE), 4)
    calls = BlockingCalls()
    with patch.object(memory.blob, "delete", side_effect=OSError(errno.EIO, "object store: down")):
        with pytest.raises(OSError, match="down"):
            calls.call(forget_replica(memory.consensus, memory.blob, "r1"))
    assert memory.objects and calls.call(replicas_with_states(memory.consensus)) == {"r1"}
    calls.call(forget_replica(memory.consensus, memory.blob, "r1"))
    assert not memory.objects and not calls.call(replicas_with_states(memory.consensus))
    calls.close()


def test_a_large_block_is_divided_on_its_way_to_blob(world: BlobWorld) -> None:
    """So a key from afar costs one of its pieces; and no row is lost between them."""
    layout, keys = Layout((pa.int64(),), (pa.int64(),)), list(range(1000))
    rows = pa.table([[key << 50 for key in keys], keys, keys, [1] * 1000, [1] * 1000], schema=layout.schema)
    store = world.process().store(STATE)
    kept = store.arrangement(layout)
    kept.insert(rows)
    kept.seal()
    with patch("compute.arrangement.blob.batches.OBJECT_BYTES", 4096):
        store.checkpoint("plan", 2, {}, {"rows": kept})
    store.close()
    found = world.process().store(STATE).open("plan", {"rows": layout})
    assert found is not None
    again = found.arrangements["rows"]
    (batch,) = again.batches
    assert len(batch.blocks) > 8
    assert again.lookup(rows.slice(500, 1), provisional=False).rows.column("c0").to_pylist() == [500]
    assert 0 < world.caches[-1].bytes < batch.bytes // 4
    assert [key for chunk in again.rows(1) for key in chunk.column("c0").to_pylist()] == keys
