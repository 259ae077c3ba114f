"""Bytes and back: pieces hold every type; the kernels agree with plain Python."""

from __future__ import annotations

import datetime
import decimal
import tracemalloc
import uuid
from collections import Counter

import hypothesis.strategies as st
import pyarrow as pa
import pytest
from hypothesis import given

from model.physical.columns import rows_from_arrow, rows_to_arrow, updates_schema
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Interval, TimeTz, network_of
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import ScalarType, TypeName, array_of, numeric
from model.updates.consolidate import consolidate
from model.updates.update import Update, updates_from_arrow, updates_to_arrow
from storage.persist.batch import decode_piece, encode_inline, encode_part
from storage.persist.bucket import buckets_of
from storage.persist.state import Part
from tests.draws import draws

_INT8 = ScalarType(TypeName.INT8)
_TEXT = ScalarType(TypeName.TEXT)
_INTERVAL = ScalarType(TypeName.INTERVAL)
_VALUES: dict[ScalarType, st.SearchStrategy[Datum]] = {
    ScalarType(TypeName.BOOL): st.booleans(),
    ScalarType(TypeName.INT2): st.integers(-2, 2),
    _INT8: st.sampled_from([-(2**63), -1, 0, 1, 2**63 - 1]),
    ScalarType(TypeName.FLOAT4): st.sampled_from([0.5, -1.0]),
    ScalarType(TypeName.FLOAT8): st.sampled_from([0.1, -1e300, 1.0]),
    numeric(10, 2): st.sampled_from([decimal.Decimal("1.50"), decimal.Decimal("-0.01")]),
    ScalarType(TypeName.NUMERIC): st.just(decimal.Decimal("12345678901234567890.000000000000000001")),
    _TEXT: st.sampled_from(["", "a", "ab", "ba", "\u00e4\u20ac\U0001f600"]),
    ScalarType(TypeName.BYTEA): st.sampled_from([b"", b"\x00", b"\xff\x00"]),
    ScalarType(TypeName.DATE): st.just(datetime.date(2024, 2, 29)),
    ScalarType(TypeName.TIME): st.just(datetime.time(23, 59, 59, 999999)),
    ScalarType(TypeName.TIMETZ): st.sampled_from(
        [TimeTz(0, 0), TimeTz(-57599000000, -57599), TimeTz(143999000000, 57599)]
    ),
    ScalarType(TypeName.TIMESTAMP): st.just(datetime.datetime(1999, 12, 31, 1, 2, 3, 4)),
    ScalarType(TypeName.TIMESTAMPTZ): st.just(datetime.datetime(2030, 1, 1, tzinfo=datetime.UTC)),
    _INTERVAL: st.sampled_from([Interval(0, 0, 0), Interval(1, -2, 3), Interval(0, 28, 3)]),
    ScalarType(TypeName.INET): st.sampled_from([network_of(4, 0xC0A80105, 24), network_of(6, (1 << 128) - 1, 3)]),
    ScalarType(TypeName.UINT8): st.sampled_from([0, 1, 2**64 - 1]),
    ScalarType(TypeName.UINT2): st.sampled_from([0, 65535]),
    ScalarType(TypeName.VARBIT): st.sampled_from(["", "0", "101"]),
    ScalarType(TypeName.UUID): st.just(uuid.UUID(int=5)),
    ScalarType(TypeName.JSONB): st.sampled_from(['{"a": 1}', "null"]),
    array_of(_INT8): st.lists(st.one_of(st.none(), st.integers(0, 1)), max_size=3).map(tuple),
    array_of(_TEXT): st.lists(st.sampled_from(["", "a", "aa"]), max_size=3).map(tuple),
    array_of(_INTERVAL): st.lists(st.just(Interval(1, 2, 3)), max_size=2).map(tuple),
}


@st.composite
def _tables(draw: st.DrawFn) -> tuple[RelationDesc, list[Update]]:
    types = draw(st.lists(st.sampled_from(list(_VALUES)), max_size=4))
    desc = relation_desc(*((f"column {i}", type_) for i, type_ in enumerate(types)))
    rows = st.tuples(*(st.one_of(st.none(), _VALUES[type_]) for type_ in types))
    updates = st.builds(Update, rows, st.sampled_from([Timestamp(3), Timestamp(4)]), st.sampled_from([1, 1, 1, 2, -1]))
    return desc, draw(st.lists(updates, min_size=1, max_size=12))


