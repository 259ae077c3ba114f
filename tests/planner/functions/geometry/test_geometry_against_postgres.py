"""Points, boxes, segments and circles drawn at random are read, written and computed with as by PostgreSQL, and refused
with its errors: texts of every form, and each function, operator and cast that has one of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import psycopg

from model.errors.sql_error import SqlError
from model.text.dispatch import format_datum, parse_datum
from model.types.scalar_type import BOX, CIRCLE, FLOAT8, LSEG, POINT, ScalarType
from planner.functions.geometry import box_rows, circle_rows, point_rows, segment_rows
from planner.functions.signature import Function
from tests.judge import run_judge

_SHAPES = (POINT, BOX, LSEG, CIRCLE)
_FAMILIES = (point_rows, box_rows, segment_rows, circle_rows)
_ROWS: list[Function] = [
    row
    for family in _FAMILIES
    for row in (*family.FUNCTIONS, *(cast.function for cast in family.CASTS))
    if row.form in ("function", "operator", "cast")
]
_DRAWN = 8_000
_NUMBERS = (
    *("0", "1", "2", "3", "-1", "-2", "0.5", "-0.5", "1.0000005", "0.9999995", "1e-7", "-0", "4", "5", "10"),
    *("1e300", "-1e300", "1e-300", "NaN", "Infinity", "-Infinity", "123.456", "-77.25", "1e10"),
)
_COMMON = _NUMBERS[:15]
_PIECES = ("(", ")", "[", "]", "<", ">", ",", " ", "1", "-2.5", "3e2", "nan", "inf", "1e400", "0x1p3", "x", "")


class _Draw:
    """Texts from one seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self) -> str:
        return self._random.choice(_COMMON if self._random.randrange(8) else _NUMBERS)

    def row(self) -> Function:
        return self._random.choice(_ROWS)

    def shape(self) -> ScalarType:
        return self._random.choice(_SHAPES)

    def text(self, type_: ScalarType) -> str:
        """Returns a text that is a value of a type; the radius of a circle is not negative."""
        if type_ == FLOAT8:
            return self.number()
        x, y, u, v = (self.number() for _ in range(4))
        if self._random.randrange(6) == 0:
            u = x
        if self._random.randrange(6) == 0:
            v = y
        if type_ == POINT:
            return f"({x},{y})"
        return f"<({x},{y}),{u.lstrip('-')}>" if type_ == CIRCLE else f"[({x},{y}),({u},{v})]".strip("[]")

    def odd_text(self, type_: ScalarType) -> str:
        """Returns a text that may be wrong."""
        pieces = list(self.text(type_)) if self._random.randrange(3) else []
        for _ in range(self._random.randrange(1, 4) if pieces else self._random.randrange(1, 9)):
            at = self._random.randrange(len(pieces) + 1)
            pieces[at : at + self._random.randrange(2)] = [self._random.choice(_PIECES)]
        return "".join(pieces)


def _written(row: Function) -> str:
    """Returns a call in SQL, with a place for each argument."""
    places = [f"%s::{type_}" for type_ in row.arguments]
    if row.form == "cast":
        return f"{places[0]}::{row.result}"
    if row.form == "operator":
        return f"{row.name} {places[0]}" if len(places) == 1 else f"{places[0]} {row.name} {places[1]}"
    return f"{row.name}({', '.join(places)})"


def _called(row: Function, texts: tuple[str, ...]) -> str | None:
    arguments = [parse_datum(text, type_) for text, type_ in zip(texts, row.arguments, strict=True)]
    answer = row.evaluate(*arguments)
    assert isinstance(row.result, ScalarType)
    if isinstance(answer, bool):
        return str(answer).lower()
    return None if answer is None else format_datum(answer, row.result)


def _answer(compute: partial[str | None]) -> object:
    try:
        return compute()
    except SqlError as error:
        return error.sqlstate.value, error.message


def _asked(connection: psycopg.Connection[tuple[object, ...]], sql: str, texts: tuple[str, ...]) -> object:
    try:
        row = connection.execute(sql.encode(), texts).fetchone()
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary
    assert row is not None
    return row[0]


def _cases(draw: _Draw) -> Iterator[tuple[str, tuple[str, ...], partial[str | None]]]:
    while True:
        row = draw.row()
        texts = tuple(draw.text(type_) for type_ in row.arguments)
        yield f"SELECT ({_written(row)})::text", texts, partial(_called, row, texts)
        type_ = draw.shape()
        text = draw.odd_text(type_)
        yield f"SELECT %s::{type_}::text", (text,), partial(_read, text, type_)


def _read(text: str, type_: ScalarType) -> str | None:
    return format_datum(parse_datum(text, type_), type_)


def test_shapes_are_computed_with_as_by_postgres() -> None:
    cases = _cases(_Draw(1))
    different: list[tuple[object, ...]] = []
    with run_judge() as judge, judge.connect() as connection:
        for _ in range(_DRAWN):
            sql, texts, compute = next(cases)
            theirs, ours = _asked(connection, sql, texts), _answer(compute)
            if theirs != ours:
                different.append((sql, texts, theirs, ours))
    assert not different, "\n".join(map(str, different[:40])) + f"\n{len(different)}"
