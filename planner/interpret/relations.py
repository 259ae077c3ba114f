"""Relations as closures that return their rows, one arm a node. Joins, filters, groups, recursions have own files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, assert_never

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import identity_key
from model.types.datum import Row
from model.types.scalar_type import has_own_decimals
from planner.functions.registry import TABLE_FUNCTIONS
from planner.interpret.aggregates import compile_reduce, with_most_decimals
from planner.interpret.execution import Evaluator, Gathered, Interpretation, RowFlow, RowSource, Scopes
from planner.interpret.joins import compile_join, filtered
from planner.interpret.recursion import compile_let_recursive, compile_recursive
from planner.interpret.scalars import compile_scalar, compile_scalars
from planner.interpret.selection import compile_filter
from planner.interpret.sorting import sorter
from planner.interpret.windows import compile_window
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
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
from planner.ir.scalar import Scalar, scalar_type


def compile_relation(relation: Relation, execution: Interpretation) -> RowSource:
    """Returns the relation's rows, as a function of the rows around it."""
    match relation:
        case Constant(rows):
            expanded = [row for row, count in rows for _ in range(count)]
            return lambda scopes: expanded
        case Get(id):
            return lambda scopes: list(execution.context.collections(id))
        case LocalGet(local_id):
            return lambda scopes: execution.bound(local_id)
        case Let():
            return _let(relation, execution)
        case Recursive():
            return compile_recursive(relation, execution)
        case LetRecursive():
            return compile_let_recursive(relation, execution)
        case Project():
            return _project(relation, execution)
        case Map():
            return _map(relation, execution)
        case FlatMap():
            return _flat_map(relation, execution)
        case Filter():
            return _filter(relation, execution)
        case Join():
            return compile_join(relation, execution)
        case Reduce():
            return compile_reduce(relation, execution)
        case TopK():
            return _top(relation, execution)
        case Window() if counts_as_they_come(relation, execution):
            counted = counted_flow(relation, execution)
            return lambda scopes: list(counted(scopes))
        case Window():
            return compile_window(relation, execution)
        case Negate():
            raise AssertionError("a negated relation stands below Union or Threshold only")
        case Threshold() | Union():
            return _accumulate(relation, execution)
        case _:
            assert_never(relation)


def _let(let: Let, execution: Interpretation) -> RowSource:
    bind = let_binder(let, execution)
    body = compile_relation(let.body, execution)

    def evaluate(scopes: Scopes) -> list[Row]:
        bind(scopes)
        return body(scopes)

    return evaluate


def let_binder(let: Let, execution: Interpretation) -> Callable[[Scopes], None]:
    """Binds the value, whose rows are made when they are asked for where they may have no end. It is compiled before
    the body."""
    if execution.endless(let.value):
        execution.flowing.add(let.local_id)
        flow = execution.compile_flow(let.value, execution)

        def bind_flow(scopes: Scopes) -> None:
            execution.locals[let.local_id] = Gathered(flow(scopes))

        return bind_flow
    value = compile_relation(let.value, execution)

    def bind(scopes: Scopes) -> None:
        execution.locals[let.local_id] = value(scopes)

    return bind


def _project(project: Project, execution: Interpretation) -> RowSource:
    source, columns = compile_relation(project.input, execution), project.columns
    return lambda scopes: [tuple([row[index] for index in columns]) for row in source(scopes)]


def _map(map_: Map, execution: Interpretation) -> RowSource:
    source, scalars = compile_relation(map_.input, execution), compile_scalars(map_.scalars, execution)
    return lambda scopes: [row + tuple([scalar(row, scopes) for scalar in scalars]) for row in source(scopes)]


def _flat_map(flat_map: FlatMap, execution: Interpretation) -> RowSource:
    source, produced = compile_relation(flat_map.input, execution), flat_mapper(flat_map, execution)
    return lambda scopes: [made for row in source(scopes) for made in produced(row, scopes)]


def flat_mapper(flat_map: FlatMap, execution: Interpretation) -> Callable[[Row, Scopes], Iterator[Row]]:
    """Returns the function from one input row to its result rows."""
    function = TABLE_FUNCTIONS[flat_map.function]
    arguments = compile_scalars(flat_map.arguments, execution)
    leading: list[Any] = [execution.context.system] if function.needs_system else []
    own = flat_map.arguments[: len(function.arguments)]
    if function.typed:
        leading.append(tuple(map(scalar_type, own)))
    given = function.variadic or len(flat_map.arguments) > len(function.arguments)
    trailing = [] if given else [execution.context.session_value(name) for name in function.session]

    def produced(row: Row, scopes: Scopes) -> Iterator[Row]:
        values = [argument(row, scopes) for argument in arguments]
        if function.strict and None in values:
            return
        added = function.evaluate(*leading, *values, *trailing)
        if flat_map.ordinality:
            for number, cells in enumerate(added, 1):
                yield row + cells + (number,)
        else:
            for cells in added:
                yield row + cells

    return produced


