"""Whether conditions over a row imply another, in the simple cases that PostgreSQL proves: WHERE of ON CONFLICT means
the partial indexes about all rows for which its condition is true.

    a = 5 AND b > 3        implies        b IS NOT NULL, b > 2 OR c, a <> 7
"""

from __future__ import annotations

from collections.abc import Sequence

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum
from model.types.scalar_type import BOOL, TypeName
from planner.functions.registry import FUNCTIONS
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Literal,
    Or,
    Parameter,
    QuantifiedArray,
    Quantifier,
    Scalar,
    scalar_type,
)
from planner.ir.unit import conjuncts
from planner.ir.visit import operands_of, rewrite_scalar
from planner.plans.constraints import OnConflict, TableRules
from planner.rules.fold_constants import fold

_TESTS = {
    "lt": {"lt": "le", "le": "le", "ne": "le"},
    "le": {"lt": "lt", "le": "le", "ne": "lt"},
    "eq": {"lt": "lt", "le": "le", "eq": "eq", "ge": "ge", "gt": "gt", "ne": "ne"},
    "ge": {"gt": "gt", "ge": "ge", "ne": "gt"},
    "gt": {"gt": "ge", "ge": "ge", "ne": "ge"},
    "ne": {"ne": "eq"},
}
"""Of `x OP one`, and by operator of `x OP two`, how `one` must compare with `two` for the second to follow."""
_OPPOSITE = {"lt": "ge", "le": "gt", "eq": "ne", "ge": "lt", "gt": "le", "ne": "eq"}
_TURNED = {"lt": "gt", "le": "ge", "eq": "eq", "ge": "le", "gt": "lt", "ne": "ne"}


_INTEGERS = frozenset(("int2_int2", "int4_int4", "int8_int8"))
_WIDENED = frozenset(("cast_int2_int4", "cast_int2_int8", "cast_int4_int8"))


def no_such_key() -> SqlError:
    """Returns the error for an ON CONFLICT that means no key."""
    message = "there is no unique or exclusion constraint matching the ON CONFLICT specification"
    return SqlError(Sqlstate.INVALID_COLUMN_REFERENCE, message)


def has_parameter(condition: Scalar) -> bool:
    """Tells whether a condition hangs on the statement's parameters."""
    return isinstance(condition, Parameter) or any(map(has_parameter, operands_of(condition)))


def keys_meant(conflict: OnConflict, rules: TableRules, given: Scalar) -> tuple[int, ...]:
    """Returns the positions of the keys of an ON CONFLICT whose condition, with its parameters, is `given`. Raises
    SqlError 42P10 where it means none."""
    conditions = [(at, rules.keys[at].condition) for at in conflict.likely]
    more = tuple(at for at, condition in conditions if condition is not None and implied(condition, given))
    if not conflict.keys and not more:
        raise no_such_key()
    return tuple(sorted((*conflict.keys, *more)))


def implied(wanted: Scalar, given: Scalar) -> bool:
    """Tells whether `wanted` is known to be true of rows for which `given` is. What is not proven is false."""
    return _implied(_simple(_folded(wanted)), conjuncts(_simple(_folded(given))))


def _folded(condition: Scalar) -> Scalar:
    """Returns a condition with constants computed, arrays of constants as one constant."""

    def whole(scalar: Scalar, level: int) -> Scalar | None:
        if isinstance(scalar, ArrayOf) and all(isinstance(each, Literal) for each in scalar.elements):
            values = tuple(each.value for each in scalar.elements if isinstance(each, Literal))
            if not any(isinstance(value, tuple) for value in values):
                return Literal(values, scalar_type(scalar))
        return None

    return rewrite_scalar(fold(condition), whole)


def _simple(condition: Scalar, *, negated: bool = False) -> Scalar:
    """Returns a condition of AND and OR over others, without NOT, IN and comparisons with booleans where they can be
    written so."""
    match condition:
        case And(operands) | Or(operands):
            parts = tuple(_simple(each, negated=negated) for each in operands)
            return And(parts) if isinstance(condition, And) is not negated else Or(parts)
        case Call("not_bool", (inner,)):
            return _simple(inner, negated=not negated)
        case Call("eq_bool_bool", (value, Literal(value=bool(wanted)))):
            return _simple(value, negated=negated is wanted)
        case QuantifiedArray(quantifier, comparison, left, array) if (items := _items(array)) is not None and items:
            parts = tuple(Call(comparison, (left, item), BOOL) for item in items)
            return _simple(Or(parts) if quantifier is Quantifier.ANY else And(parts), negated=negated)
        case Call() if negated:
            return _opposite(condition)
        case _:
            return Call("not_bool", (condition,), BOOL) if negated else condition


