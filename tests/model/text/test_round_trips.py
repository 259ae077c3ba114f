"""Laws of text that need no recording: what is written reads back, and what is refused is refused as SqlError."""

from __future__ import annotations

import datetime
import math
import struct
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import TextContext
from model.text.dispatch import format_datum, parse_datum
from model.text.times.timetz import local_timetz
from model.text.times.zones import local_to_utc, session_zone
from model.types.datum import Datum, Interval, network_of
from model.types.embedding import held_embedding
from model.types.geometry import held_box, held_shape
from model.types.scalar_type import ScalarType, TypeName, array_of
from tests.draws import draws

_ZONES = ("UTC", "America/New_York", "Asia/Kolkata", "America/St_Johns", "+03", "EST5EDT")
_TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
_NUMBERS = st.floats(allow_nan=False) | st.just(math.nan)
_VALUES: dict[TypeName, st.SearchStrategy[Any]] = {
    TypeName.BOOL: st.booleans(),
    TypeName.INT2: st.integers(-(2**15), 2**15 - 1),
    TypeName.INT4: st.integers(-(2**31), 2**31 - 1),
    TypeName.INT8: st.integers(-(2**63), 2**63 - 1),
    TypeName.OID: st.integers(0, 2**32 - 1),
    TypeName.FLOAT8: st.floats(allow_nan=False),
    TypeName.FLOAT4: st.floats(allow_nan=False, width=32),
    TypeName.NUMERIC: st.decimals(
        allow_nan=False, allow_infinity=False, places=9, min_value=-(10**25), max_value=10**25
    ),
    TypeName.TEXT: _TEXTS,
    TypeName.BYTEA: st.binary(),
    TypeName.UUID: st.uuids(),
    TypeName.INET: st.builds(network_of, st.just(4), st.integers(0, 2**32 - 1), st.integers(0, 32))
    | st.builds(network_of, st.just(6), st.integers(0, 2**128 - 1), st.integers(0, 128)),
    TypeName.MACADDR: st.binary(min_size=6, max_size=6),
    TypeName.VECTOR: st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1).map(
        held_embedding
    ),
    TypeName.POINT: st.builds(held_shape, *[_NUMBERS] * 2),
    TypeName.BOX: st.builds(held_box, *[_NUMBERS] * 4),
    TypeName.LSEG: st.builds(held_shape, *[_NUMBERS] * 4),
    TypeName.CIRCLE: st.builds(held_shape, _NUMBERS, _NUMBERS, st.floats(min_value=0) | st.just(math.nan)),
    TypeName.MONEY: st.integers(-(2**63), 2**63 - 1),
    TypeName.MACADDR8: st.binary(min_size=8, max_size=8),
    TypeName.VARBIT: st.text("01"),
    TypeName.UINT2: st.integers(0, 2**16 - 1),
    TypeName.UINT8: st.integers(0, 2**64 - 1),
    TypeName.DATE: st.dates(),
    TypeName.TIME: st.times(),
    TypeName.TIMETZ: st.builds(local_timetz, st.integers(0, 86_400_000_000), st.integers(-57_599, 57_599)),
    TypeName.TIMESTAMP: st.datetimes(),
    TypeName.INTERVAL: st.builds(
        Interval,
        st.integers(-(2**31) + 1, 2**31 - 1),
        st.integers(-(2**31) + 1, 2**31 - 1),
        st.integers(-(2**62), 2**62),
    ),
}


def _refusal(text: str, type_: ScalarType) -> str | None:
    try:
        parse_datum(text, type_)
    except SqlError as error:
        return error.sqlstate.value
    return None


def _fields(value: object) -> object:
    """Intervals compare by their span; a round trip must keep their fields."""
    return (value.months, value.days, value.microseconds) if isinstance(value, Interval) else value


@pytest.mark.parametrize("name", list(_VALUES), ids=str)
def test_written_text_reads_back_as_the_same_value(name: TypeName) -> None:
    type_ = ScalarType(name)

    @given(_VALUES[name])
    @draws(150)
    def reads_back(value: Datum) -> None:
        assert _fields(parse_datum(format_datum(value, type_), type_)) == _fields(value)

    reads_back()