def _key(update: Update) -> tuple[object, ...]:
    # Intervals of equal span are equal datums and yet different values.
    return repr(update.row), update.time


def _sums(updates: list[Update]) -> dict[tuple[object, ...], int]:
    counts: Counter[tuple[object, ...]] = Counter()
    for update in updates:
        counts[_key(update)] += update.diff
    return {key: count for key, count in counts.items() if count != 0}


@draws(80)
@given(_tables())
def test_a_piece_gives_back_what_it_was_made_of(case: tuple[RelationDesc, list[Update]]) -> None:
    desc, updates = case
    table = updates_to_arrow(updates, desc)
    part, data = encode_part(table, desc, "key")
    inline = encode_inline(table, desc)
    for piece, file in ((part, data), (inline, inline.payload)):
        decoded = decode_piece(piece, file, desc, "u1", "it")
        assert decoded.schema.equals(updates_schema(desc))
        assert [repr(u) for u in updates_from_arrow(decoded, desc)] == [repr(u) for u in updates]
        times, diffs = {u.time for u in updates}, {u.diff for u in updates}
        assert (piece.time_min, piece.time_max) == (min(times), max(times))
        assert piece.time == (min(times) if len(times) == 1 else None)
        assert piece.retracts == (min(diffs) < 0)
        if desc.arity > 0:
            assert piece.diff == (min(diffs) if len(diffs) == 1 else None)


@draws(80)
@given(_tables())
def test_consolidation_sums_the_diffs_of_equal_updates(case: tuple[RelationDesc, list[Update]]) -> None:
    desc, updates = case
    table = consolidate(updates_to_arrow(updates, desc))
    assert table.schema.equals(updates_schema(desc))
    result = updates_from_arrow(table, desc)
    assert len(result) == len({_key(u) for u in result})
    assert _sums(result) == _sums(updates)


@draws(80)
@given(_tables(), st.integers(1, 5), st.integers(0, 12))
def test_equal_rows_meet_in_one_bucket_wherever_they_lie(
    case: tuple[RelationDesc, list[Update]], count: int, cut: int
) -> None:
    desc, updates = case
    table = updates_to_arrow(updates, desc)
    whole = buckets_of(table, count).tolist()
    assert all(0 <= bucket < count for bucket in whole)
    by_row: dict[str, int] = {}
    for update, bucket in zip(updates, whole, strict=True):
        assert by_row.setdefault(repr(update.row), bucket) == bucket
    pieces = [table.slice(0, cut), table.slice(cut)]
    assert [b for piece in pieces for b in buckets_of(piece, count).tolist()] == whole
    assert buckets_of(pa.concat_tables(pieces), count).tolist() == whole


def test_rows_spread_over_buckets() -> None:
    desc = relation_desc(("a", _INT8), ("b", _TEXT))
    table = rows_to_arrow([(i, f"name {i % 7}") for i in range(10_000)], desc)
    counts = Counter(buckets_of(table, 8).tolist())
    assert min(counts[bucket] for bucket in range(8)) > 800


def test_dividing_rows_takes_little_more_than_the_rows() -> None:
    desc = relation_desc(("a", _INT8), ("b", _TEXT))
    table = rows_to_arrow([(i, f"{i:>400}") for i in range(40_000)], desc)
    tracemalloc.start()
    try:
        buckets_of(table, 8)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < table.nbytes, "of what is compacted, many times as much is held"


def test_a_row_without_columns_has_only_a_multiplicity() -> None:
    desc = relation_desc()
    inline = encode_inline(rows_to_arrow([(), (), ()], desc), desc)
    timed = Part(key="k", **{f: getattr(inline, f) for f in inline.__struct_fields__ if f != "payload"})
    assert timed.timeless
    part, data = encode_part(updates_to_arrow([Update((), Timestamp(1), 3)], desc), desc, "k")
    assert decode_piece(part, data, desc, "u1", "it").to_pylist() == [{"time": 1, "diff": 3}]


@pytest.mark.parametrize("rows", [[], [(1, None)]])
def test_rows_survive_without_time_and_diff(rows: list[tuple[Datum, ...]]) -> None:
    desc = relation_desc(("a", _INT8), ("b", _TEXT))
    table = rows_to_arrow([*rows, (2, "x")], desc)
    inline = encode_inline(table, desc)
    assert inline.timeless and inline.diff == 1
    assert rows_from_arrow(pa.ipc.open_stream(inline.payload).read_all(), desc) == [*rows, (2, "x")]
