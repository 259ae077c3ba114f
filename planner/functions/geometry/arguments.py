"""Functions of numbers as functions of held shapes; and the rows that several kinds of shapes have alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.geometry import Numbers, held_shape, numbers_of_shape
from model.types.scalar_type import BOOL, FLOAT8, INT4, POINT, ScalarType
from planner.functions.rows import syntax
from planner.functions.signature import Function


def asked(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of shapes that answers with a number or a truth."""
    return lambda *shapes: compute(*map(numbers_of_shape, shapes))


def made(compute: Callable[..., Numbers | None]) -> Callable[..., bytes | None]:
    """Returns a function of shapes that answers with a shape, or NULL."""

    def evaluate(*shapes: bytes) -> bytes | None:
        numbers = compute(*map(numbers_of_shape, shapes))
        return None if numbers is None else held_shape(*numbers)

    return evaluate


def distinctions(type_: ScalarType, equal: Callable[[bytes, bytes], bool]) -> tuple[Function, Function]:
    """Returns IS DISTINCT FROM and its contrary, by what `=` is."""

    def distinct(left: bytes | None, right: bytes | None) -> bool:
        return left is not right if left is None or right is None else not equal(left, right)

    return (
        syntax("distinct", (type_, type_), BOOL, distinct, strict=False, fallible=True),
        syntax(
            "not_distinct",
            (type_, type_),
            BOOL,
            lambda left, right: not distinct(left, right),
            strict=False,
            fallible=True,
        ),
    )


def parts(type_: ScalarType, part: ScalarType) -> tuple[Function, Function]:
    """Returns the rows of subscripts, from 0 on, of shapes that are made of parts of one type: a part, NULL for none,
    and the shape with another part."""
    size = len(held_shape(0.0)) if part == FLOAT8 else len(held_shape(0.0, 0.0))

    def at(held: bytes, place: int) -> Any:
        found = held[place * size : (place + 1) * size] if place >= 0 else b""
        return (found if part == POINT else numbers_of_shape(found)[0]) if found else None

    def with_part(held: bytes | None, new: Any, place: int | None) -> bytes | None:
        if place is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "array subscript in assignment must not be null")
        if held is None or new is None:
            return held
        if not 0 <= place < len(held) // size:
            raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "array subscript out of range")
        return held[: place * size] + (new if part == POINT else held_shape(new)) + held[(place + 1) * size :]

    return (
        syntax("part", (type_, INT4), part, at),
        syntax("with_part", (type_, part, INT4), type_, with_part, strict=False, fallible=True),
    )