@pytest.mark.parametrize("style", ["postgres", "postgres_verbose", "sql_standard", "iso_8601"])
def test_intervals_of_one_sign_read_back_in_every_style(style: str) -> None:
    context = TextContext(interval_style=style)
    type_ = ScalarType(TypeName.INTERVAL)

    @given(st.sampled_from((1, -1)), st.integers(0, 99999), st.integers(0, 99999), st.integers(0, 10**12))
    @draws(150)
    def reads_back(sign: int, months: int, days: int, micros: int) -> None:
        value = Interval(sign * months, sign * days, sign * micros)
        assert _fields(parse_datum(format_datum(value, type_, context), type_, context=context)) == _fields(value)

    reads_back()


@given(st.lists(st.none() | _TEXTS))
@draws(200)
def test_arrays_of_any_texts_read_back(values: list[str | None]) -> None:
    type_ = array_of(ScalarType(TypeName.TEXT))
    assert parse_datum(format_datum(tuple(values), type_), type_) == tuple(values)


@given(st.datetimes(datetime.datetime(2, 1, 1), datetime.datetime(9998, 1, 1)), st.sampled_from(_ZONES))
@draws(200)
def test_moments_read_back_in_every_zone(moment: datetime.datetime, zone: str) -> None:
    value = moment.replace(tzinfo=datetime.UTC)
    context, type_ = TextContext(time_zone=zone), ScalarType(TypeName.TIMESTAMPTZ)
    assert parse_datum(format_datum(value, type_, context), type_, context=context) == value


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
@draws(300)
def test_no_shorter_text_gives_the_same_single(value: float) -> None:
    text = format_datum(value, ScalarType(TypeName.FLOAT4))
    digits = text.lower().split("e")[0].replace("-", "").replace(".", "").strip("0") or "0"
    if len(digits) > 1:
        shorter = f"{value:.{len(digits) - 2}e}"
        packed = struct.pack("f", value)
        try:
            same = struct.pack("f", float(shorter)) == packed
        except OverflowError:
            same = False
        # A decimal halfway between two singles reads back by the rule of ties alone, and isn't taken.
        neighbours = [struct.unpack("f", struct.pack("I", struct.unpack("I", packed)[0] + step))[0] for step in (1, -1)]
        halfway = any(Decimal(shorter) * 2 == Decimal(value) + Decimal(n) for n in neighbours if math.isfinite(n))
        assert not same or halfway


@given(st.sampled_from([*_VALUES, TypeName.JSONB, TypeName.JSON, TypeName.TIMESTAMPTZ]), st.text(max_size=30))
@draws(600)
def test_any_text_gives_a_value_or_an_sql_error(name: TypeName, text: str) -> None:
    for type_ in (ScalarType(name), array_of(ScalarType(name))):
        refused = _refusal(text, type_)
        assert refused is None or refused[:2] in ("22", "0A", "54")


def test_now_is_the_contexts_or_refused() -> None:
    now = datetime.datetime(2024, 7, 1, 2, 30, tzinfo=datetime.UTC)
    context = TextContext(time_zone="America/New_York", now=now)
    assert parse_datum("now", ScalarType(TypeName.TIMESTAMPTZ), context=context) == now
    assert parse_datum("today", ScalarType(TypeName.DATE), context=context) == datetime.date(2024, 6, 30)
    with pytest.raises(SqlError) as refused:
        parse_datum("now", ScalarType(TypeName.TIMESTAMPTZ))
    assert refused.value.sqlstate is Sqlstate.FEATURE_NOT_SUPPORTED


def test_skipped_local_times_use_the_offset_before_and_repeated_ones_the_offset_after() -> None:
    zone = session_zone("America/New_York")
    skipped = local_to_utc(datetime.datetime(2024, 3, 10, 2, 30), zone)
    repeated = local_to_utc(datetime.datetime(2024, 11, 3, 1, 30), zone)
    assert skipped == datetime.datetime(2024, 3, 10, 7, 30, tzinfo=datetime.UTC)
    assert repeated == datetime.datetime(2024, 11, 3, 6, 30, tzinfo=datetime.UTC)


def test_deep_json_is_an_sql_error() -> None:
    with pytest.raises(SqlError) as deep:
        parse_datum("[" * 100_000, ScalarType(TypeName.JSONB))
    assert deep.value.sqlstate in (Sqlstate.STATEMENT_TOO_COMPLEX, Sqlstate.INVALID_TEXT_REPRESENTATION)
