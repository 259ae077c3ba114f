"""Facts about a plan's query, computed once, because the plan is executed many times."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.datum import Row
from planner.interpret.effort import gathers_many, is_small
from planner.interpret.parameters import bind_query, is_closed
from planner.interpret.row_program import CompiledRows, RowProgram, constant_rows_below
from planner.ir.query import Query
from server.evaluation.once import once_each
from server.ledgers.counting.split import Split, branches, split


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """The facts about a query. None of them refers to the query itself, so they end with it.

    `parts`, `branches`: the results of the functions of these names
    `bound`: the result of `bind_query`, for a query without parameters
    `small`: whether it `is_small`
    `gathers`: whether its relation `gathers_many`
    `constant`: the rows that it is computed from, where these are few
    """

    parts: Split | None
    branches: tuple[Query, ...]
    bound: Query | None
    small: bool | None
    gathers: bool
    constant: tuple[Row, ...] | None


@once_each
def facts_of(query: Query) -> QueryFacts:
    """Computes the facts about a query."""
    bound = bind_query(query, (), {}) if is_closed(query) else None
    small = None if bound is None else is_small(bound)
    constant = constant_rows_below(query.relation) if bound is None else None
    return QueryFacts(split(query), branches(query), bound, small, gathers_many(query.relation), constant)


@once_each
def program_of(query: Query) -> CompiledRows | None:
    """Returns the compiled program for the query's finishing, which does not refer to the query (unlike RowProgram)."""
    return RowProgram(query).compiled()
