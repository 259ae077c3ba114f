"""Splits queries that take a sequence's value for each row: the part below the top projection is computed first,
wherever, and the server then projects the resulting rows in their order.

    Query(Map(R, nextval('s')), sort and limit)  =  Map(Query(R, sort and limit), nextval('s'))

Rows behind a LIMIT therefore take no values, as in PostgreSQL, but rows skipped by OFFSET do. An order by the values
themselves comes afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.types.scalar_type import INT8
from planner.functions.rows import key_of
from planner.functions.system.server_calls import calls_server, relation_calls_server
from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.relation import Finishing, LocalGet, Map, Project, Relation, Union
from planner.ir.scalar import Call, Coalesce, Column, Literal, Scalar, SessionName

_ADD = key_of("add", (INT8, INT8))
BELOW = 0
"""The local id of the rows of `below`: no plan has it."""


@dataclass(frozen=True, slots=True)
class Split:
    """A query that takes values of sequences, split in two parts. `below` is computed first; `above` is the query over
    its rows, LocalGet(BELOW). `whole`: `above` needs all rows of `below` at once; else a batch is enough."""

    below: Query
    above: Query
    whole: bool


def split(query: Query) -> Split | None:
    """Splits a query; None unless its top projections call functions of the server for each row."""
    base = _base(query.relation)
    if base is None:
        return None
    desc = relation_desc_of(base)
    everything = tuple(range(desc.arity))
    relation = _over(query.relation, base, LocalGet(BELOW, desc))
    if SessionName.MZ_NOW in reads_of(relation).session_values:
        return None
    finishing = query.finishing
    values = _values(query.relation, base)
    order = tuple(replace(key, expression=_over_base(key.expression, values)) for key in finishing.order)
    if any(calls_server(key.expression) for key in order):
        below = Query(base, Finishing((), None, None, everything), desc)
        return Split(below, replace(query, relation=relation), True)
    below = Query(base, Finishing(order, _rows_read(finishing), None, everything), desc)
    # The first of the rows are left out afterwards.
    limit = None if finishing.offset is None else finishing.limit
    above = Finishing((), limit, finishing.offset, finishing.project)
    return Split(below, Query(relation, above, query.desc), finishing.offset is not None)


def _rows_read(finishing: Finishing) -> Scalar | None:
    """Returns the number of rows that LIMIT and OFFSET look at; None for all."""
    if finishing.limit is None or finishing.offset is None:
        return finishing.limit
    skipped = Coalesce((finishing.offset, Literal(0, INT8)), INT8)
    return Call(_ADD, (finishing.limit, skipped), INT8)


def branches(query: Query) -> tuple[Query, ...]:
    """Returns the rows of VALUES as queries to compute one after the other, when some rows call the server. Empty
    otherwise."""
    relation, finishing = query.relation, query.finishing
    if not isinstance(relation, Union) or finishing.order or finishing.limit or finishing.offset:
        return ()
    if not relation_calls_server(relation):
        return ()
    return tuple(replace(query, relation=each) for each in relation.inputs)


def _base(relation: Relation) -> Relation | None:
    """Returns the relation below the lowest top projection that calls the server."""
    found = None
    while isinstance(relation, Project | Map):
        if isinstance(relation, Map) and any(map(calls_server, relation.scalars)):
            found = relation.input
        relation = relation.input
    return found


def _values(relation: Relation, base: Relation) -> list[Scalar]:
    """Returns the columns of `relation` as scalars over `base`, which is below it."""
    if relation is base:
        return [Column(at, type_) for at, type_ in enumerate(relation_desc_of(base).types)]
    assert isinstance(relation, Project | Map), "there are projections alone above it"
    below = _values(relation.input, base)
    if isinstance(relation, Project):
        return [below[at] for at in relation.columns]
    return [*below, *(_over_base(scalar, below) for scalar in relation.scalars)]


def _over_base(scalar: Scalar, values: list[Scalar]) -> Scalar:
    return map_columns(scalar, lambda column: values[column.index])


def _over(relation: Relation, base: Relation, rows: LocalGet) -> Relation:
    if relation is base:
        return rows
    assert isinstance(relation, Project | Map), "there are projections alone above it"
    return replace(relation, input=_over(relation.input, base, rows))
