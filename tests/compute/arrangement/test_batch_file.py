"""A batch's file is opened by its footer alone, read where it is needed, and never read as other rows than written."""

from __future__ import annotations

import sys
import threading
import zlib
from collections import Counter
from collections.abc import Hashable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pytest
from structlog.testing import capture_logs

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import BatchFile, CorruptFile
from compute.arrangement.batch_file import BatchDirectory
from compute.arrangement.batch_footer import MAGIC
from compute.arrangement.checkpoint import local_store
from compute.arrangement.disk import LocalDisk
from compute.arrangement.layout import Layout
from compute.arrangement.manifest import MANIFEST_NAME, decode_manifest, encode_manifest
from compute.arrangement.stores import write_batch
from model.errors.sqlstate import Sqlstate
from tests.compute.arrangement.scripts import counted, tight_limits

_LAYOUT = Layout((pa.int64(),), (pa.string(),))
_LAYOUTS = {"rows": _LAYOUT}
_UPPER = 5


def rows_of(keys: range, time: int = 0) -> pa.Table:
    """Rows whose key is their hash."""
    numbers = np.array(keys)
    texts = pa.array([f"row {key}" for key in keys])
    return pa.table(
        [numbers, numbers, texts, np.full(len(keys), time), np.ones(len(keys), np.int64)], schema=_LAYOUT.schema
    )


def kept(directory: Path, keys: range) -> Path:
    """Keeps rows in one file, of blocks of three rows each."""
    with tight_limits():
        store = local_store(directory)
        arrangement = store.arrangement(_LAYOUT)
        for start in range(keys.start, keys.stop, 4):
            arrangement.insert(rows_of(range(start, min(start + 4, keys.stop))))
        arrangement.seal()
        for _ in range(20):
            if len(arrangement.batches) == 1 and arrangement.batches[0].files:
                break
            arrangement.seal()
        store.checkpoint("plan", _UPPER, {}, {"rows": arrangement})
        store.close()
    (path,) = directory.glob("*.arrow")
    return path


def opened(directory: Path) -> Arrangement | None:
    found = local_store(directory).open("plan", _LAYOUTS)
    return None if found is None else found.arrangements["rows"]


def contents(arrangement: Arrangement) -> Counter[Hashable]:
    return counted(arrangement.rows(_UPPER - 1))


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :]


def test_no_flipped_byte_is_read_as_other_rows(tmp_path: Path) -> None:
    """In a block: an error that names the file, whoever reads it. Elsewhere: the state is not opened."""
    path = kept(tmp_path / "whole", range(12))
    content, manifest = path.read_bytes(), (path.parent / MANIFEST_NAME).read_bytes()
    seen = set()
    for place in range(0, len(content), 7):
        directory = tmp_path / str(place)
        directory.mkdir()
        (directory / MANIFEST_NAME).write_bytes(manifest)
        (directory / path.name).write_bytes(flipped(content, place))
        with capture_logs() as logs:
            arrangement = opened(directory)
            if arrangement is not None:
                assert arrangement.damaged is None, "nobody has read it"
                with pytest.raises(CorruptFile, match=path.name) as raised:
                    contents(arrangement)
                assert raised.value.sqlstate == Sqlstate.DATA_CORRUPTED
                assert arrangement.damaged == path.name
                assert opened(directory) is None, "nobody begins with it again"
        seen.add(logs[0]["event"])
    assert seen == {"hydrating anew", "a file of kept state is damaged"}


def test_a_lookup_reads_only_the_blocks_of_its_hashes(tmp_path: Path) -> None:
    path = kept(tmp_path, range(30))
    whole = opened(tmp_path)
    assert whole is not None
    (batch,) = whole.batches
    assert len(batch.blocks) >= 10
    # All blocks but that of the keys 12 to 14 are damaged.
    content = bytearray(path.read_bytes())
    (file,) = decode_manifest((tmp_path / MANIFEST_NAME).read_bytes()).arrangements["rows"].files
    ends = len(content) - len(MAGIC) - 8
    footer = msgspec.msgpack.decode(content[ends - int.from_bytes(content[ends : ends + 8], "little") : ends])
    assert file.format == 2 and len(footer) == len(batch.blocks)
    kept_whole = 0
    for offset, length, _, _, _, first, last, *_ in footer:
        if first <= 13 <= last:
            kept_whole += 1
        else:
            content[offset + length - 1] ^= 1
    assert kept_whole == 1
    path.unlink()
    path.write_bytes(bytes(content))
    arrangement = opened(tmp_path)
    assert arrangement is not None
    assert arrangement.lookup_few(rows_of(range(13, 14)), 10) is None, "the block would have to be read"
    assert arrangement.lookup_few(rows_of(range(90, 91)), 10) is not None, "no block has it"
    found = arrangement.lookup(rows_of(range(13, 14)), provisional=False)
    assert found.rows.column("c0").to_pylist() == ["row 13"]
    few = arrangement.lookup_few(rows_of(range(13, 14)), 10)
    assert few is not None and few.rows.num_rows == 1, "the block is at hand now"
    probes = rows_of(range(13, 14))
    assert [each.num_rows for each in arrangement.between(12, 14, provisional=False)] == [2]
    assert arrangement.count_matches(np.array([13])).tolist() == [1]
    assert arrangement.lookup_prefixes(probes, 1).rows.num_rows == 1
    with pytest.raises(CorruptFile, match="is damaged in the block from byte"):
        arrangement.lookup(rows_of(range(3, 4)), provisional=False)


