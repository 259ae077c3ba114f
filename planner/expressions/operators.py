"""Operators: a op b, AND/OR/NOT, IN, BETWEEN, LIKE, IS …, ANY/ALL over arrays, row comparisons."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import fits_decimal
from model.types.scalar_type import BOOL, NUMERIC, UNKNOWN, WIDE, ScalarType, TypeName, array_of, has_own_decimals
from planner.expressions.calls import call_operator, call_syntax
from planner.expressions.comparisons import compare, compare_rows
from planner.expressions.planner import Expressions, handles
from planner.expressions.rows import row_fields
from planner.expressions.subqueries import compare_with_row
from planner.functions.casts.compared import compared, compares_times
from planner.functions.signature import CastContext
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Literal,
    Or,
    Parameter,
    QuantifiedArray,
    Quantifier,
    RowOf,
    Scalar,
    scalar_type,
)
from planner.scope.names import location_of, strings
from planner.types.coercion import can_coerce, coerce, known, to_common_type, vector_as_array

_OPERATOR_SCHEMAS = ("pg_catalog",)


@handles("a_expr")
def plan_operator(expressions: Expressions, node: Any) -> Scalar:
    match node.kind:
        case tree.AEXPR_OP:
            return _plain(expressions, node)
        case tree.AEXPR_OP_ANY | tree.AEXPR_OP_ALL:
            return _over_array(expressions, node)
        case tree.AEXPR_DISTINCT | tree.AEXPR_NOT_DISTINCT:
            return _distinct(expressions, node)
        case tree.AEXPR_NULLIF:
            return _nullif(expressions, node)
        case tree.AEXPR_IN:
            return _in_list(expressions, node)
        case tree.AEXPR_LIKE | tree.AEXPR_ILIKE | tree.AEXPR_SIMILAR:
            return _binary(expressions, node, operator_name(expressions, node))
        case tree.AEXPR_BETWEEN | tree.AEXPR_NOT_BETWEEN | tree.AEXPR_BETWEEN_SYM | tree.AEXPR_NOT_BETWEEN_SYM:
            return _between(expressions, node)
        case _:
            raise expressions.analysis.unsupported("this operator", node.location)


def operator_name(expressions: Expressions, node: Any) -> str:
    """Returns the symbol; `!=` is `<>` to PostgreSQL's scanner already."""
    parts = strings(node.name)
    if len(parts) > 1 and parts[-2] not in _OPERATOR_SCHEMAS:
        message = f"operator does not exist: {'.'.join(parts)}"
        raise expressions.analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, node.location)
    return "<>" if parts[-1] == "!=" else parts[-1]


def _plain(expressions: Expressions, node: Any) -> Scalar:
    symbol = operator_name(expressions, node)
    if not node.HasField("lexpr"):
        return _prefix(expressions, node, symbol)
    if node.lexpr.WhichOneof("node") == "row_expr":
        left = row_fields(expressions, node.lexpr.row_expr)
        if node.rexpr.WhichOneof("node") == "row_expr":
            right = row_fields(expressions, node.rexpr.row_expr)
            return compare_rows(expressions, symbol, left, right, node.location)
        if node.rexpr.sub_link.sub_link_type == tree.EXPR_SUBLINK:
            return compare_with_row(expressions, symbol, left, node.rexpr.sub_link, node.location)
    return _binary(expressions, node, symbol)


def _prefix(expressions: Expressions, node: Any, symbol: str) -> Scalar:
    operand = expressions.plan(node.rexpr)
    place = location_of(node.rexpr)
    return call_operator(expressions.analysis, symbol, [operand], node.location, [place])


def _binary(expressions: Expressions, node: Any, symbol: str) -> Scalar:
    left, right = expressions.plan(node.lexpr), expressions.plan(node.rexpr)
    places = [_place(node.lexpr, left), _place(node.rexpr, right)]
    return call_operator(expressions.analysis, symbol, [left, right], node.location, places)


def _place(node: Any, operand: Scalar) -> int:
    """Returns an operand's location, for errors; -1 for a call, because finding it would walk down the whole chain
    at each operator."""
    return -1 if isinstance(operand, Call) else location_of(node)


def negate(expressions: Expressions, value: Scalar, location: int = -1) -> Scalar:
    """Negates: NOT value."""
    return call_syntax(expressions.analysis, "not", [value], location)


@handles("bool_expr")
def plan_boolean(expressions: Expressions, node: Any) -> Scalar:
    word = {tree.AND_EXPR: "AND", tree.OR_EXPR: "OR", tree.NOT_EXPR: "NOT"}[node.boolop]
    operands = tuple(expressions.plan_boolean(item, word) for item in node.args)
    if node.boolop == tree.NOT_EXPR:
        return negate(expressions, operands[0], node.location)
    return And(operands) if node.boolop == tree.AND_EXPR else Or(operands)


