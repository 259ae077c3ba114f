"""What the comparison with DuckDB calls equal, and what it finds."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from benchmarks.nexmark.answers import difference

_EXPECTED = pa.table(
    {
        "id": pa.array([1, 2, 2], pa.int64()),
        "note": pa.array(["", None, "a,\n'b"]),
        "at": pa.array([datetime.datetime(2020, 1, 1, 0, 0, 1, 500)] * 3, pa.timestamp("us")),
        "mean": pa.array([1 / 3, 2.0, None], pa.float64()),
    }
)
_HEADER = b"id,note,at,mean\n"
_ROWS = (
    b'2,"a,\n\'b",2020-01-01 00:00:01.0005,\n',
    b'1,"",2020-01-01 00:00:01.0005,0.33333333333333333333\n',
    b"2,,2020-01-01 00:00:01.0005,2.0000000000000000\n",
)


def test_equal_bags_have_no_difference() -> None:
    assert difference(_EXPECTED, _HEADER + b"".join(_ROWS)) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"1,", b"3,"),
        (b'1,""', b"1,"),
        (b"0.3333333333", b"0.3333334333"),
        (b"2,,", b'2,"",'),
        (b"01.0005,2.0", b"01.0006,2.0"),
        (b"01.0005,\n", b"01.0005,1\n"),
    ],
)
def test_any_changed_value_is_found(before: bytes, after: bytes) -> None:
    changed = b"".join(_ROWS).replace(before, after)
    assert changed != b"".join(_ROWS)
    assert difference(_EXPECTED, _HEADER + changed) is not None


def test_missing_doubled_and_misnamed_are_found() -> None:
    assert difference(_EXPECTED, _HEADER + b"".join(_ROWS[:2])) == "2 rows, not 3"
    assert difference(_EXPECTED, _HEADER + _ROWS[0] + _ROWS[1] + _ROWS[1]) is not None
    assert difference(_EXPECTED, b"id,note,at,average\n" + b"".join(_ROWS)) is not None