def test_a_damage_is_known_of_state_that_another_has_taken(tmp_path: Path) -> None:
    path = kept(tmp_path / "first", range(12))
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(flipped(content, 100))
    first = opened(tmp_path / "first")
    assert first is not None
    store = local_store(tmp_path / "second")
    taken = store.take(store.take(first))
    with pytest.raises(CorruptFile):
        store.checkpoint("plan", _UPPER, {}, {"rows": taken})
    assert taken.damaged == path.name
    assert not (tmp_path / "second" / MANIFEST_NAME).exists()


def as_of_format_1(directory: Path) -> None:
    """Puts in the place of a state what older code would have kept: files of format 1, and a manifest without it."""
    manifest = decode_manifest((directory / MANIFEST_NAME).read_bytes())
    entry = manifest.arrangements["rows"]
    files = []
    batches = BatchDirectory(directory, LocalDisk(), "reader")
    for file in entry.files:
        batch = batches.open(_LAYOUT, BatchFile(file.name, file.rows, file.bytes, file.checksum, file.format))
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, _LAYOUT.stored) as writer:
            for block in batch.blocks:
                writer.write_batch(block.rows)
        content = sink.getvalue().to_pybytes()
        (directory / file.name).unlink()
        (directory / file.name).write_bytes(content)
        files.append(msgspec.structs.replace(file, bytes=len(content), checksum=zlib.crc32(content), format=1))
    entry = msgspec.structs.replace(entry, files=tuple(files))
    (directory / MANIFEST_NAME).write_bytes(
        encode_manifest(msgspec.structs.replace(manifest, arrangements={"rows": entry}))
    )


def formats(directory: Path) -> set[int]:
    manifest = decode_manifest((directory / MANIFEST_NAME).read_bytes())
    return {file.format for file in manifest.arrangements["rows"].files}


def test_files_of_format_1_are_read_on_and_merges_replace_them(tmp_path: Path) -> None:
    kept(tmp_path, range(12))
    as_of_format_1(tmp_path)
    assert formats(tmp_path) == {1}
    store = local_store(tmp_path)
    found = store.open("plan", _LAYOUTS)
    assert found is not None
    rows = found.arrangements["rows"]
    before = contents(rows)
    assert sum(before.values()) == 12
    with tight_limits():
        for number in range(_UPPER, _UPPER + 8):
            rows.insert(rows_of(range(12 * number, 12 * number + 12)))
            rows.seal()
            store.checkpoint("plan", number + 1, {}, {"rows": rows})
    store.close()
    assert formats(tmp_path) == {2}
    again = local_store(tmp_path).open("plan", _LAYOUTS)
    assert again is not None
    after = counted(again.arrangements["rows"].rows(again.upper - 1))
    assert after & before == before and sum(after.values()) == 12 * 9


@pytest.mark.parametrize("damage", ["flipped", "shorter", "missing"])
def test_a_damaged_file_of_format_1_is_noticed_when_it_is_opened(tmp_path: Path, damage: str) -> None:
    path = kept(tmp_path, range(12))
    as_of_format_1(tmp_path)
    content = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(flipped(content, len(content) // 2) if damage == "flipped" else content[:-1])
    with capture_logs() as logs:
        assert opened(tmp_path) is None
    assert [(entry["event"], path.name in entry["reason"]) for entry in logs] == [("hydrating anew", True)]


def test_a_file_of_a_format_to_come_is_not_read(tmp_path: Path) -> None:
    path = kept(tmp_path, range(12))
    manifest = decode_manifest((tmp_path / MANIFEST_NAME).read_bytes())
    entry = manifest.arrangements["rows"]
    file = msgspec.structs.replace(entry.files[0], format=3)
    entry = msgspec.structs.replace(entry, files=(file,))
    (tmp_path / MANIFEST_NAME).write_bytes(
        encode_manifest(msgspec.structs.replace(manifest, arrangements={"rows": entry}))
    )
    with capture_logs() as logs:
        assert opened(tmp_path) is None
    assert logs[0]["reason"] == f"{path.name} has format 3, which this code can't read"


def test_garbage_is_removed_while_another_thread_makes_files(tmp_path: Path) -> None:
    kept(tmp_path / "kept", range(3))
    found = opened(tmp_path / "kept")
    assert found is not None
    blocks = found.batches[0].blocks
    directory = BatchDirectory(tmp_path, LocalDisk(), "life")
    held = [write_batch(directory, _LAYOUT, blocks) for _ in range(300)]
    ended = threading.Event()

    def write() -> None:
        while not ended.is_set():
            held[:] = [*held[-300:], write_batch(directory, _LAYOUT, blocks)]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    writing = threading.Thread(target=write)
    writing.start()
    try:
        for _ in range(50):
            directory.remove_garbage(())
    finally:
        ended.set()
        writing.join(30)
        sys.setswitchinterval(before)


def test_what_is_expected_while_garbage_is_looked_for_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tick begins, and a task of it writes, just before the files are listed."""
    directory = BatchDirectory(tmp_path, LocalDisk(), "own")
    listed = Path.glob

    def meanwhile(self: Path, pattern: str) -> Iterator[Path]:
        directory.expect("tick")
        for name in ("tick-1.arrow", "other-1.arrow"):
            (tmp_path / name).touch()
        return listed(self, pattern)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "glob", meanwhile)
        directory.remove_garbage(())
    assert [path.name for path in tmp_path.iterdir()] == ["tick-1.arrow"]
    directory.expect_no_more("tick")
    directory.remove_garbage(())
    assert not list(tmp_path.iterdir())