@handles("null_test")
def plan_null_test(expressions: Expressions, node: Any) -> Scalar:
    value = expressions.plan_known(node.arg)
    if isinstance(value, RowOf):
        present = node.nulltesttype == tree.IS_NOT_NULL
        return And(tuple(_beside_null(expressions, field, present, node.location) for field in value.fields))
    word = "is_null" if node.nulltesttype == tree.IS_NULL else "is_not_null"
    return call_syntax(expressions.analysis, word, [value], node.location)


@handles("boolean_test")
def plan_boolean_test(expressions: Expressions, node: Any) -> Scalar:
    word = {
        tree.IS_TRUE: "is_true",
        tree.IS_NOT_TRUE: "is_not_true",
        tree.IS_FALSE: "is_false",
        tree.IS_NOT_FALSE: "is_not_false",
        tree.IS_UNKNOWN: "is_unknown",
        tree.IS_NOT_UNKNOWN: "is_not_unknown",
    }[node.booltesttype]
    what = word.upper().replace("_", " ")
    return call_syntax(expressions.analysis, word, [expressions.plan_boolean(node.arg, what)], node.location)


def _distinct(expressions: Expressions, node: Any) -> Scalar:
    analysis = expressions.analysis
    left, right = _row_or_value(expressions, node.lexpr), _row_or_value(expressions, node.rexpr)
    wants_distinct = node.kind == tree.AEXPR_DISTINCT
    if isinstance(left, RowOf) and isinstance(right, RowOf):
        if len(left.fields) != len(right.fields):
            message = "unequal number of entries in row expressions"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.location)
        pairs = tuple(
            _distinct_pair(expressions, a, b, wants_distinct, node.location)
            for a, b in zip(left.fields, right.fields, strict=True)
        )
        return Or(pairs) if wants_distinct else And(pairs)
    return _distinct_pair(expressions, left, right, wants_distinct, node.location)


def _distinct_pair(expressions: Expressions, left: Scalar, right: Scalar, distinct: bool, location: int) -> Scalar:
    """Pairs the operands of IS DISTINCT FROM: the operator = decides the types, except beside a NULL."""
    analysis = expressions.analysis
    for value, other in ((left, right), (right, left)):
        if isinstance(value, Literal) and value.value is None:
            return _beside_null(expressions, known(analysis, other), distinct, location)
    equality = call_operator(analysis, "=", [left, right], location, [location, location])
    word = "distinct" if distinct else "not_distinct"
    return call_syntax(analysis, word, list(equality.arguments[:2]), location)


def _beside_null(expressions: Expressions, value: Scalar, distinct: bool, location: int) -> Scalar:
    """Plans IS [NOT] DISTINCT FROM NULL: a row of NULLs is a value there, unlike for IS NULL."""
    type_ = scalar_type(value)
    if type_.name is not TypeName.RECORD:
        return call_syntax(expressions.analysis, "is_not_null" if distinct else "is_null", [value], location)
    word = "distinct" if distinct else "not_distinct"
    return call_syntax(expressions.analysis, word, [value, Literal(None, type_)], location)


def _nullif(expressions: Expressions, node: Any) -> Scalar:
    """Plans NULLIF: NULL when the operands are equal, else the first operand, in the type in which it is compared."""
    analysis = expressions.analysis
    left, right = expressions.plan(node.lexpr), expressions.plan(node.rexpr)
    places = [location_of(node.lexpr), location_of(node.rexpr)]
    equality = call_operator(analysis, "=", [left, right], node.location, places)
    value = equality.arguments[0]
    if compares_times(equality.function) and scalar_type(left) != UNKNOWN:
        # Casts for the comparison alone end here: the value is as it was given.
        value = left
    type_ = scalar_type(value)
    return Case(((equality, Literal(None, type_)),), value, type_)


def _in_list(expressions: Expressions, node: Any) -> Scalar:
    analysis = expressions.analysis
    negated = strings(node.name)[-1] == "<>"
    left = _row_or_value(expressions, node.lexpr)
    items = [_row_or_value(expressions, item) for item in node.rexpr.list.items]
    places = [location_of(item) for item in node.rexpr.list.items]
    result = _equals_any(expressions, left, items, [location_of(node.lexpr), *places], node.location)
    if not negated:
        return result
    return call_syntax(analysis, "not", [result], node.location)


def _row_or_value(expressions: Expressions, node: Any) -> Scalar:
    """Returns an operand; a row's fields keep unknown types, since what they are compared with decides them."""
    if node.WhichOneof("node") != "row_expr":
        return expressions.plan(node)
    fields = tuple(row_fields(expressions, node.row_expr))
    types = tuple((f"f{at}", scalar_type(field)) for at, field in enumerate(fields, start=1))
    return RowOf(fields, ScalarType(TypeName.RECORD, fields=types))


