"""Laws that every Consensus and every Blob keeps, the faulty ones too."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import boto3
import pytest

from storage.persist.location import Blob, Consensus, Indeterminate, Versioned
from storage.persist.open import open_blob, open_consensus
from tests.judge import Judge
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import Faults, UnreliableBlob, UnreliableConsensus
from tests.storage.worlds import ManualClock, SeededRandomness, certainly_head, certainly_set

T = TypeVar("T")
_FAULTS = Faults(done=150, not_done=150, late=100, read_failure=150, latency_ms_max=5)


async def certainly(operation: Callable[[], Awaitable[T]]) -> T:
    for _ in range(1000):
        try:
            return await operation()
        except (Indeterminate, OSError):
            continue
    raise AssertionError("never answered")


@pytest.fixture(params=["memory", "unreliable", "sqlite", "postgres"])
async def consensus(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Consensus]:
    opened: Consensus
    match request.param:
        case "memory":
            opened = MemoryConsensus()
        case "unreliable":
            opened = UnreliableConsensus(MemoryConsensus(), ManualClock(), SeededRandomness(1), _FAULTS)
        case "sqlite":
            opened = open_consensus(f"sqlite:///{tmp_path}/consensus.db")
        case _:
            judge: Judge = request.getfixturevalue("judge")
            database = f"consensus_{uuid.uuid4().hex}"
            with judge.connect() as connection:
                connection.execute(f'CREATE DATABASE "{database}"'.encode())
            opened = open_consensus(judge.url(database))
    yield opened
    await opened.close()


@pytest.fixture(params=["memory", "unreliable", "directory", "s3"])
async def blob(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Blob]:
    opened: Blob
    match request.param:
        case "memory":
            opened = MemoryBlob()
        case "unreliable":
            opened = UnreliableBlob(MemoryBlob(), ManualClock(), SeededRandomness(1), _FAULTS)
        case "directory":
            opened = open_blob(str(tmp_path / "blob"))
        case _:
            environment = {
                "AWS_ENDPOINT_URL": request.getfixturevalue("amazon"),
                "AWS_ACCESS_KEY_ID": "test",
                "AWS_SECRET_ACCESS_KEY": "test",
                "AWS_DEFAULT_REGION": "us-east-1",
            }
            for name, value in environment.items():
                monkeypatch.setenv(name, value)
            bucket = f"bucket-{uuid.uuid4().hex}"
            boto3.client("s3").create_bucket(Bucket=bucket)
            opened = open_blob(f"s3://{bucket}/some/prefix")
    yield opened
    await opened.close()


async def test_a_key_never_written_has_no_version(consensus: Consensus) -> None:
    assert await certainly_head(consensus, ["x", "y"]) == {"x": None, "y": None}
    assert await certainly(lambda: consensus.scan("x", 0)) == []


async def test_versions_count_from_one_and_the_newest_is_the_head(consensus: Consensus) -> None:
    for seqno in range(1, 6):
        assert await certainly_set(consensus, {"x": seqno - 1 or None}, {"x": b"v%d" % seqno})
    assert await certainly_head(consensus, ["x"]) == {"x": (5, b"v5")}
    assert await certainly(lambda: consensus.scan("x", 4)) == [Versioned(4, b"v4"), Versioned(5, b"v5")]


async def test_a_write_with_a_wrong_expectation_changes_nothing(consensus: Consensus) -> None:
    assert await certainly_set(consensus, {"x": None}, {"x": b"one"})
    assert not await certainly_set(consensus, {"x": None}, {"x": b"two"})
    assert not await certainly_set(consensus, {"x": 2}, {"x": b"three"})
    assert not await certainly_set(consensus, {"y": 1}, {"y": b"four"})
    assert await certainly_head(consensus, ["x", "y"]) == {"x": (1, b"one"), "y": None}


async def test_several_keys_are_written_all_or_none(consensus: Consensus) -> None:
    assert await certainly_set(consensus, {"x": None, "y": None}, {"x": b"x1", "y": b"y1"})
    assert not await certainly_set(consensus, {"x": 1, "y": None}, {"x": b"x2", "y": b"y2"})
    assert await certainly_head(consensus, ["x", "y"]) == {"x": (1, b"x1"), "y": (1, b"y1")}


async def test_a_precondition_fences_without_being_written(consensus: Consensus) -> None:
    assert await certainly_set(consensus, {"fence": None}, {"fence": b"me"})
    assert await certainly_set(consensus, {"fence": 1, "x": None}, {"x": b"x1"})
    assert await certainly_set(consensus, {"fence": 1}, {"fence": b"another"})
    assert not await certainly_set(consensus, {"fence": 1, "x": 1}, {"x": b"x2"})
    assert await certainly_head(consensus, ["fence", "x"]) == {"fence": (2, b"another"), "x": (1, b"x1")}


async def test_truncation_forgets_the_old_and_never_the_newest(consensus: Consensus) -> None:
    for seqno in range(1, 5):
        assert await certainly_set(consensus, {"x": seqno - 1 or None}, {"x": b"v%d" % seqno})
    await certainly(lambda: consensus.truncate("x", 3))
    assert [v.seqno for v in await certainly(lambda: consensus.scan("x", 0))] == [3, 4]
    await certainly(lambda: consensus.truncate("x", 100))
    assert [v.seqno for v in await certainly(lambda: consensus.scan("x", 0))] == [4]
    assert await certainly_set(consensus, {"x": 4}, {"x": b"v5"})
    await certainly(lambda: consensus.truncate("never written", 100))


async def test_forgotten_keys_are_as_never_written_and_others_stay(consensus: Consensus) -> None:
    for key in ("x", "y", "z"):
        assert await certainly_set(consensus, {key: None}, {key: b"%s1" % key.encode()})
        assert await certainly_set(consensus, {key: 1}, {key: b"%s2" % key.encode()})
    for _ in range(2):
        await certainly(lambda: consensus.forget(["x", "z", "never written"]))
        assert await certainly_head(consensus, ["x", "y", "z"]) == {"x": None, "y": (2, b"y2"), "z": None}
        assert await certainly(lambda: consensus.scan("x", 0)) == []
        assert await certainly(lambda: consensus.list_keys("")) == ["y"]
    assert not await certainly_set(consensus, {"x": 2}, {"x": b"x3"})
    assert await certainly_set(consensus, {"x": None}, {"x": b"x4"})


async def test_keys_are_listed_by_prefix_exactly(consensus: Consensus) -> None:
    for key in ("shard/u1", "shard/u10", "Shard/u2", "shard%u3", "shard", "timeline"):
        assert await certainly_set(consensus, {key: None}, {key: key.encode()})
    assert await certainly(lambda: consensus.list_keys("shard/")) == ["shard/u1", "shard/u10"]
    assert len(await certainly(lambda: consensus.list_keys(""))) == 6


async def test_one_of_many_writers_of_a_version_wins(consensus: Consensus) -> None:
    for seqno in range(5):
        outcomes = await asyncio.gather(
            *(certainly_set(consensus, {"x": seqno or None}, {"x": b"%d by %d" % (seqno, w)}) for w in range(8))
        )
        assert sum(outcomes) == 1
    assert [v.seqno for v in await certainly(lambda: consensus.scan("x", 0))] == [1, 2, 3, 4, 5]


async def test_a_read_of_several_keys_is_one_moment(consensus: Consensus) -> None:
    async def write() -> None:
        for seqno in range(30):
            both = {"x": b"x%d" % seqno, "y": b"y%d" % seqno}
            assert await certainly_set(consensus, {"x": seqno or None, "y": seqno or None}, both)

    writing = asyncio.create_task(write())
    while not writing.done():
        heads = await certainly_head(consensus, ["x", "y"])
        x, y = heads["x"], heads["y"]
        assert (None if x is None else x[0]) == (None if y is None else y[0])
        await asyncio.sleep(0)
    await writing


async def test_another_opening_of_the_same_place_sees_what_was_written(tmp_path: Path) -> None:
    first = open_consensus(f"sqlite:///{tmp_path}/c.db")
    assert await first.compare_and_set({"x": None}, {"x": b"\x00\xff"})
    second = open_consensus(f"sqlite:///{tmp_path}/c.db")
    assert await second.head(["x"]) == {"x": Versioned(1, b"\x00\xff")}
    assert await second.compare_and_set({"x": 1}, {"x": b"two"})
    assert not await first.compare_and_set({"x": 1}, {"x": b"three"})
    assert await first.head(["x"]) == {"x": Versioned(2, b"two")}
    await first.close()
    await second.close()


async def test_a_file_reads_as_it_was_put(blob: Blob) -> None:
    assert await certainly(lambda: blob.get("part/u1/a")) is None
    await certainly(lambda: blob.put("part/u1/a", b"\x00\x01" * 5000))
    await certainly(lambda: blob.put("part/u1/a", b"\x00\x01" * 5000))
    assert await certainly(lambda: blob.get("part/u1/a")) == b"\x00\x01" * 5000


async def test_a_range_of_a_file_is_read(blob: Blob) -> None:
    async def read(*ranges: tuple[int, int]) -> list[bytes] | None:
        return await asyncio.to_thread(blob.read, "part/u1/a", ranges)

    assert await certainly(lambda: read((0, 5))) is None
    assert await certainly(lambda: read((0, 5), (9, 1))) is None
    await certainly(lambda: blob.put("part/u1/a", bytes(range(100))))
    ranges = [(0, 1), (10, 20), (90, 50), (99, 1), (0, 1000), (100, 5), (500, 5), *((at, 3) for at in range(20))]
    wanted = [bytes(range(100))[offset : offset + size] for offset, size in ranges]
    assert await certainly(lambda: read(*ranges)) == wanted
    assert await certainly(lambda: read(*ranges[1:2])) == wanted[1:2]


async def test_files_are_listed_by_prefix(blob: Blob) -> None:
    for key in ("part/u1/a", "part/u1/b", "part/u10/c", "other"):
        await certainly(partial(blob.put, key, b"data"))
    assert await certainly(lambda: blob.list_keys("part/u1/")) == ["part/u1/a", "part/u1/b"]
    assert await certainly(lambda: blob.list_keys("part/u1")) == ["part/u1/a", "part/u1/b", "part/u10/c"]
    assert await certainly(lambda: blob.list_keys("nothing/")) == []
    assert len(await certainly(lambda: blob.list_keys(""))) == 4


async def test_a_deleted_file_is_gone_and_may_be_deleted_again(blob: Blob) -> None:
    await certainly(lambda: blob.put("part/u1/a", b"data"))
    await certainly(lambda: blob.delete("part/u1/a"))
    await certainly(lambda: blob.delete("part/u1/a"))
    await certainly(lambda: blob.delete("never put"))
    assert await certainly(lambda: blob.get("part/u1/a")) is None
    assert await certainly(lambda: blob.list_keys("")) == []


async def test_a_uri_names_the_file_for_others(tmp_path: Path) -> None:
    blob = open_blob(f"file://{tmp_path}/blob")
    await blob.put("part/u1/a", b"data")
    assert Path(blob.uri("part/u1/a")).read_bytes() == b"data"
    await blob.close()


def test_unknown_addresses_are_refused() -> None:
    for address in ("mysql://x", "sqlite:", "/plain/path"):
        with pytest.raises(ValueError):
            open_consensus(address)
    with pytest.raises(ValueError):
        open_blob("gopher://x")


async def test_a_crash_of_memory_loses_exactly_what_was_not_synced() -> None:
    reached = asyncio.Event()

    async def never() -> None:
        reached.set()
        await asyncio.Event().wait()

    consensus, blob = MemoryConsensus(), MemoryBlob()
    assert await consensus.compare_and_set({"x": None}, {"x": b"1"})
    await blob.put("a", b"1")
    for write in (_crashing_set(consensus, never), _crashing_put(blob, never)):
        reached.clear()
        task = asyncio.ensure_future(write)
        await reached.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    consensus.crash()
    blob.crash()
    assert await consensus.head(["x", "y"]) == {"x": Versioned(1, b"1"), "y": None}
    assert await blob.get("a") == b"1"
    assert await blob.list_keys("") == ["a"]


async def _crashing_set(consensus: MemoryConsensus, pause: Callable[[], Awaitable[None]]) -> None:
    consensus._pause = pause
    await consensus.compare_and_set({"x": 1, "y": None}, {"x": b"2", "y": b"1"})


async def _crashing_put(blob: MemoryBlob, pause: Callable[[], Awaitable[None]]) -> None:
    blob._pause = pause
    await blob.put("b", b"1")
