"""The number of a row's version hangs on the values alone, and on each of them."""

from __future__ import annotations

import datetime
import zoneinfo
from decimal import Decimal

import pytest

from model.types.datum import Interval, Range, ShapedArray
from planner.functions.types.row_version import ROW_VERSION

_AT = datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.UTC)
_ROW = (1, "a", Decimal("1.50"), _AT, Interval(1, 2, 3), (1, None), ((1, "x"),), b"\x00", 0.5, None)


def version(*values: object) -> int:
    return int(ROW_VERSION.evaluate(*values))


def test_equal_values_have_one_version_in_whatever_form_they_come() -> None:
    elsewhere = _AT.astimezone(zoneinfo.ZoneInfo("UTC"))
    assert version(*_ROW) == version(*(Decimal("1.5") if at == 2 else each for at, each in enumerate(_ROW)))
    assert version(*_ROW) == version(*(elsewhere if at == 3 else each for at, each in enumerate(_ROW)))
    assert version(Range(Decimal("1.0"), None)) == version(Range(Decimal("1"), None))


@pytest.mark.parametrize("at", range(len(_ROW)))
def test_each_value_counts(at: int) -> None:
    changed = list(_ROW)
    changed[at] = "other"
    assert version(*changed) != version(*_ROW)


def test_values_are_told_apart_from_their_neighbours_and_shapes() -> None:
    assert version("a", "b") != version("ab", "")
    assert version(None) != version("None")
    assert version((1, 2)) != version(ShapedArray((1, 2), ((0, 2),)))
    assert version("a\nb") != version("a", "b")


def test_a_counter_is_never_missed() -> None:
    versions = {version(7, "name", count) for count in range(20_000)}
    assert len(versions) == 20_000
