"""Whether a plan is well typed: every column in range and of the type its reader takes it for.

A plan that isn't is a defect of the planner: AssertionError, naming the node.
"""

from __future__ import annotations

from typing import assert_never

from model.types.scalar_type import BOOL, INT8, ScalarType
from planner.functions.registry import AGGREGATES, FUNCTIONS, TABLE_FUNCTIONS, WINDOW_FUNCTIONS
from planner.ir.placeholder import Placeholder
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Exists,
    Or,
    OuterColumn,
    QuantifiedArray,
    RowOf,
    Scalar,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
    scalar_type,
)
from planner.ir.visit import operands_of

Types = tuple[ScalarType, ...]
Rows = tuple[Types, ...]
"""The types of a row, then of the rows outside it, nearest first."""


def check_query(query: Query) -> None:
    """The relation, and that the finishing yields what the desc says."""
    check_relation(query.relation)
    types = relation_desc_of(query.relation).types
    for key in query.finishing.order:
        _check_scalar(key.expression, (types,), query)
    for scalar in (query.finishing.limit, query.finishing.offset):
        if scalar is not None:
            _check_scalar(scalar, ((),), query)
    for at, column in zip(query.finishing.project, query.desc.columns, strict=True):
        _expect(_plain(types[at]) == _plain(column.type), query, f"column {at} is {types[at]}, not {column.type}")


def check_relation(relation: Relation, outer: Rows = (), bound: dict[int, Types] | None = None) -> None:
    """`outer` are the rows that OuterColumns may read; `bound` the local ids in reach, with their column types."""
    bound = bound or {}
    match relation:
        case Constant():
            for row, count in relation.rows:
                _expect(len(row) == relation.desc.arity and count > 0, relation, "a row of the wrong shape")
        case Get():
            pass
        case LocalGet():
            known = bound.get(relation.local_id)
            _expect(known is None or _all_plain(known) == _all_plain(relation.desc.types), relation, "types of a Let")
        case Let():
            check_relation(relation.value, outer, bound)
            here = {**bound, relation.local_id: relation_desc_of(relation.value).types}
            check_relation(relation.body, outer, here)
        case Recursive():
            check_relation(relation.base, outer, bound)
            types = relation_desc_of(relation.base).types
            check_relation(relation.step, outer, {**bound, relation.local_id: types})
            same = _all_plain(types) == _all_plain(relation_desc_of(relation.step).types)
            _expect(same, relation, "base and step differ in types")
        case LetRecursive():
            here = {**bound, **{binding.local_id: binding.desc.types for binding in relation.bindings}}
            for binding in relation.bindings:
                check_relation(binding.value, outer, here)
                types = relation_desc_of(binding.value).types
                _expect(_all_plain(types) == _all_plain(binding.desc.types), relation, "a binding's types")
            check_relation(relation.body, outer, here)
        case Join():
            _check_join(relation, outer, bound)
        case Union():
            for part in relation.inputs:
                check_relation(part, outer, bound)
            first = _all_plain(relation_desc_of(relation.inputs[0]).types)
            same = all(_all_plain(relation_desc_of(part).types) == first for part in relation.inputs)
            _expect(same, relation, "inputs differ in types")
        case Project() | Map() | FlatMap() | Filter() | Reduce() | TopK() | Window() | Negate() | Threshold():
            check_relation(relation.input, outer, bound)
            _check_own(relation, (relation_desc_of(relation.input).types, *outer))
        case _:
            assert_never(relation)


def _check_join(join: Join, outer: Rows, bound: dict[int, Types]) -> None:
    check_relation(join.left, outer, bound)
    left = relation_desc_of(join.left).types
    check_relation(join.right, (left, *outer) if join.lateral else outer, bound)
    _expect(not join.lateral or join.kind in (JoinKind.INNER, JoinKind.LEFT), join, "lateral join of this kind")
    for predicate in join.on:
        _check_boolean(predicate, ((*left, *relation_desc_of(join.right).types), *outer), join)


def _check_own(
    relation: Project | Map | FlatMap | Filter | Reduce | TopK | Window | Negate | Threshold, rows: Rows
) -> None:
    match relation:
        case Project():
            _expect(all(0 <= at < len(rows[0]) for at in relation.columns), relation, "column out of range")
        case Map():
            _expect(len(relation.scalars) == len(relation.names), relation, "names and scalars differ in number")
            _check_all(relation.scalars, rows, relation)
        case FlatMap():
            _expect(relation.function in TABLE_FUNCTIONS, relation, f"no table function {relation.function}")
            _check_all(relation.arguments, rows, relation)
        case Filter():
            for predicate in relation.predicates:
                _check_boolean(predicate, rows, relation)
        case Reduce():
            _check_reduce(relation, rows)
        case TopK():
            _expect(all(0 <= at < len(rows[0]) for at in relation.group), relation, "column out of range")
            _check_all(tuple(key.expression for key in relation.order), rows, relation)
            for scalar in (relation.limit, relation.offset):
                if scalar is not None:
                    _check_scalar(scalar, ((), *rows[1:]), relation)
                    _expect(scalar_type(scalar) == INT8, relation, "limit is not a bigint")
        case Window():
            _check_window(relation, rows)
        case Negate() | Threshold():
            pass
        case _:
            assert_never(relation)