def _filter(filter_: Filter, execution: Interpretation) -> RowSource:
    if not execution.obvious and isinstance(filter_.input, Join):
        merged = filtered(filter_.input, filter_.predicates)
        if isinstance(merged, Join):
            return compile_join(merged, execution)
    return compile_filter(filter_, execution)


def row_count(scalar: Scalar | None, clause: str, execution: Interpretation) -> Evaluator:
    """Compiles the value of LIMIT or OFFSET; the value is None for NULL and for an absent clause. A negative value
    raises 2201W or 2201X."""
    if scalar is None:
        return lambda row, scopes: None
    evaluate = compile_scalar(scalar, execution)

    def count(row: Row, scopes: Scopes) -> int | None:
        value: int | None = evaluate(row, scopes)
        if value is not None and value < 0:
            state = (
                Sqlstate.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE
                if clause == "LIMIT"
                else Sqlstate.INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE
            )
            raise SqlError(state, f"{clause} must not be negative")
        return value

    return count


def _top(top: TopK, execution: Interpretation) -> RowSource:
    if takes_first(top, execution):
        flow = top_flow(top, execution)
        return lambda scopes: list(flow(scopes))
    source = compile_relation(top.input, execution)
    types = relation_desc_of(top.input).types
    sort = sorter(top.order, types, execution)
    limit, offset = row_count(top.limit, "LIMIT", execution), row_count(top.offset, "OFFSET", execution)
    identity = identity_key([types[index] for index in top.group])

    def evaluate(scopes: Scopes) -> list[Row]:
        start, count = offset((), scopes) or 0, limit((), scopes)
        groups: dict[Any, list[Row]] = {}
        for row in source(scopes):
            groups.setdefault(identity(tuple([row[index] for index in top.group])), []).append(row)
        stop = None if count is None else start + count
        return [row for rows in groups.values() for row in sort(rows, scopes)[start:stop]]

    return evaluate


def takes_first(top: TopK, execution: Interpretation) -> bool:
    """Tells whether a limit takes the rows that come first: any rows do, and there may be no last one to wait for."""
    return not top.group and not top.order and execution.endless(top.input)


def top_flow(top: TopK, execution: Interpretation) -> RowFlow:
    """Returns the first rows of the input's flow."""
    flow = execution.compile_flow(top.input, execution)
    limit, offset = row_count(top.limit, "LIMIT", execution), row_count(top.offset, "OFFSET", execution)

    def first(scopes: Scopes) -> Iterator[Row]:
        start, count = offset((), scopes) or 0, limit((), scopes)
        return islice(flow(scopes), start, None if count is None else start + count)

    return first


def counts_as_they_come(window: Window, execution: Interpretation) -> bool:
    """Tells whether a window numbers rows in any order, and there may be no last one to wait for."""
    counts = all(call.function == "row_number" for call in window.calls)
    return counts and not window.group and not window.order and execution.endless(window.input)


def counted_flow(window: Window, execution: Interpretation) -> RowFlow:
    """Returns the rows of the input's flow, numbered as they come."""
    source, calls = execution.compile_flow(window.input, execution), len(window.calls)
    return lambda scopes: (row + (number,) * calls for number, row in enumerate(source(scopes), 1))


Signed = tuple[RowSource, int]


def _signed(relation: Relation, sign: int, execution: Interpretation) -> list[Signed]:
    """Returns the addends below unions and negations, each with its sign."""
    match relation:
        case Negate():
            return _signed(relation.input, -sign, execution)
        case Union():
            return [addend for part in relation.inputs for addend in _signed(part, sign, execution)]
        case _:
            return [(compile_relation(relation, execution), sign)]


def _alike(rows: list[Row], among: list[Row], identity: Callable[[Row], Any], numerics: Sequence[int]) -> list[Row]:
    """Returns the rows with the most decimals of the rows that are equal to each, `among` some."""
    most: dict[Any, Row] = {}
    for row in among:
        same = identity(row)
        most[same] = with_most_decimals(most.get(same, row), row, numerics)
    return [most[identity(row)] for row in rows]


def _accumulate(relation: Threshold | Union, execution: Interpretation) -> RowSource:
    """Adds up multiplicities. Multiplicities of a Union alone are never below zero; a Threshold drops negative ones."""
    below = relation.input if isinstance(relation, Threshold) else relation
    addends = _signed(below, 1, execution)
    types = relation_desc_of(relation).types
    identity = identity_key(types)
    numerics = [at for at, type_ in enumerate(types) if has_own_decimals(type_)]
    if all(sign > 0 for _, sign in addends):
        return lambda scopes: [row for source, _ in addends for row in source(scopes)]

    def evaluate(scopes: Scopes) -> list[Row]:
        removed: Counter[Any] = Counter()
        kept: list[Row] = []
        for source, sign in addends:
            if sign < 0:
                removed.update(identity(row) for row in source(scopes))
            else:
                kept += source(scopes)
        output: list[Row] = []
        for row in kept:
            key = identity(row)
            if removed[key] > 0:
                removed[key] -= 1
            else:
                output.append(row)
        assert isinstance(relation, Threshold) or not any(removed.values()), "a union took away rows it never had"
        return _alike(output, kept, identity, numerics) if numerics else output

    return evaluate
