"""An index answers what evaluating the query answers: keys of every type, any order, any bounds."""

from __future__ import annotations

import datetime
import decimal
import math
import uuid
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.protocol.dataflow import IndexExport
from compute.replica.dataflows.exports.error_log import LAYOUT, ErrorLog
from compute.replica.dataflows.exports.index import MaintainedIndex, arranged_relation
from compute.replica.dataflows.exports.index_key import PLACE_COLUMN, keyed
from compute.replica.peeks.finishing import by_key, finish, narrowed
from model.ids.global_id import GlobalId
from model.order.datum_order import identity_key
from model.physical.columns import DIFF_COLUMN, rows_from_arrow, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Interval, Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import (
    BOOL,
    DATE,
    FLOAT8,
    INT4,
    INT8,
    INTERVAL,
    JSONB,
    NUMERIC,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    ScalarType,
    array_of,
)
from model.updates.update import Update, updates_to_arrow
from planner.interpret.context import EvaluationContext
from planner.interpret.finishing import finish as finish_obviously
from planner.ir.aggregate import SortKey
from planner.ir.relation import Finishing, Map
from planner.ir.scalar import Call, Column, Literal
from tests.draws import draws

_DATUMS: dict[ScalarType, list[Any]] = {
    BOOL: [True, False],
    INT4: [0, 1, -5, 2**31 - 1],
    INT8: [0, -(2**63), 2**63 - 1],
    FLOAT8: [0.0, -0.0, 1.5, math.nan, math.inf, -math.inf],
    TEXT: ["", "a", "ab", "ä", "Z", "z" * 40],
    NUMERIC: [decimal.Decimal("0"), decimal.Decimal("1.50"), decimal.Decimal("-2")],
    DATE: [datetime.date(2020, 1, 1), datetime.date(1969, 12, 31)],
    TIMESTAMPTZ: [datetime.datetime(2020, 1, 1, 2, 3, 4, 5, datetime.UTC)],
    INTERVAL: [Interval(0, 1, 0), Interval(0, 0, 86_400_000_000), Interval(1, 0, 0), Interval(0, 30, 0)],
    JSONB: ["1", "1.0", "[]", '{"a": 1}', '{"a": 1.0}', "null", '"x"'],
    UUID: [uuid.UUID(int=1), uuid.UUID(int=2**127)],
    array_of(INT4): [(), (1,), (1, None), (None,)],
    array_of(FLOAT8): [(0.0,), (-0.0,), (math.nan,)],
}
_TYPES = list(_DATUMS)


@st.composite
def relations(draw: Any) -> tuple[RelationDesc, list[Update]]:
    types = draw(st.lists(st.sampled_from(_TYPES), min_size=1, max_size=3))
    desc = RelationDesc(tuple(ColumnDesc(f"x{i}", type_) for i, type_ in enumerate(types)))
    row = st.tuples(*(st.none() | st.sampled_from(_DATUMS[type_]) for type_ in types))
    times = st.integers(1, 4).map(Timestamp)
    return desc, draw(st.lists(st.builds(Update, row, times, st.integers(1, 3)), max_size=12))


def arranged(
    desc: RelationDesc, updates: list[Update], columns: tuple[int, ...]
) -> tuple[MaintainedIndex, Arrangement]:
    key = tuple(Column(i, desc.types[i]) for i in columns)
    index = MaintainedIndex(IndexExport(GlobalId.user(1), GlobalId.user(2), key), desc)
    arrangement = Arrangement(index.layout)
    for half in (updates[::2], updates[1::2]):
        arrangement.insert(index.keyed(updates_to_arrow(half, desc)))
        arrangement.seal()
    return index, arrangement


def told_apart(table: pa.Table, desc: RelationDesc) -> list[str]:
    """The rows, each as often as `diff` says, in a form that tells -0.0 from 0.0, sorted."""
    rows = rows_from_arrow(table, desc)
    counts = table.column(DIFF_COLUMN).to_pylist()
    return sorted(repr(row) for row, count in zip(rows, counts, strict=True) for _ in range(count))


def as_stored(rows: list[Row], desc: RelationDesc) -> list[Row]:
    return rows_from_arrow(rows_to_arrow(rows, desc), desc)


