"""What a plan's query tells by itself, looked for once: the plan is executed many times."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.datum import Row
from planner.interpret.effort import gathers_many, is_small
from planner.interpret.parameters import bind_query, is_closed
from planner.interpret.row_program import CompiledRows, RowProgram, constant_rows_below
from planner.ir.query import Query
from server.coordinator.counting.split import Split, branches, split
from server.evaluation.once import once_each


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """`parts` and `branches` are as the functions of these names give them. `bound` is what `bind_query` makes of the
    query, where there is nothing to fill in; `small`: that it `is_small`. `gathers`: the relation `gathers_many`.
    `constant` are the rows that it is over, where these are few. None of it holds the query, with which it ends."""

    parts: Split | None
    branches: tuple[Query, ...]
    bound: Query | None
    small: bool | None
    gathers: bool
    constant: tuple[Row, ...] | None


@once_each
def facts_of(query: Query) -> QueryFacts:
    """The facts of one query."""
    bound = bind_query(query, (), {}) if is_closed(query) else None
    small = None if bound is None else is_small(bound)
    constant = constant_rows_below(query.relation) if bound is None else None
    return QueryFacts(split(query), branches(query), bound, small, gathers_many(query.relation), constant)


@once_each
def program_of(query: Query) -> CompiledRows | None:
    """What does as one query says to few rows, as RowProgram has it: which would keep the query."""
    return RowProgram(query).compiled()
