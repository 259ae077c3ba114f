"""Blocks in blob are read piece by piece: the same is found, little is read, and what is kept of it is bounded."""

from __future__ import annotations

import contextlib
import errno
import random
import tarfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from structlog.testing import capture_logs

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import CorruptFile
from compute.arrangement.batch_footer import PIECES_FORMAT
from compute.arrangement.blob.block_pieces import filter_of, may_have
from compute.arrangement.blob.kept_pieces import KeptPieces
from compute.arrangement.layout import Layout
from storage.persist.files import FileBlob
from storage.persist.open import open_consensus
from storage.persist.row_hash import layered_hash
from tests.compute.arrangement.blob_worlds import STATE, BlobWorld, Memory
from tests.compute.arrangement.scripts import counted
from tests.compute.arrangement.test_checkpoint import LAYOUTS, expected, state, tick
from tests.storage.memory import MemoryBlob

_LAYOUT = Layout((pa.int64(), pa.int64()), (pa.string(),), ordered=True)
_KEYS = 2_000
_HOT = 7
_HOT_ROWS = 900


@contextlib.contextmanager
def _small() -> Iterator[None]:
    """Makes pieces of 32 rows, in blocks of some dozens of pieces."""
    with (
        patch("compute.arrangement.blob.block_pieces.PIECE_BYTES", 1),
        patch("compute.arrangement.blob.batches.OBJECT_BYTES", 200_000),
    ):
        yield


