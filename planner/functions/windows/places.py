"""Functions of a row's place in its group, or of a row that stands elsewhere in it (manual, 9.22)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import FLOAT8, INT4, INT8, ScalarType
from planner.functions.rows import ANYCOMPATIBLE, ANYELEMENT, first_type, key_of
from planner.functions.signature import ResultType, Span, WindowFunction, WindowRows


def _row_number(rows: WindowRows) -> list[Any]:
    return list(range(1, len(rows.peers) + 1))


def _rank(rows: WindowRows) -> list[Any]:
    return [start + 1 for start, _ in rows.peers]


def _dense_rank(rows: WindowRows) -> list[Any]:
    places: dict[Span, int] = {}
    return [places.setdefault(peers, len(places) + 1) for peers in rows.peers]


def _percent_rank(rows: WindowRows) -> list[Any]:
    rest = len(rows.peers) - 1
    return [start / rest if rest else 0.0 for start, _ in rows.peers]


def _cume_dist(rows: WindowRows) -> list[Any]:
    return [end / len(rows.peers) for _, end in rows.peers]


def _ntile(rows: WindowRows) -> list[Any]:
    """Takes the number of buckets from the first row with a number; rows before have no bucket. If rows don't divide
    evenly, each of the first buckets has one more row.
    """
    count = len(rows.arguments)
    first = next((at for at, (number,) in enumerate(rows.arguments) if number is not None), count)
    if first == count:
        return [None] * count
    (buckets,) = rows.arguments[first]
    if buckets <= 0:
        message = "argument of ntile must be greater than zero"
        raise SqlError(Sqlstate.INVALID_ARGUMENT_FOR_NTILE_FUNCTION, message)
    size, larger = divmod(count, buckets)
    reached = larger * (size + 1)
    places = (
        at // (size + 1) + 1 if at < reached else larger + (at - reached) // size + 1 for at in range(count - first)
    )
    return [None] * first + list(places)


def _neighbor(sign: int) -> Callable[[WindowRows], list[Any]]:
    """Returns the value of the row so many places away (1 unless told), else the default."""

    def evaluate(rows: WindowRows) -> list[Any]:
        values: list[Any] = []
        for at, (_, *options) in enumerate(rows.arguments):
            distance = options[0] if options else 1
            if distance is None:
                values.append(None)
                continue
            place = at + sign * distance
            if 0 <= place < len(rows.arguments):
                values.append(rows.arguments[place][0])
            else:
                values.append(options[1] if len(options) == 2 else None)
        return values

    return evaluate


def _first_value(rows: WindowRows) -> list[Any]:
    return [rows.arguments[frame[0][0]][0] if frame else None for frame in rows.frames]


def _last_value(rows: WindowRows) -> list[Any]:
    return [rows.arguments[frame[-1][1] - 1][0] if frame else None for frame in rows.frames]


def _nth_value(rows: WindowRows) -> list[Any]:
    values: list[Any] = []
    for (_, number), frame in zip(rows.arguments, rows.frames, strict=True):
        if number is not None and number <= 0:
            message = "argument of nth_value must be greater than zero"
            raise SqlError(Sqlstate.INVALID_ARGUMENT_FOR_NTH_VALUE_FUNCTION, message)
        place = None if number is None else _nth(frame, number)
        values.append(None if place is None else rows.arguments[place][0])
    return values


def _nth(frame: tuple[Span, ...], number: int) -> int | None:
    for start, end in frame:
        if number <= end - start:
            return start + number - 1
        number -= end - start
    return None


def _row(
    name: str,
    arguments: tuple[ScalarType, ...],
    result: ResultType,
    evaluate: Callable[[WindowRows], list[Any]],
) -> WindowFunction:
    return WindowFunction(key_of(name, arguments), name, arguments, result, evaluate)


WINDOW_FUNCTIONS: tuple[WindowFunction, ...] = (
    _row("row_number", (), INT8, _row_number),
    _row("rank", (), INT8, _rank),
    _row("dense_rank", (), INT8, _dense_rank),
    _row("percent_rank", (), FLOAT8, _percent_rank),
    _row("cume_dist", (), FLOAT8, _cume_dist),
    _row("ntile", (INT4,), INT4, _ntile),
    *(
        _row(name, arguments, first_type, _neighbor(sign))
        for name, sign in (("lag", -1), ("lead", 1))
        for arguments in ((ANYELEMENT,), (ANYELEMENT, INT4), (ANYCOMPATIBLE, INT4, ANYCOMPATIBLE))
    ),
    _row("first_value", (ANYELEMENT,), first_type, _first_value),
    _row("last_value", (ANYELEMENT,), first_type, _last_value),
    _row("nth_value", (ANYELEMENT, INT4), first_type, _nth_value),
)
