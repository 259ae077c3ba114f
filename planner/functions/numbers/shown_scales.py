"""Tells with how many decimals a numeric result is shown, where PostgreSQL's rules say so for all rows alike.

PostgreSQL keeps the number of decimals with each value: `1.50 * 2.0` is `3.000`, `sum()` of a numeric(10,2) has two
decimals. Sums, products and the like get theirs from their operands, so they are known when a statement is planned, and
the result's type tells them (`shown_numeric`). Quotients, means, roots and logarithms choose theirs by the values:
there is no rule for these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from model.types.decimals_columns import decimals_columns, told_decimals
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import INT4, NUMERIC, WIDE, ScalarType, TypeName, shown_numeric, shown_scale
from planner.functions.time.date_units import unit_named
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, Map, Project, Relation
from planner.ir.scalar import Call, Column, Literal, Scalar, scalar_type
from planner.ir.visit import parts_of, scalars_of, walk_relation

_SCALE = "scale_numeric"

Rule = Callable[[Sequence[Scalar]], int | None]


def with_shown_scale(key: str, arguments: Sequence[Scalar], result: ScalarType) -> ScalarType:
    """Returns the type of a function's result, which tells how many decimals are shown where a rule is known.

    `with_shown_scale("multiply_numeric_numeric", [1.50, 2.0], NUMERIC)` is a numeric shown with three decimals.
    """
    if result.name is TypeName.WIDE and {scalar_type(argument) for argument in arguments} - {result}:
        # Of greatest, lag and the like the result is any of the arguments, of which each shows decimals of its own.
        return result if key.startswith("modify") else WIDE
    if result.name is not TypeName.NUMERIC or result.domain is not None:
        return result
    rule = _RULES.get(key)
    if rule is not None:
        scale = rule(arguments)
    else:
        # Of greatest, lag and the like the result is any of the arguments.
        numbers = [argument for argument in arguments if scalar_type(argument).name is TypeName.NUMERIC]
        if result.modifier == -1 or len({scalar_type(number).modifier for number in numbers}) < 2:
            return result
        scale = common_shown_scale(numbers)
    return NUMERIC if scale is None else shown_numeric(scale)


def decimals_of_value(scalar: Scalar) -> Scalar:
    """Returns the expression for the number of decimals with which a numeric value is shown."""
    return Call(_SCALE, (scalar,), INT4)


def with_stored_decimals(relation: Relation, stored: RelationDesc) -> Relation:
    """Returns a view's relation with the columns that the view stores: the decimals of its numerics, too."""
    told = decimals_columns(stored.columns)
    if not told:
        return relation
    types = relation_desc_of(relation).types
    hidden = {place: at for at, place in told}
    layout = [at for at in range(stored.arity) if at not in hidden]
    # The relation may have more columns than the view: what was added beneath since is no part of it.
    own = {at: number for number, at in enumerate(layout)}
    columns = [Column(own[at], types[own[at]]) for at, _ in told]
    decimals = tuple(
        decimals_of_value(each) if each.type.name is TypeName.NUMERIC else Literal(None, INT4) for each in columns
    )
    behind = iter(range(len(types), len(types) + len(decimals)))
    mapped = Map(relation, decimals, tuple(stored.columns[place].name for _, place in told))
    return Project(mapped, tuple(next(behind) if at in hidden else own[at] for at in range(stored.arity)))


def asks_decimals(relation: Relation) -> bool:
    """Tells whether a plan asks for such a number, as it does of rows that are to be stored."""
    return any(
        isinstance(part, Call) and part.function == _SCALE
        for node in walk_relation(relation)
        for scalar in scalars_of(node)
        for part in parts_of(scalar)
    )


def reads_decimals(relation: Relation) -> bool:
    """Tells whether a plan reads a table that stores the decimals of numerics."""
    return any(isinstance(node, Get) and told_decimals(node.desc.columns) for node in walk_relation(relation))


def common_shown_scale(scalars: Sequence[Scalar]) -> int | None:
    """Returns the scale with which CASE, COALESCE and the like show their values: the scale of all branches, leaving
    NULLs out, or None when the branches have different scales."""
    told = {
        shown_scale(scalar_type(scalar))
        for scalar in scalars
        if not (isinstance(scalar, Literal) and scalar.value is None)
    }
    return told.pop() if len(told) == 1 else None


def _scale_of(scalar: Scalar) -> int | None:
    type_ = scalar_type(scalar)
    return shown_scale(type_) if type_.name is TypeName.NUMERIC else None


def _same(arguments: Sequence[Scalar]) -> int | None:
    return _scale_of(arguments[0])


def _greatest(arguments: Sequence[Scalar]) -> int | None:
    left, right = map(_scale_of, arguments)
    return None if left is None or right is None else max(left, right)


def _added(arguments: Sequence[Scalar]) -> int | None:
    left, right = map(_scale_of, arguments)
    return None if left is None or right is None else left + right


def _none(arguments: Sequence[Scalar]) -> int | None:
    return 0


def _asked(arguments: Sequence[Scalar]) -> int | None:
    digits = arguments[1]
    return max(digits.value, 0) if isinstance(digits, Literal) and isinstance(digits.value, int) else None


_MICROSECONDS, _MILLISECONDS = 6, 3
_DATE = "date"


def _of_unit(of: str) -> Rule:
    """Returns the decimals of extract(unit FROM …): seconds and smaller units have decimals, except those of a date."""

    def rule(arguments: Sequence[Scalar]) -> int | None:
        unit = arguments[0]
        name = unit_named(unit.value) if isinstance(unit, Literal) and isinstance(unit.value, str) else None
        match name:
            case None | "julian":
                return None
            case "epoch":
                return 0 if of == _DATE else _MICROSECONDS
            case "second":
                return _MICROSECONDS
            case "milliseconds":
                return _MILLISECONDS
            case _:
                return 0

    return rule


_RULES: dict[str, Rule] = {
    **{f"{word}_numeric_numeric": _greatest for word in ("add", "subtract", "modulo", "mod", "gcd", "lcm")},
    "multiply_numeric_numeric": _added,
    "div_numeric_numeric": _none,
    **{f"{word}_numeric": _same for word in ("negate", "plus", "absolute", "abs", "sum")},
    **{f"{word}_numeric": _none for word in ("sign", "ceil", "ceiling", "floor", "round", "trunc")},
    **{f"{word}_numeric_int4": _asked for word in ("round", "trunc")},
    "factorial_int8": _none,
    **{f"sum_{of}": _none for of in ("int8", "uint8")},
    **{f"cast_{of}_numeric": _none for of in ("int2", "int4", "int8", "uint2", "uint4", "uint8", "mz_timestamp")},
    **{f"extract_text_{of}": _of_unit(of) for of in (_DATE, "time", "timetz", "timestamp", "timestamptz", "interval")},
}