class _Reads(MemoryBlob):
    """Counts what is read, and can be down."""

    def __init__(self, of: MemoryBlob) -> None:
        super().__init__()
        self._files = of._files
        self.gets = 0
        self.reads = 0
        self.bytes = 0
        self.down = False

    async def get(self, key: str) -> bytes | None:
        self.gets += not key.endswith("/footer")
        return await super().get(key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        if self.down:
            raise OSError(errno.EIO, "object store: InternalError")
        found = super().read(key, ranges)
        self.reads += len(ranges)
        self.bytes += sum(map(len, found or ()))
        return found


def _rows(first: int, keys: int) -> pa.Table:
    """Two rows of each key, and many of the hot one."""
    numbers = np.concatenate([np.repeat(np.arange(first, first + keys), 2), np.full(_HOT_ROWS, _HOT)])
    orders = np.concatenate([np.tile([0, 1], keys), np.arange(first, first + _HOT_ROWS)])
    return _keyed(numbers, orders, [f"row {n} {o}" for n, o in zip(numbers, orders, strict=True)])


def _keyed(numbers: np.ndarray, orders: np.ndarray, texts: list[str]) -> pa.Table:
    keys, ones = [pa.array(numbers // 4), pa.array(numbers)], pa.array(np.ones(len(numbers), np.int64))
    hashes = pa.array(layered_hash(keys, len(numbers), 2))
    return pa.table([hashes, *keys, pa.array(orders), pa.array(texts), ones, ones], schema=_LAYOUT.schema)


def _probes(numbers: list[int], columns: int = 2) -> pa.Table:
    keys = [pa.array([number // 4 for number in numbers], pa.int64()), pa.array(numbers, pa.int64())][:columns]
    hashes = pa.array(layered_hash(keys, len(numbers), 2))
    return pa.table({"h": hashes, **{f"k{at}": key for at, key in enumerate(keys)}})


def _filled(arrangement: Arrangement) -> Arrangement:
    for first in (0, _KEYS // 2):
        arrangement.insert(_rows(first, _KEYS))
        arrangement.seal()
    return arrangement


@pytest.fixture(scope="module")
def near() -> Arrangement:
    """The rows in memory."""
    return _filled(Arrangement(_LAYOUT))


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def world(memory: Memory, tmp_path: Path) -> Iterator[BlobWorld]:
    world = BlobWorld(tmp_path, memory)
    store = world.process().store(STATE)
    with _small():
        store.checkpoint("plan", 2, {}, {"rows": _filled(store.arrangement(_LAYOUT))})
    store.close()
    yield world
    world.close()


def _opened(world: BlobWorld, memory: Memory, cache_bytes: int = 1 << 30) -> tuple[Arrangement, _Reads]:
    """The same rows in another process, and the blob that it reads."""
    world.cache_bytes = cache_bytes
    blob = _Reads(memory.blob)
    found = world.process(lambda consensus, _: (consensus, blob)).store(STATE).open("plan", {"rows": _LAYOUT})
    assert found is not None
    rows = found.arrangements["rows"]
    assert {file.format for batch in rows.batches for file in batch.files} == {PIECES_FORMAT}
    return rows, blob


def _found(rows: Arrangement, numbers: list[int]) -> Counter[object]:
    found = rows.lookup(_probes(numbers), provisional=False)
    return Counter(zip(found.probe.tolist(), map(str, found.rows.to_pylist()), strict=True))


def _begins(rows: Arrangement, numbers: list[int]) -> Counter[object]:
    found = rows.lookup_prefixes(_probes(numbers, 1), 1)
    return Counter(zip(found.probe.tolist(), map(str, found.rows.to_pylist()), strict=True))


def _first(rows: Arrangement, numbers: list[int]) -> Counter[object]:
    distinct = sorted(set(numbers))
    found = rows.find_first(_probes(distinct), np.full(len(distinct), 3))
    return Counter(zip(found.found.probe.tolist(), map(str, found.found.rows.to_pylist()), strict=True))


def _counts(rows: Arrangement, numbers: list[int]) -> list[int]:
    counts: list[int] = rows.count_matches(np.sort(_probes(numbers).column("h").to_numpy())).tolist()
    return counts


_READS: tuple[Callable[[Arrangement, list[int]], object], ...] = (_found, _begins, _first, _counts)


@pytest.mark.parametrize("cache_bytes", [0, 20_000, 1 << 30])
@pytest.mark.parametrize("seed", range(2))
def test_the_same_is_found_as_in_memory(
    world: BlobWorld, memory: Memory, near: Arrangement, cache_bytes: int, seed: int
) -> None:
    """Of present and absent keys, few and many, of a key whose rows fill blocks, and of beginnings of keys."""
    draw = random.Random(seed)
    far, _ = _opened(world, memory, cache_bytes)
    for _ in range(20):
        numbers = sorted(
            {draw.choice([_HOT, draw.randrange(4 * _KEYS)]) for _ in range(draw.choice([1, 2, 9, 60, 600]))}
        )
        read = draw.choice(_READS)
        assert read(far, numbers) == read(near, numbers)
    assert counted(far.rows(1)) == counted(near.rows(1))


def test_a_key_costs_its_piece_and_then_nothing(world: BlobWorld, memory: Memory, near: Arrangement) -> None:
    far, blob = _opened(world, memory)
    size = sum(file.bytes for batch in far.batches for file in batch.files)
    probes = _probes([1_234])
    assert far.lookup_few(probes, 100) is None and not blob.reads
    assert _found(far, [1_234]) == _found(near, [1_234])
    assert 0 < blob.bytes < size / 20 and not blob.gets
    read = blob.reads
    again = far.lookup_few(probes, 100)
    assert again is not None and again.rows.num_rows == _found(near, [1_234]).total()
    assert blob.reads == read


def test_absent_keys_cost_hardly_a_read(world: BlobWorld, memory: Memory) -> None:
    far, blob = _opened(world, memory)
    for number in range(10 * _KEYS, 10 * _KEYS + 300):
        assert not _found(far, [number])
    assert blob.reads < 300 * len(far.batches) / 5 and not blob.gets


def test_a_block_is_read_as_a_whole_once_its_pieces_have_cost_as_much(world: BlobWorld, memory: Memory) -> None:
    far, blob = _opened(world, memory)
    for number in range(_KEYS):
        _found(far, [number])
    blocks = sum(len(batch.blocks) for batch in far.batches)
    assert 0 < blob.gets <= blocks
    size = sum(file.bytes for batch in far.batches for file in batch.files)
    assert blob.bytes < 2 * size
    read = blob.reads
    for number in range(_KEYS):
        _found(far, [number])
    assert blob.reads - read < read / 2


def test_pieces_on_the_disk_are_found_by_the_next_process(world: BlobWorld, memory: Memory, tmp_path: Path) -> None:
    far, blob = _opened(world, memory)
    there = _found(far, [1_234])
    assert blob.reads
    cache = world.caches[-1]
    (tmp_path / f"cache{len(world.caches)}").symlink_to(cache._directory)
    again, blob = _opened(world, memory)
    assert _found(again, [1_234]) == there and not blob.reads
    world.caches[-1].pieces = KeptPieces(0)
    for path in cache._directory.glob("*#"):
        path.write_bytes(bytes(path.stat().st_size))
    assert _found(again, [1_234]) == there and blob.reads


def test_a_damaged_piece_is_an_error_that_names_the_file(world: BlobWorld, memory: Memory) -> None:
    for key, data in list(memory.blob._files.items()):
        if not key.endswith("/footer"):
            memory.blob._files[key] = bytes(len(data))
    far, _ = _opened(world, memory)
    names = {file.name for batch in far.batches for file in batch.files}
    with capture_logs(), pytest.raises(CorruptFile, match="is damaged in its object") as raised:
        _found(far, [1_234])
    assert far.damaged in names and str(far.damaged) in str(raised.value)


def test_a_torn_object_is_damage(world: BlobWorld, memory: Memory) -> None:
    for key, data in list(memory.blob._files.items()):
        if not key.endswith("/footer"):
            memory.blob._files[key] = data[:100]
    far, _ = _opened(world, memory)
    with capture_logs(), pytest.raises(CorruptFile, match="is damaged in"):
        _found(far, [1_234])


def test_a_blob_that_fails_is_no_damage(world: BlobWorld, memory: Memory, near: Arrangement) -> None:
    far, blob = _opened(world, memory)
    blob.down = True
    with pytest.raises(OSError, match="object store: InternalError"):
        _found(far, [1_234])
    assert far.damaged is None
    blob.down = False
    assert _found(far, [1_234]) == _found(near, [1_234])


def test_a_deleted_state_is_read_on_piece_by_piece(world: BlobWorld, memory: Memory, near: Arrangement) -> None:
    far, blob = _opened(world, memory)
    world.states[-1].delete(STATE)
    assert _found(far, [1_234, 17]) == _found(near, [1_234, 17])
    assert blob.reads


@pytest.mark.parametrize("cache_bytes", [0, 30_000])
def test_readers_at_once_find_the_same_within_the_bounds(
    world: BlobWorld, memory: Memory, near: Arrangement, cache_bytes: int
) -> None:
    far, _ = _opened(world, memory, cache_bytes)
    cache, wrong, over = world.caches[-1], [], []
    keep = KeptPieces.keep

    def watched(self: KeptPieces, key: str, number: int, rows: pa.RecordBatch, size: int) -> None:
        keep(self, key, number, rows, size)
        if self.bytes > cache_bytes // 4:
            over.append(self.bytes)

    def read(seed: int) -> None:
        draw = random.Random(seed)
        for _ in range(60):
            numbers = [draw.randrange(2 * _KEYS) for _ in range(draw.choice([1, 3]))]
            if _found(far, numbers) != _found(near, numbers):
                wrong.append(numbers)

    with patch.object(KeptPieces, "keep", watched), ThreadPoolExecutor(6) as threads:
        for reader in [threads.submit(read, seed) for seed in range(6)]:
            reader.result()
    assert not wrong and not over
    assert cache.bytes <= cache_bytes
    assert sum(path.stat().st_blocks * 512 for path in cache._directory.glob("*~*")) <= cache_bytes + 4096 * 8


def test_kept_pieces_never_exceed_their_bound() -> None:
    rows = pa.record_batch({"h": [1]})
    kept, stop, seen = KeptPieces(100), threading.Event(), []

    def watch() -> None:
        while not stop.is_set():
            seen.append(kept.bytes)

    watcher = threading.Thread(target=watch)
    watcher.start()
    with ThreadPoolExecutor(4) as threads:
        for number in range(2_000):
            threads.submit(kept.keep, "key", number % 7, rows, 10 + number % 40)
    stop.set()
    watcher.join()
    assert max(seen) <= 100
    kept.keep("key", 99, rows, 101)
    assert kept.get("key", 99) is rows, "somebody uses the rows"
    del rows
    assert kept.get("key", 99) is None or kept.bytes <= 100


@pytest.mark.parametrize("seed", range(5))
def test_a_filter_passes_what_is_there_and_little_else(seed: int) -> None:
    draw = np.random.default_rng(seed)
    hashes = np.sort(draw.integers(-(2**63), 2**63 - 1, 5_000))
    filter_ = filter_of(np.repeat(hashes, 3))
    assert may_have(filter_, hashes).all()
    assert may_have(filter_, draw.integers(-(2**63), 2**63 - 1, 5_000)).mean() < 0.1
    for few in ([0], [-1], [-(2**63), 2**63 - 1]):
        assert may_have(filter_of(np.array(few)), np.array(few)).all()


def test_a_state_without_pieces_is_read_on(tmp_path: Path) -> None:
    """Of the format that was before: written by earlier code, gone on with by this one."""
    with tarfile.open(Path(__file__).parent / "states" / "blob" / "format-2.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    world = BlobWorld(
        tmp_path, lambda: (open_consensus(f"sqlite:///{tmp_path}/consensus.sqlite"), FileBlob(tmp_path / "blob"))
    )
    for before, after in ((30, 40), (40, 50)):
        store = world.process().store(STATE)
        found = store.open("a view", LAYOUTS)
        assert found is not None and found.upper == before
        arrangements = dict(found.arrangements)
        assert state(arrangements, before) == expected(before)
        for number in range(before, after):
            tick(arrangements, number)
        store.checkpoint("a view", after, dict.fromkeys(LAYOUTS, after - 1), arrangements)
        assert state(arrangements, after) == expected(after)
        store.close()
    formats = {file.format for each in arrangements.values() for batch in each.batches for file in batch.files}
    assert PIECES_FORMAT in formats
    world.close()