@draws(300)
@given(relations(), st.data())
def test_a_key_finds_the_rows_that_are_not_distinct_from_it(
    relation: tuple[RelationDesc, list[Update]], data: Any
) -> None:
    desc, updates = relation
    columns = tuple(data.draw(st.lists(st.sampled_from(range(desc.arity)), min_size=1, max_size=2, unique=True)))
    types = [desc.types[i] for i in columns]
    row = st.tuples(*(st.none() | st.sampled_from(_DATUMS[type_]) for type_ in types))
    keys = tuple(data.draw(st.lists(row, max_size=3)))
    as_of = Timestamp(data.draw(st.integers(1, 4)))
    index, arrangement = arranged(desc, updates, columns)
    found = index.lookup(arrangement, index.probes(keys), as_of)
    identity = identity_key(types)
    wanted = {identity(key) for key in as_stored(list(keys), _desc(types))}
    expected = [
        each
        for update in updates
        if update.time <= as_of
        for each in as_stored([update.row], desc) * update.diff
        if identity(tuple(each[i] for i in columns)) in wanted
    ]
    assert told_apart(found, desc) == sorted(map(repr, expected))


def test_few_rows_come_in_the_order_of_the_key() -> None:
    desc = relation_desc(("word", TEXT), ("number", INT4))
    updates = [Update((word, number), Timestamp(1), 1) for number, word in enumerate("qwertyuiop", 1)]
    updates.append(Update(("none", None), Timestamp(1), 1))
    index, arrangement = arranged(desc, updates, (1,))
    chunks = list(index.rows(arrangement, Timestamp(1)))
    ordered = pa.concat_tables(by_key(chunks, index.types, index.key_columns))
    assert [row[1] for row in rows_from_arrow(ordered, desc)] == [*range(1, 11), None]
    assert told_apart(ordered, desc) == told_apart(pa.concat_tables(chunks), desc)


@draws(200)
@given(relations(), st.data())
def test_how_a_key_begins_finds_the_rows_whose_keys_begin_so(
    relation: tuple[RelationDesc, list[Update]], data: Any
) -> None:
    desc, updates = relation
    columns = tuple(data.draw(st.permutations(range(desc.arity))))
    parts = data.draw(st.integers(1, desc.arity))
    types = [desc.types[i] for i in columns[:parts]]
    keys = data.draw(st.lists(st.tuples(*(st.none() | st.sampled_from(_DATUMS[type_]) for type_ in types)), max_size=3))
    index, arrangement = arranged(desc, updates, columns)
    rows = index.lookup(arrangement, index.probes(tuple(keys)), Timestamp(4))
    identity = identity_key(types)
    stored = as_stored(keys, _desc(types))
    wanted = {identity(key) for key in stored}
    expected = [
        each
        for update in updates
        for each in as_stored([update.row], desc) * update.diff
        if identity(tuple(each[i] for i in columns[:parts])) in wanted
    ]
    assert told_apart(rows, desc) == sorted(map(repr, expected))
    for row, place in zip(rows_from_arrow(rows, desc), rows.column(PLACE_COLUMN).to_pylist(), strict=True):
        assert identity(tuple(row[i] for i in columns[:parts])) == identity(stored[place])


@pytest.mark.parametrize("columns", [(0,), (0, 1)], ids=["whole", "beginning"])
def test_keys_that_are_one_key_find_its_rows_once(columns: tuple[int, ...]) -> None:
    desc = relation_desc(("a", JSONB), ("b", INT4))
    index, arrangement = arranged(desc, [Update(('{"a": 1}', 1), Timestamp(1), 1)], columns)
    found = index.lookup(arrangement, index.probes((('{"a": 1}',), ('{"a": 1.0}',))), Timestamp(4))
    assert told_apart(found, desc) == ["('{\"a\": 1}', 1)"]


def _desc(types: list[ScalarType]) -> RelationDesc:
    return RelationDesc(tuple(ColumnDesc(f"k{i}", type_) for i, type_ in enumerate(types)))


