"""Finds the index for a statement whose rows are determined by rows already known.

    UPDATE job SET done = true WHERE id IN (SELECT id FROM job … FOR UPDATE SKIP LOCKED LIMIT 1)

The rows of the inner query are locked before the statement itself runs, which then joins its table with a constant:
`job.id = 7`, as good as a condition. The index finds the table's rows with one of the values, and the whole statement,
including the join, is evaluated over them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from model.order.datum_order import sort_key
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Datum
from model.types.scalar_type import BOOL
from planner.functions.volatility import volatile, volatile_relation
from planner.interpret.effort import gathers_many
from planner.interpret.parameters import bind_query
from planner.interpret.row_program import RowProgram
from planner.ir.columns import map_columns, own_columns
from planner.ir.origins import sources_of
from planner.ir.properties import relation_desc_of
from planner.ir.query import whole_query
from planner.ir.reads import reads_of
from planner.ir.relation import Filter, Get, Join, JoinKind, Let, Map, Project, Relation
from planner.ir.scalar import Call, Column, Literal, Or, Scalar, scalar_type
from planner.ir.visit import subqueries_of, walk_relation
from server.planning.access import IndexAccess, LinearRows, equates, index_access, linear_rows
from server.transactions.evaluating import evaluated
from server.transactions.execution import Execution

_VALUES_MAX = 100
_ROWS_MAX = 10_000


@dataclass(frozen=True, slots=True)
class _Equation:
    """An equation in a join.

    `column`: a column of the only Get.
    `equal`: the operator's function.
    `value`: the other side, over the relation `other`.
    `outer`: bindings around both.
    """

    column: Column
    equal: str
    value: Scalar
    other: Relation
    outer: tuple[Let, ...]


async def joined_access(selection: Relation, execution: Execution) -> IndexAccess | None:
    """Returns the index that finds all qualifying rows of the selection's only collection, or None."""
    gets = [node for node in walk_relation(selection) if isinstance(node, Get)]
    if len(gets) != 1 or any(True for node in walk_relation(selection) for _ in subqueries_of(node)):
        return None
    for equation in _equations(selection, ()):
        if _known_before(equation):
            access = await _access(selection, gets[0], equation, execution)
            if access is not None:
                return access
    return None


def _known_before(equation: _Equation) -> bool:
    """Returns whether the values can be computed before the rows, and again with the same result."""
    told = (equation.other, *(let.value for let in equation.outer))
    if reads_of(equation.other).collections or volatile(equation.value) or any(map(volatile_relation, told)):
        return False
    return not any(map(gathers_many, told))


def _equations(relation: Relation, outer: tuple[Let, ...]) -> Iterator[_Equation]:
    """Yields equations that join the collection with another relation; rows that satisfy none are in no result."""
    match relation:
        case Join(kind=JoinKind.INNER | JoinKind.SEMI, left=left, right=right, on=on, lateral=False):
            yield from _split(left, right, on, outer)
        case Filter(input=Join(kind=JoinKind.INNER, left=left, right=right, lateral=False), predicates=predicates):
            yield from _split(left, right, predicates, outer)
    if isinstance(relation, Let):
        if not reads_of(relation.value).collections:
            yield from _equations(relation.body, (*outer, relation))
        return
    if isinstance(relation, Filter | Map | Project):
        # Each row comes of one of the input's. Elsewhere a row that is not there may count.
        yield from _equations(relation.input, outer)


def _split(
    left: Relation, right: Relation, predicates: Sequence[Scalar], outer: tuple[Let, ...]
) -> Iterator[_Equation]:
    rows, arity = linear_rows(left), relation_desc_of(left).arity
    if rows is None:
        return
    for predicate in predicates:
        if not (isinstance(predicate, Call) and equates(predicate.function)):
            continue
        for mine, theirs in (predicate.arguments, predicate.arguments[::-1]):
            if not isinstance(mine, Column) or mine.index >= arity or min(own_columns(theirs), default=0) < arity:
                continue
            column = rows.columns[mine.index]
            if isinstance(column, Column) and scalar_type(theirs).base().name is column.type.base().name:
                value = map_columns(theirs, lambda each: Column(each.index - arity, each.type))
                yield _Equation(column, predicate.function, value, right, outer)


async def _access(selection: Relation, get: Get, equation: _Equation, execution: Execution) -> IndexAccess | None:
    state, planning = execution.environment.catalog.state, execution.environment.planning
    values = await _values(equation, execution)
    if values is None:
        return None
    column, type_ = equation.column, scalar_type(equation.value)
    equal = tuple(Call(equation.equal, (column, Literal(value, type_)), BOOL) for value in values or (None,))
    condition = equal[0] if len(equal) == 1 else Or(equal)
    found = index_access(whole_query(Filter(get, (condition,))), state, planning, execution.cluster.oid)
    if found is None or found.keys is None:
        return None
    query = whole_query(selection)
    columns = tuple(
        Column(source[1], type_) if source is not None and source[0] == get.id else Literal(None, type_)
        for source, type_ in zip(sources_of(selection, {}), relation_desc_of(selection).types, strict=True)
    )
    rows = LinearRows(get, columns, (condition,))
    return replace(found.whole_rows(), found=get.desc, query=query, rows=rows, program=RowProgram(query))


async def _values(equation: _Equation, execution: Execution) -> list[Datum] | None:
    """Returns the column's possible values, each once; None for too many values or rows. Raises SqlError of the
    expressions."""
    relation: Relation = Map(equation.other, (equation.value,), ("value",))
    for let in reversed(equation.outer):
        relation = Let(let.local_id, let.value, relation)
    query = bind_query(whole_query(relation), execution.parameters, execution.session_values(TIMESTAMP_MIN))
    key, found, seen = sort_key(scalar_type(equation.value)), dict[object, Datum](), 0
    async with contextlib.aclosing(evaluated(query, execution, TIMESTAMP_MIN)) as batches:
        async for batch in batches:
            for row in batch:
                if row[-1] is not None:
                    found.setdefault(key(row[-1]), row[-1])
            seen += len(batch)
            if len(found) > _VALUES_MAX or seen > _ROWS_MAX:
                return None
    return list(found.values())
