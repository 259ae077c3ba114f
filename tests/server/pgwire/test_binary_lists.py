"""Lists and maps in binary format: what is written reads back, and what is malformed is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import DEFAULT_CONTEXT
from model.types.datum import Datum
from model.types.maps import map_from
from model.types.scalar_type import INT4, TEXT, ScalarType, array_of, list_of, map_of, varchar
from server.pgwire.encoding.dispatch import receiver, sender

_KEYS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=4)
_LEAVES: tuple[tuple[ScalarType, st.SearchStrategy[Datum]], ...] = (
    (INT4, st.integers(-(2**31), 2**31 - 1)),
    (TEXT, _KEYS),
    (array_of(INT4), st.lists(st.integers(0, 9), max_size=3).map(tuple)),
)


def _deeper(
    drawn: tuple[ScalarType, st.SearchStrategy[Datum]],
) -> st.SearchStrategy[tuple[ScalarType, st.SearchStrategy[Datum]]]:
    member, values = drawn
    nullable = st.one_of(st.none(), values)
    lists = st.lists(nullable, max_size=3).map(tuple)
    maps = st.lists(st.tuples(_KEYS, nullable), max_size=3).map(map_from)
    return st.sampled_from([(list_of(member), lists), (map_of(member), maps)])


_TYPES = st.recursive(st.sampled_from(_LEAVES), lambda inner: inner.flatmap(_deeper), max_leaves=4)
_TYPED = _TYPES.flatmap(_deeper).flatmap(lambda drawn: st.tuples(st.just(drawn[0]), drawn[1]))


@given(_TYPED)
def test_what_is_written_reads_back(typed: tuple[ScalarType, Datum]) -> None:
    type_, value = typed
    data = sender(type_, 1, DEFAULT_CONTEXT)(value)
    assert receiver(type_, 1, DEFAULT_CONTEXT)(data) == value
    for end in range(len(data)):
        with pytest.raises(SqlError):
            receiver(type_, 1, DEFAULT_CONTEXT)(data[:end])


@pytest.mark.parametrize(
    ("type_", "data", "sqlstate"),
    [
        (list_of(INT4), "00000001 00000000 00000014 00000000 00000001", Sqlstate.DATATYPE_MISMATCH),
        (
            list_of(INT4),
            "00000001 00000000 00000017 00000001 00000002 00000004 00000007",
            Sqlstate.INVALID_BINARY_REPRESENTATION,
        ),
        (
            list_of(varchar(1)),
            "00000001 00000000 00000413 00000001 00000001 00000002 6162",
            Sqlstate.STRING_DATA_RIGHT_TRUNCATION,
        ),
        (map_of(INT4), "00000001 ffffffff ffffffff", Sqlstate.INVALID_BINARY_REPRESENTATION),
        (map_of(INT4), "ffffffff", Sqlstate.INVALID_BINARY_REPRESENTATION),
        (map_of(INT4), "7fffffff", Sqlstate.PROTOCOL_VIOLATION),
        (map_of(INT4), "00000000 00", Sqlstate.INVALID_BINARY_REPRESENTATION),
        (map_of(INT4), "00000001 00000001 ff ffffffff", Sqlstate.CHARACTER_NOT_IN_REPERTOIRE),
    ],
)
def test_what_is_malformed_is_refused(type_: ScalarType, data: str, sqlstate: Sqlstate) -> None:
    with pytest.raises(SqlError) as refused:
        receiver(type_, 1, DEFAULT_CONTEXT)(bytes.fromhex(data))
    assert refused.value.sqlstate is sqlstate
