"""What reads a connection's parameters is looked up once, as long as it is the same."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace

from model.text.context import DEFAULT_CONTEXT, TextContext
from model.types.datum import Datum
from model.types.scalar_type import INT4, TEXT, TIMESTAMPTZ, ScalarType
from server.pgwire.messages import Bind
from server.pgwire.parameters import KnownReceivers, read_parameters


def _read(
    known: KnownReceivers, type_: ScalarType, data: bytes | None, context: TextContext, code: int = 0
) -> list[Datum]:
    return read_parameters(Bind("", "", (code,), (data,), ()), (type_,), context, _unchecked, known)


def _unchecked(type_: ScalarType) -> Callable[[Datum], Datum]:
    raise AssertionError("it holds no domain")


def test_a_parameter_is_read_in_the_settings_of_now() -> None:
    known = KnownReceivers()
    utc, tokyo = DEFAULT_CONTEXT, replace(DEFAULT_CONTEXT, time_zone="Asia/Tokyo")
    noon = datetime.datetime(2026, 11, 26, 12, tzinfo=datetime.UTC)
    for _ in range(2):
        assert _read(known, TIMESTAMPTZ, b"2026-11-26 12:00", utc) == [noon]
        assert _read(known, TIMESTAMPTZ, b"2026-11-26 12:00", tokyo) == [noon - datetime.timedelta(hours=9)]


def test_a_parameter_is_read_in_its_own_type_and_format() -> None:
    known = KnownReceivers()
    for _ in range(2):
        assert _read(known, INT4, b"7", DEFAULT_CONTEXT) == [7]
        assert _read(known, TEXT, b"7", DEFAULT_CONTEXT) == ["7"]
        assert _read(known, INT4, b"\0\0\0\7", DEFAULT_CONTEXT, code=1) == [7]
        assert _read(known, INT4, None, DEFAULT_CONTEXT) == [None]


def test_a_type_that_is_gone_leaves_its_reader_to_no_other() -> None:
    known = KnownReceivers()
    for number in range(2_000):
        numeric = number % 3 == 0
        assert _read(known, replace(INT4 if numeric else TEXT), b"7", DEFAULT_CONTEXT) == [7 if numeric else "7"]