def _items(array: Scalar) -> Sequence[Scalar] | None:
    """Returns the elements of an array of constants."""
    if isinstance(array, ArrayOf):
        return array.elements
    element = scalar_type(array).element
    if isinstance(array, Literal) and isinstance(array.value, tuple) and element is not None:
        return [Literal(each, element) for each in array.value]
    return None


def _opposite(call: Call) -> Scalar:
    operator, _, types = call.function.partition("_")
    if operator in _OPPOSITE and len(call.arguments) == 2:
        return Call(f"{_OPPOSITE[operator]}_{types}", call.arguments, BOOL)
    if call.arguments and _is_row(call.arguments[0]):
        # Of a row both may be false: some fields are NULL.
        return Call("not_bool", (call,), BOOL)
    other = {"is_null_any": "is_not_null_any", "is_not_null_any": "is_null_any"}.get(call.function)
    return Call("not_bool" if other is None else other, (call,) if other is None else call.arguments, BOOL)


def _implied(wanted: Scalar, given: Sequence[Scalar]) -> bool:
    if isinstance(wanted, And):
        return all(_implied(part, given) for part in wanted.operands)
    if isinstance(wanted, Or) and any(_implied(arm, given) for arm in wanted.operands):
        return True
    return any(_follows(each, wanted) for each in given)


def _follows(given: Scalar, wanted: Scalar) -> bool:
    if given == wanted:
        return True
    if isinstance(given, Or):
        return all(_implied(wanted, conjuncts(arm)) for arm in given.operands)
    if isinstance(wanted, Call) and wanted.function == "is_not_null_any":
        return _needs(given, wanted.arguments[0])
    return _compares_so(given, wanted)


def _needs(given: Scalar, value: Scalar) -> bool:
    """Tells whether a condition can't be true where `value` is NULL."""
    if given == value:
        return True
    if not isinstance(given, Call) or _is_row(value):
        return False
    return FUNCTIONS[given.function].strict and any(_is_null_with(each, value) for each in given.arguments)


def _is_row(scalar: Scalar) -> bool:
    return scalar_type(scalar).name is TypeName.RECORD


def _is_null_with(scalar: Scalar, value: Scalar) -> bool:
    if scalar == value:
        return True
    return (
        isinstance(scalar, Call)
        and FUNCTIONS[scalar.function].strict
        and any(_is_null_with(each, value) for each in scalar.arguments)
    )


def _compares_so(given: Scalar, wanted: Scalar) -> bool:
    one, two = _comparison(given), _comparison(wanted)
    if one is None or two is None or one[:2] != two[:2]:
        return False
    (types, _, operator, left), (_, _, other, right) = one, two
    test = _TESTS[operator].get(other)
    function = None if test is None else FUNCTIONS.get(f"{test}_{types}")
    if function is None or function.session or function.needs_system or function.typed:
        return False
    return function.evaluate(left, right) is True


def _comparison(scalar: Scalar) -> tuple[str, Scalar, str, Datum] | None:
    """Returns the types that are compared, the value, the operator and the constant, on the operator's right."""
    if not isinstance(scalar, Call) or len(scalar.arguments) != 2:
        return None
    operator, _, types = scalar.function.partition("_")
    if operator not in _TURNED:
        return None
    left, right = scalar.arguments
    if isinstance(left, Literal) and not isinstance(right, Literal):
        left, right, operator = right, left, _TURNED[operator]
    if not isinstance(right, Literal) or right.value is None or isinstance(left, Literal):
        return None
    if types in _INTEGERS:
        # Integers of all sizes compare by their numbers.
        types = "int8_int8"
        if isinstance(left, Call) and left.function in _WIDENED:
            left = left.arguments[0]
    return types, left, operator, right.value