@draws(300)
@given(relations(), st.data())
def test_rows_come_in_the_order_and_number_asked_for(relation: tuple[RelationDesc, list[Update]], data: Any) -> None:
    desc, updates = relation
    key = st.builds(
        lambda i, descending, nulls: SortKey(Column(i, desc.types[i]), descending, nulls),
        st.integers(0, desc.arity - 1),
        st.booleans(),
        st.booleans(),
    )
    number = st.none() | st.integers(0, 6).map(lambda n: Literal(n, INT8))
    finishing = Finishing(
        tuple(data.draw(st.lists(key, min_size=1, max_size=2))),
        data.draw(number),
        data.draw(number),
        tuple(data.draw(st.lists(st.integers(0, desc.arity - 1), max_size=3))),
    )
    index, arrangement = arranged(desc, updates, (0,))
    chunks = list(index.rows(arrangement, Timestamp(4)))
    rows = pa.concat_tables(chunks) if chunks else index.lookup(arrangement, index.probes(()), Timestamp(4))
    answer = finish(rows, desc.types, finishing)
    if finishing.limit is not None:
        assert str(finish(narrowed(rows, desc.types, finishing), desc.types, finishing).to_pylist()) == str(
            answer.to_pylist()
        )
    everything = [each for update in updates for each in as_stored([update.row], desc) * update.diff]
    expected = finish_obviously(everything, desc, finishing, EvaluationContext())
    assert answer.num_rows == len(expected)
    if finishing.project:
        projected = RelationDesc(tuple(desc.columns[i] for i in finishing.project))
        got = rows_from_arrow(answer, projected)
        if finishing.limit is None and finishing.offset in (None, Literal(0, INT8)):
            # Nothing breaks ties here: only what is sorted by is in order.
            assert sorted(map(repr, got)) == sorted(map(repr, expected))
        else:
            identity = identity_key(projected.types)
            assert list(map(identity, got)) == list(map(identity, expected))


def test_a_key_of_more_digits_than_the_column_finds_nothing() -> None:
    desc = relation_desc(("a", NUMERIC))
    index, arrangement = arranged(desc, [Update((decimal.Decimal("1.5"),), Timestamp(1), 1)], (0,))
    for key, count in (("1.50", 1), ("1.5000000000000000001", 0), ("1e30", 0)):
        probes = index.probes([(decimal.Decimal(key),)])
        assert index.lookup(arrangement, probes, Timestamp(1)).num_rows == count


def test_what_is_no_column_is_computed_beside_the_object_s() -> None:
    desc = relation_desc(("a", INT4), ("b", TEXT))
    negated = Call("negate_int4", (Column(0, INT4),), INT4)
    export = IndexExport(GlobalId.user(1), GlobalId.user(2), (negated, Column(1, TEXT)))
    relation = arranged_relation(export, desc)
    assert isinstance(relation, Map) and relation.scalars == (negated,)
    index = MaintainedIndex(export, desc)
    arrangement = Arrangement(index.layout)
    wide = relation_desc(("a", INT4), ("b", TEXT), ("key0", INT4))
    arrangement.insert(index.keyed(updates_to_arrow([Update((5, "x", -5), Timestamp(1), 1)], wide)))
    arrangement.seal()
    assert told_apart(index.lookup(arrangement, index.probes([(-5, "x")]), Timestamp(1)), desc) == ["(5, 'x')"]
    assert index.lookup(arrangement, index.probes([(5, "x")]), Timestamp(1)).num_rows == 0


@pytest.mark.parametrize("type_", _TYPES, ids=str)
def test_hashes_are_those_of_one_row_or_of_many(type_: ScalarType) -> None:
    datums: list[Datum] = [*_DATUMS[type_], None]
    desc = _desc([type_])
    many = rows_to_arrow([(datum,) for datum in datums], desc).column(0).combine_chunks()
    together = keyed([many], [type_], len(datums))[0].to_pylist()
    alone = [
        keyed([rows_to_arrow([(datum,)], desc).column(0).combine_chunks()], [type_], 1)[0][0].as_py()
        for datum in datums
    ]
    assert together == alone


def test_the_least_live_error_counts() -> None:
    log = ErrorLog(Arrangement(LAYOUT), Timestamp(0))
    errors = pa.table(
        {
            "err": ["22012 division by zero", "22003 integer out of range", "22003 integer out of range"],
            "time": pa.array([1, 2, 3], pa.int64()),
            "diff": pa.array([1, 1, -1], pa.int64()),
        }
    )
    log.insert(errors)
    log.seal()
    least = [log.least(Timestamp(time)) for time in range(4)]
    assert least == [None, "22012 division by zero", "22003 integer out of range", "22012 division by zero"]
