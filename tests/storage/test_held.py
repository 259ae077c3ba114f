"""Retractions are found to be held exactly where the collection holds the rows that they take."""

from __future__ import annotations

import math
import random
import struct
from collections import Counter
from collections.abc import AsyncIterator

import pyarrow as pa
import pytest

from model.physical.columns import arrow_schema, rows_from_arrow
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import FLOAT8, INT4, TEXT, ScalarType, TypeName
from storage.persist import hash_counts, held
from storage.persist.batch import encode_inline
from storage.persist.held import SHOWN_MAX, overdrawn_rows, rows_not_held
from storage.persist.location import Blob
from storage.persist.runner import InlineRunner, Runner
from storage.persist.snapshot import Snapshot, read_pieces, with_written
from tests.storage.memory import MemoryBlob

_FLOATS = ScalarType(TypeName.LIST, member=FLOAT8)
_ODD_NAN = struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000007))[0]
_DESC = relation_desc(("f", FLOAT8), ("t", TEXT), ("l", _FLOATS))
_ROWS = [
    (f, t, floats)
    for f in (0.0, -0.0, math.nan, None)
    for t in ("a", "a ", None)
    for floats in ([0.0], [-0.0, None], None)
]


async def _no_time() -> None:
    return


def _table(counted: list[tuple[int, int]], desc: RelationDesc = _DESC) -> pa.Table:
    columns = [[_ROWS[at][column] for at, _ in counted] for column in range(3)]
    schema = arrow_schema(desc).append(pa.field("diff", pa.int64()))
    return pa.table([*columns, [diff for _, diff in counted]], schema=schema)


def _stream(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.RecordBatchStreamWriter(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _snapshot(*tables: pa.Table) -> Snapshot:
    found = Snapshot("u1", Timestamp(5), _DESC, (), (), True)
    for table in tables:
        found = with_written(found, _stream(table))
    return found


@pytest.mark.parametrize("recent_max", (0, 1_000), ids=("in runs", "recent"))
@pytest.mark.parametrize("seed", range(60))
async def test_what_is_lacking_is_what_a_multiset_lacks(
    seed: int, recent_max: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hash_counts, "RECENT_MAX", recent_max)
    draw = random.Random(seed)

    def some(count: int, diffs: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(draw.randrange(len(_ROWS)), draw.choice(diffs)) for _ in range(draw.randrange(count))]

    first = some(40, (1, 2))
    gone = [(at, -1) for at, _ in first if draw.random() < 0.3]
    updates = [[(at, -1) for at, _ in first if draw.random() < 0.3], some(4, (1, -1)), some(3, (1,))]
    held = Counter[int]()
    for at, diff in (*first, *gone):
        held[at] += diff
    net = Counter[int]()
    for at, diff in (each for several in updates for each in several):
        net[at] += diff
    expected = {at for at, diff in net.items() if held[at] + diff < 0 and diff < 0}
    tables = [_table(several) for several in updates]
    source = _snapshot(_table(first), _table(gone))
    lacking = await rows_not_held(source, tables, MemoryBlob(_no_time), InlineRunner())
    if not expected:
        assert lacking is None
        return
    assert lacking is not None and 0 < lacking.num_rows <= SHOWN_MAX
    named = {repr(row) for row in rows_from_arrow(lacking, _DESC)}
    assert named <= {repr(tuple(map(_datum, _ROWS[at]))) for at in expected}


@pytest.mark.parametrize("recent_max", (0, 1_000), ids=("in runs", "recent"))
@pytest.mark.parametrize("seed", range(30))
async def test_what_is_overdrawn_is_what_a_multiset_lacks(
    seed: int, recent_max: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hash_counts, "RECENT_MAX", recent_max)
    draw, sums = random.Random(seed), Counter[int]()
    several = [
        [(draw.randrange(len(_ROWS)), draw.choice((1, 1, 1, -1))) for _ in range(draw.randrange(30))] for _ in range(3)
    ]
    for at, diff in (each for some in several for each in some):
        sums[at] += diff
    found = await overdrawn_rows(_snapshot(*map(_table, several)), MemoryBlob(_no_time), InlineRunner())
    told = zip(map(repr, rows_from_arrow(found, _DESC)), found.column("diff").to_pylist(), strict=True)
    assert sorted(told) == sorted((repr(tuple(map(_datum, _ROWS[at]))), n) for at, n in sums.items() if n < 0)


async def test_the_collection_is_read_once_however_many_rows_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of many rows lie in files."""
    monkeypatch.setattr(hash_counts, "HELD_MAX", 100)
    desc, read = relation_desc(("n", INT4)), list[int]()
    schema = arrow_schema(desc).append(pa.field("diff", pa.int64()))

    def rows(start: int, end: int, diff: int) -> pa.Table:
        return pa.table([pa.array(range(start, end), pa.int32()), pa.array([diff] * (end - start))], schema=schema)

    async def counted(source: Snapshot, blob: Blob, runner: Runner) -> AsyncIterator[pa.Table]:
        read.append(1)
        async for table in read_pieces(source, blob, runner):
            yield table

    monkeypatch.setattr(held, "read_pieces", counted)
    source = with_written(Snapshot("u1", Timestamp(5), desc, (), (), True), _stream(rows(0, 20_000, 1)))
    blob, runner = MemoryBlob(_no_time), InlineRunner()
    assert await rows_not_held(source, [rows(0, 9_000, -1), rows(9_000, 20_000, -1)], blob, runner) is None
    lacking = await rows_not_held(source, [rows(0, 9_000, -1), rows(9_000, 20_003, -1)], blob, runner)
    assert lacking is not None and lacking.column(0).to_pylist() == [20_000, 20_001, 20_002]
    assert len(read) == 2


def _datum(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


async def test_every_nan_is_the_same_value() -> None:
    desc = relation_desc(("f", FLOAT8), ("n", INT4))
    held = pa.table([[_ODD_NAN], [1]], schema=arrow_schema(desc))
    piece = encode_inline(held, desc)
    read = pa.ipc.open_stream(piece.payload).read_all().column(0)
    assert struct.pack("<d", read[0].as_py()) == struct.pack("<d", math.nan)
    source = with_written(
        Snapshot("u1", Timestamp(5), desc, (), (), True),
        _stream(held.append_column("diff", pa.array([1], pa.int64()))),
    )
    other = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000099))[0]
    taken = pa.table([[other], [1], [-1]], schema=held.schema.append(pa.field("diff", pa.int64())))
    assert await rows_not_held(source, [taken], MemoryBlob(_no_time), InlineRunner()) is None
    assert await rows_not_held(source, [taken, taken], MemoryBlob(_no_time), InlineRunner()) is not None