def _equals_any(
    expressions: Expressions, left: Scalar, items: list[Scalar], places: list[int], location: int
) -> Scalar:
    constants = [item for item in items if isinstance(item, Literal | Parameter)]
    if len(constants) < 2 or len(constants) != len(items) or isinstance(left, RowOf):
        return _equals_one(expressions, left, items, location)
    analysis = expressions.analysis
    try:
        common, _ = to_common_type(analysis, [left, *items], "IN", places)
    except SqlError as error:
        if error.sqlstate not in (Sqlstate.CANNOT_COERCE, Sqlstate.DATATYPE_MISMATCH):
            raise
        return _equals_one(expressions, left, items, location)
    sample = call_operator(analysis, "=", [common[0], common[1]], location, places[:2])
    element = scalar_type(sample.arguments[1]).plain()
    cast = [coerce(analysis, item, element) for item in common[1:]]
    elements = tuple(item for item in cast if item is not None)
    assert len(elements) == len(items), "the operator's type takes all items"
    array = ArrayOf(elements, array_of(element))
    return QuantifiedArray(Quantifier.ANY, sample.function, compared(sample.arguments[0], left), array)


def _equals_one(expressions: Expressions, left: Scalar, items: list[Scalar], location: int) -> Scalar:
    """Plans each comparison of IN by itself: their types need not have one in common."""
    pairs = tuple(compare(expressions, "=", left, item, location) for item in items)
    return pairs[0] if len(pairs) == 1 else Or(pairs)


def _over_array(expressions: Expressions, node: Any) -> Scalar:
    """Plans `left op ANY (array)`."""
    analysis = expressions.analysis
    symbol = operator_name(expressions, node)
    left, array = expressions.plan(node.lexpr), expressions.plan(node.rexpr)
    array_type = scalar_type(array)
    place = location_of(node.rexpr)
    if array_type == UNKNOWN:
        guess = scalar_type(known(analysis, left)).plain()
        cast = coerce(analysis, array, array_of(guess), CastContext.IMPLICIT, place)
        assert cast is not None, "anything unknown can be an array"
        array, array_type = cast, scalar_type(cast)
    if array_type.member is not None and can_coerce(array_type, array_of(array_type.member), CastContext.EXPLICIT):
        cast = coerce(analysis, array, array_of(array_type.member), CastContext.EXPLICIT, place)
        assert cast is not None, "a list can be an array of its items"
        array, array_type = cast, scalar_type(cast)
    if has_own_decimals(scalar_type(left)) and (decimals := _decimals_of(array)) is not None:
        array, array_type = decimals, scalar_type(decimals)
    as_array = vector_as_array(array_type)
    if as_array is None or as_array.element is None:
        message = "op ANY/ALL (array) requires array on right side"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    element: Scalar = Literal(None, as_array.element.plain())
    sample = call_operator(analysis, symbol, [left, element], node.location, [location_of(node.lexpr), place])
    if sample.type != BOOL:
        message = "op ANY/ALL (array) requires operator to yield boolean"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    wanted = array_of(scalar_type(sample.arguments[1]).plain())
    if wanted.element != as_array.element.plain():
        converted = coerce(analysis, array, wanted, CastContext.IMPLICIT, place)
        if converted is None:
            message = f"could not convert type {array_type} to {wanted}"
            raise analysis.error(Sqlstate.CANNOT_COERCE, message, place)
        array = compared(converted, array) if compares_times(sample.function) else converted
    quantifier = Quantifier.ANY if node.kind == tree.AEXPR_OP_ANY else Quantifier.ALL
    return QuantifiedArray(quantifier, sample.function, sample.arguments[0], array)


def _decimals_of(array: Scalar) -> Scalar | None:
    """Returns ARRAY[…] of decimals in place of wide numerics, which compares with a decimal without being read; None
    where some element is none."""
    if not isinstance(array, ArrayOf) or scalar_type(array) != array_of(WIDE):
        return None
    elements: list[Scalar] = []
    for element in array.elements:
        match element:
            case Call(function="cast_numeric_wide", arguments=(decimal,)):
                elements.append(decimal)
            case Literal(value=None):
                elements.append(Literal(None, NUMERIC))
            case Literal(value=Decimal() as value) if fits_decimal(value):
                elements.append(Literal(value, NUMERIC))
            case _:
                return None
    return ArrayOf(tuple(elements), array_of(NUMERIC))


def _between(expressions: Expressions, node: Any) -> Scalar:
    value = expressions.plan(node.lexpr)
    low, high = (expressions.plan(item) for item in node.rexpr.list.items)

    def within(first: Scalar, last: Scalar) -> Scalar:
        return And(
            (
                compare(expressions, ">=", value, first, node.location),
                compare(expressions, "<=", value, last, node.location),
            )
        )

    def outside(first: Scalar, last: Scalar) -> Scalar:
        return Or(
            (
                compare(expressions, "<", value, first, node.location),
                compare(expressions, ">", value, last, node.location),
            )
        )

    match node.kind:
        case tree.AEXPR_BETWEEN:
            return within(low, high)
        case tree.AEXPR_NOT_BETWEEN:
            return outside(low, high)
        case tree.AEXPR_BETWEEN_SYM:
            return Or((within(low, high), within(high, low)))
        case _:
            return And((outside(low, high), outside(high, low)))
