"""Expressions over numerics whose decimals stand in columns of their own.

    n::text    over n at 0, its decimals at 3    →    shown_as(n, column 3)::text

Only what reads decimals is changed: comparisons, casts to other numbers and the like see the plain column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

from model.types.scalar_type import INT4, has_own_decimals
from planner.functions.numbers.decimals import decimals_if_finite
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.ir.relation import Relation
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Literal,
    Or,
    OuterColumn,
    QuantifiedArray,
    RowOf,
    Scalar,
    scalar_type,
)
from planner.ir.visit import parts_of, scalars_of, walk_relation

SHOWN_AS = "shown_as_numeric_int4"
_HANDED_ON = frozenset(
    (
        *(f"{word}_numeric_numeric" for word in ("add", "subtract", "multiply", "modulo", "mod", "gcd", "lcm")),
        *(f"{word}_numeric" for word in ("negate", "plus", "absolute", "abs")),
    )
)
"""Functions whose value hangs on their arguments' values alone, and whose decimals on the arguments'."""
_COMPARING = ("eq_", "ne_", "lt_", "le_", "gt_", "ge_", "distinct_", "not_distinct_", "is_")
_BLIND = frozenset(
    (
        *(
            f"{word}_numeric"
            for word in ("sign", "ceil", "ceiling", "floor", "round", "trunc", "trim_scale", "min_scale")
        ),
        *(f"{word}_numeric_int4" for word in ("round", "trunc")),
        *(f"cast_numeric_{of}" for of in ("int2", "int4", "int8", "float4", "float8", "bool")),
        "div_numeric_numeric",
    )
)
"""Functions whose result is the same whatever decimals their arguments show."""

Places = Mapping[int, int]
"""The positions of columns, and of the columns that tell their decimals."""


def shown_as(value: Scalar, decimals: Scalar) -> Scalar:
    """Returns a numeric that is shown with so many decimals."""
    return Call(SHOWN_AS, (value, decimals), scalar_type(value))


def decimals_read(scalars: Iterable[Scalar], asked: bool = False) -> set[int]:
    """Returns the columns whose decimals expressions read; with `asked`, somebody reads those of their values."""
    columns = (column for scalar in scalars for column in decimals_read_of(scalar, asked))
    return {column.index for column in columns if isinstance(column, Column)}


def decimals_read_of(scalar: Scalar, asked: bool) -> list[Column | OuterColumn]:
    """Returns what of the own row and of rows outside an expression reads the decimals of, without its subqueries."""
    found: list[Column | OuterColumn] = []

    def note(column: Column | OuterColumn) -> Scalar:
        found.append(column)
        return column

    _rewritten(scalar, asked, note)
    return found


def shows_decimals(relation: Relation) -> bool:
    """Tells whether an expression of the plan shows how many decimals a numeric has. A quotient shows them only in its
    last digits, where a table stores them."""
    return any(
        isinstance(part, Call)
        and not part.function.startswith("divide_")
        and _reads(part, False)
        and any(has_own_decimals(scalar_type(argument)) for argument in part.arguments)
        for node in walk_relation(relation)
        for scalar in scalars_of(node)
        for part in parts_of(scalar)
    )


def telling(scalar: Scalar, places: Places, asked: bool = False) -> Scalar:
    """Returns the expression over a row in which `places` tell the decimals of columns."""

    def place(column: Column | OuterColumn) -> Scalar:
        assert isinstance(column, Column), "rows outside are joined before"
        at = places.get(column.index)
        return column if at is None else shown_as(column, Column(at, INT4))

    return _rewritten(scalar, asked, place) if places else scalar


def decimals_told(scalar: Scalar, places: Places) -> Scalar:
    """Returns the expression for the decimals of an expression's value."""
    if isinstance(scalar, Column) and scalar.index in places:
        return Column(places[scalar.index], INT4)
    if isinstance(scalar, Literal) and isinstance(scalar.value, Decimal):
        return Literal(decimals_if_finite(scalar.value), INT4)
    return decimals_of_value(telling(scalar, places, asked=True))


def _rewritten(scalar: Scalar, asked: bool, place: Callable[[Column | OuterColumn], Scalar]) -> Scalar:
    def within(operands: Iterable[Scalar], asked: bool) -> tuple[Scalar, ...]:
        return tuple(_rewritten(operand, asked, place) for operand in operands)

    match scalar:
        case Column() | OuterColumn():
            return place(scalar) if asked and has_own_decimals(scalar.type) else scalar
        case Call():
            return Call(scalar.function, within(scalar.arguments, _reads(scalar, asked)), scalar.type)
        case And():
            return And(within(scalar.operands, False))
        case Or():
            return Or(within(scalar.operands, False))
        case Case():
            branches = tuple(
                (_rewritten(condition, False, place), _rewritten(value, asked, place))
                for condition, value in scalar.branches
            )
            return Case(branches, _rewritten(scalar.otherwise, asked, place), scalar.type)
        case Coalesce():
            return Coalesce(within(scalar.operands, asked), scalar.type)
        case ArrayOf():
            return ArrayOf(within(scalar.elements, asked), scalar.type)
        case RowOf():
            return RowOf(within(scalar.fields, asked), scalar.type)
        case QuantifiedArray():
            left, array = within((scalar.left, scalar.array), False)
            return QuantifiedArray(scalar.quantifier, scalar.comparison, left, array)
        case _:
            return scalar


def _reads(call: Call, asked: bool) -> bool:
    """Tells whether a call reads the decimals of its arguments."""
    if call.function in _HANDED_ON:
        return asked
    return not (call.function in _BLIND or call.function.startswith((*_COMPARING, "modify_numeric")))
