"""Files that tasks sorted, one for each range of hashes, are one batch: kept, found again, lost as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch, CorruptFile
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.layout import Layout
from compute.arrangement.manifest import MANIFEST_NAME, decode_manifest, encode_manifest
from compute.arrangement.partition import partition_of
from tests.compute.arrangement.blob_worlds import STATE, BlobWorld, Memory
from tests.compute.arrangement.scripts import counted, in_parts, tight_limits

_LAYOUT = Layout((pa.int64(),), (pa.string(),))
_LAYOUTS = {"rows": _LAYOUT}
_PARTS = 7
_MANY = np.arange(-(2**63), 2**63 - 1, 2**58, dtype=np.int64)


@pytest.fixture(params=["directory", "blob"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], ArrangementStore]]:
    """Makes the store of one process after the other."""
    if request.param == "directory":
        yield lambda: local_store(tmp_path)
        return
    world = BlobWorld(tmp_path, Memory())
    yield lambda: world.process().store(STATE)
    world.close()


def _rows(time: int, diff: int = 1) -> pa.Table:
    count = len(_MANY)
    texts = pa.array([f"row {i}" for i in range(count)])
    return pa.table([_MANY, _MANY, texts, np.full(count, time), np.full(count, diff)], schema=_LAYOUT.schema)


def _sealed(arrangement: Arrangement, table: pa.Table, parts: int) -> None:
    arrangement.adopt(in_parts(arrangement, [table], parts))
    arrangement.seal()


@pytest.mark.parametrize("partitions", [1, 2, 7, 8, 1000])
def test_partitions_are_ranges_of_about_equal_size_in_the_order_of_batches(partitions: int) -> None:
    edges = np.array([-(2**63), -1, 0, 1, 2**63 - 1])
    assert partition_of(edges, partitions)[[0, -1]].tolist() == [0, partitions - 1]
    hashes = np.sort(np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 100_000))
    found = partition_of(hashes, partitions)
    assert (np.diff(found) >= 0).all()
    sizes = np.bincount(found, minlength=partitions)
    assert len(sizes) == partitions and sizes.max() < 2 * len(hashes) / partitions + 50


def test_a_batch_of_several_files_is_found_again(stores: Callable[[], ArrangementStore]) -> None:
    store = stores()
    arrangement = store.arrangement(_LAYOUT)
    _sealed(arrangement, _rows(0), _PARTS)
    (batch,) = arrangement.batches
    assert len(batch.files) == _PARTS
    store.checkpoint("plan", 1, {}, {"rows": arrangement})
    expected = counted(arrangement.rows(0))
    store.close()
    store = stores()
    found = store.open("plan", _LAYOUTS)
    assert found is not None
    arrangement = found.arrangements["rows"]
    (again,) = arrangement.batches
    assert [file.name for file in again.files] == [file.name for file in batch.files]
    assert counted(arrangement.rows(0)) == expected
    # What is merged with it is one file again, and its files go.
    with tight_limits():
        arrangement.allow_compaction(1)
        _sealed(arrangement, _rows(1, -1), 2)
        for _ in range(100):
            arrangement.seal()
    store.checkpoint("plan", 2, {}, {"rows": arrangement})
    assert not arrangement.batches, "all of it has cancelled out"


def test_a_lost_file_of_a_batch_loses_the_state(stores: Callable[[], ArrangementStore]) -> None:
    store = stores()
    arrangement = store.arrangement(_LAYOUT)
    _sealed(arrangement, _rows(0), _PARTS)
    store.checkpoint("plan", 1, {}, {"rows": arrangement})
    assert arrangement.store is not None
    arrangement.store.remove([arrangement.batches[0].files[3].name])
    store.close()
    assert stores().open("plan", _LAYOUTS) is None


def test_files_that_nobody_names_are_garbage(tmp_path: Path) -> None:
    """An attempt that was lost after it wrote, and one that came a second time."""
    store = local_store(tmp_path)
    arrangement = store.arrangement(_LAYOUT)
    in_parts(arrangement, [_rows(0)], _PARTS)
    _sealed(arrangement, _rows(0), _PARTS)
    assert len(list(tmp_path.iterdir())) == 2 * _PARTS
    store.checkpoint("plan", 1, {}, {"rows": arrangement})
    named = {file.name for file in arrangement.batches[0].files}
    assert {path.name for path in tmp_path.iterdir()} == {*named, MANIFEST_NAME}


def test_a_manifest_of_one_file_a_batch_is_read_on(tmp_path: Path) -> None:
    """Nothing that older code did not write stands in it."""
    store = local_store(tmp_path)
    arrangement = store.arrangement(_LAYOUT)
    for time in (0, 1):
        _sealed(arrangement, _rows(time).slice(0, len(_MANY) // (time + 1) ** 3), 1)
    store.checkpoint("plan", 2, {}, {"rows": arrangement})
    store.close()
    content = (tmp_path / MANIFEST_NAME).read_bytes()
    assert b"goes_on" not in content
    assert content == encode_manifest(decode_manifest(content))
    found = local_store(tmp_path).open("plan", _LAYOUTS)
    assert found is not None
    assert [len(batch.files) for batch in found.arrangements["rows"].batches] == [1, 1]


def test_a_manifest_with_parts_in_another_order_loses_the_state(stores: Callable[[], ArrangementStore]) -> None:
    store = stores()
    arrangement = store.arrangement(_LAYOUT)
    batch = in_parts(arrangement, [_rows(0)], _PARTS)
    arrangement.adopt(replace(batch, files=batch.files[::-1]))
    arrangement.seal()
    store.checkpoint("plan", 1, {}, {"rows": arrangement})
    store.close()
    assert stores().open("plan", _LAYOUTS) is None


def test_parts_in_another_order_are_refused(tmp_path: Path) -> None:
    store = local_store(tmp_path)
    arrangement = store.arrangement(_LAYOUT)
    _sealed(arrangement, _rows(0), 2)
    assert arrangement.store is not None
    parts = [arrangement.store.open(_LAYOUT, file) for file in arrangement.batches[0].files]
    with pytest.raises(CorruptFile, match="the same hashes"):
        ArrangementBatch.joined(reversed(parts))
