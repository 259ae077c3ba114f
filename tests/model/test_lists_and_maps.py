"""Lists and maps as values: their texts, their order, their place in Arrow. Materialize says what is right."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import sort_key
from model.physical.columns import arrow_type, column_from_arrow, column_to_arrow
from model.text.dispatch import format_datum, parse_datum
from model.types.datum import Datum
from model.types.maps import map_from
from model.types.scalar_type import INT4, NUMERIC, TEXT, ScalarType, array_of, list_of, map_of, numeric, varchar

_INTS, _TEXTS = list_of(INT4), list_of(TEXT)
_FORMS: tuple[tuple[str, ScalarType, Datum, str], ...] = (
    ("{}", _INTS, (), "{}"),
    (" { 1 ,NULL, 3 } ", _INTS, (1, None, 3), "{1,NULL,3}"),
    ("{{1},{2, 3},{},null}", list_of(_INTS), ((1,), (2, 3), (), None), "{{1},{2,3},{},NULL}"),
    ('{a b,"c\\"d",\\{,"NULL",""}', _TEXTS, ("a b", 'c"d', "{", "NULL", ""), '{"a b","c\\"d","{","NULL",""}'),
    ("{{1,2},{3}}", list_of(array_of(INT4)), ((1, 2), (3,)), "{{1,2},{3}}"),
    ("{b=>1, a=>NULL}", map_of(INT4), (("a", None), ("b", 1)), "{a=>NULL,b=>1}"),
    ("{a=>1,a=>2}", map_of(INT4), (("a", 2),), "{a=>2}"),
    ('{"x y"=>"1,2", z=z=>=>}', map_of(TEXT), (("x y", "1,2"), ("z=z", "=>")), '{"x y"=>"1,2","z=z"=>"=>"}'),
    ("{a=>{b=>{1,2}}}", map_of(map_of(_INTS)), (("a", (("b", (1, 2)),)),), "{a=>{b=>{1,2}}}"),
    ("{1.005}", list_of(numeric(4, 2)), None, "{1.01}"),
)
_MALFORMED = ("", "1", "{", "{1", "{1}}", "{1,}", "{,1}", "{1 2", '{"1"2}', "{{1}}", '{"1', "{1}x")
_MALFORMED_MAPS = ("{a}", "{a=1}", "{=>1}", "{a=>}", "{a=>1", "{a=>1}x", "{a=>{1}}", "{a=>1 b=>2}")
_ITEMS = st.one_of(st.none(), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
_LISTS = st.lists(_ITEMS, max_size=4).map(tuple)
_MAPS = st.lists(st.tuples(st.text('ab=>,{}"\\ N', max_size=4), st.one_of(st.none(), _LISTS)), max_size=4).map(map_from)


@pytest.mark.parametrize(("text", "type_", "datum", "written"), _FORMS)
def test_texts_are_read_and_written(text: str, type_: ScalarType, datum: Datum, written: str) -> None:
    read = parse_datum(text, type_)
    assert datum is None or read == datum
    assert format_datum(read, type_) == written


@pytest.mark.parametrize(("type_", "texts"), [(_INTS, _MALFORMED), (map_of(INT4), _MALFORMED_MAPS)])
def test_what_is_malformed_is_refused(type_: ScalarType, texts: tuple[str, ...]) -> None:
    for text in texts:
        with pytest.raises(SqlError) as refused:
            parse_datum(text, type_)
        assert refused.value.sqlstate is Sqlstate.INVALID_TEXT_REPRESENTATION, text


def test_a_members_modifier_is_applied_as_it_is_read() -> None:
    with pytest.raises(SqlError) as refused:
        parse_datum("{abc}", list_of(varchar(2)))
    assert refused.value.sqlstate is Sqlstate.STRING_DATA_RIGHT_TRUNCATION


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), _LISTS), max_size=4).map(tuple))
def test_lists_survive_their_text_and_arrow(value: tuple[Any, ...]) -> None:
    _survives(value, list_of(_TEXTS))


@settings(deadline=None)
@given(_MAPS)
def test_maps_survive_their_text_and_arrow(value: tuple[Any, ...]) -> None:
    _survives(value, map_of(_TEXTS))


def _survives(value: Datum, type_: ScalarType) -> None:
    assert parse_datum(format_datum(value, type_), type_) == value
    assert column_from_arrow(column_to_arrow([value, None], type_), type_) == [value, None]


def test_order_is_that_of_the_members_with_null_greatest() -> None:
    texts = ("{}", "{1}", "{1,1}", "{1,NULL}", "{2}", "{NULL}")
    values = [parse_datum(text, list_of(NUMERIC)) for text in texts]
    assert _sorted(values[::-1], list_of(NUMERIC)) == values
    pairs = [parse_datum(text, map_of(INT4)) for text in ("{}", "{a=>1}", "{a=>1,b=>0}", "{a=>NULL}", "{b=>0}")]
    assert _sorted(pairs[::-1], map_of(INT4)) == pairs


def _sorted(values: list[Datum], type_: ScalarType) -> list[Datum]:
    return sorted(values, key=sort_key(type_))


def test_types_are_written_as_they_are_declared() -> None:
    assert str(list_of(list_of(INT4))) == "integer list list"
    assert str(map_of(list_of(numeric(4, 2)))) == "map[text=>numeric(4,2) list]"
    assert str(arrow_type(map_of(INT4))) == "list<item: struct<key: string, value: int32>>"