def _check_reduce(relation: Reduce, rows: Rows) -> None:
    count = len(relation.key) + len(relation.aggregates)
    _expect(len(relation.names) == count, relation, "names and columns differ in number")
    _check_all(relation.key, rows, relation)
    for aggregate in relation.aggregates:
        _expect(aggregate.function in AGGREGATES, relation, f"no aggregate {aggregate.function}")
        _check_all(aggregate.arguments, rows, relation)
        _check_all(tuple(key.expression for key in aggregate.order), rows, relation)
        if aggregate.condition is not None:
            _check_boolean(aggregate.condition, rows, relation)


def _check_window(relation: Window, rows: Rows) -> None:
    _expect(len(relation.calls) == len(relation.names), relation, "names and calls differ in number")
    _expect(all(0 <= at < len(rows[0]) for at in relation.group), relation, "column out of range")
    _check_all(tuple(key.expression for key in relation.order), rows, relation)
    for call in relation.calls:
        _expect(call.function in WINDOW_FUNCTIONS or call.function in AGGREGATES, relation, f"no {call.function}")
        _check_all((*call.arguments, *call.frame.compared), rows, relation)
        if call.condition is not None:
            _check_boolean(call.condition, rows, relation)
        for offset in call.frame.counted:
            _check_scalar(offset, ((), *rows[1:]), relation)
            _expect(scalar_type(offset) == INT8, relation, "a number of rows is not a bigint")
        types = {_plain(scalar_type(scalar)) for scalar in call.frame.compared}
        _expect(len(types) <= 1, relation, "a frame's key and bounds differ in type")


def _check_all(scalars: tuple[Scalar, ...], rows: Rows, where: object) -> None:
    for scalar in scalars:
        _check_scalar(scalar, rows, where)


def _check_boolean(scalar: Scalar, rows: Rows, where: object) -> None:
    _check_scalar(scalar, rows, where)
    _expect(scalar_type(scalar) == BOOL, where, f"a predicate of type {scalar_type(scalar)}")


def _check_scalar(scalar: Scalar, rows: Rows, where: object) -> None:
    for operand in operands_of(scalar):
        _check_scalar(operand, rows, where)
    match scalar:
        case Column(index, type_):
            _expect(0 <= index < len(rows[0]), where, f"column {index} of {len(rows[0])}")
            _expect(_plain(rows[0][index]) == _plain(type_), where, f"column {index} is {rows[0][index]}, not {type_}")
        case OuterColumn(depth, index, type_):
            _expect(0 < depth < len(rows) and index < len(rows[depth]), where, f"outer column {depth}, {index}")
            _expect(_plain(rows[depth][index]) == _plain(type_), where, f"outer column {depth}, {index} is not {type_}")
        case Placeholder():
            _expect(False, where, f"{scalar} in a finished plan")
        case Call():
            _expect(scalar.function in FUNCTIONS, where, f"no function {scalar.function}")
        case And() | Or():
            for operand in scalar.operands:
                _expect(scalar_type(operand) == BOOL, where, f"AND or OR of {scalar_type(operand)}")
        case Case():
            results = [value for _, value in scalar.branches] + [scalar.otherwise]
            _expect(all(_plain(scalar_type(r)) == _plain(scalar.type) for r in results), where, "branches of a CASE")
        case Coalesce():
            operands = scalar.operands
            _expect(all(_plain(scalar_type(o)) == _plain(scalar.type) for o in operands), where, "operands of COALESCE")
        case ArrayOf():
            element = scalar.type.element
            same = all(element is not None and _plain(scalar_type(e)) == _plain(element) for e in scalar.elements)
            _expect(same, where, "elements of an array")
        case RowOf():
            _expect(len(scalar.fields) == len(scalar.type.fields), where, "fields of a row")
        case QuantifiedArray():
            _expect(scalar.comparison in FUNCTIONS, where, f"no function {scalar.comparison}")
        case Exists() | SubqueryArray():
            check_relation(scalar.relation, rows)
        case SubqueryValue():
            check_relation(scalar.relation, rows)
            types = relation_desc_of(scalar.relation).types
            _expect(_all_plain(types) == (_plain(scalar.type),), where, f"a subquery's value of {types}")
        case SubqueryCompare():
            check_relation(scalar.relation, rows)
            _check_boolean(scalar.condition, (relation_desc_of(scalar.relation).types, *rows), where)
        case _:
            pass


def _plain(type_: ScalarType) -> ScalarType:
    if type_.element is not None:
        return ScalarType(type_.name, -1, _plain(type_.element))
    if type_.member is not None:
        return ScalarType(type_.name, member=_plain(type_.member))
    return ScalarType(type_.name)


def _all_plain(types: Types) -> Types:
    return tuple(map(_plain, types))


def _expect(condition: bool, where: object, message: str) -> None:
    assert condition, f"ill-typed {type(where).__name__}: {message}"
