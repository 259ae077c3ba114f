"""Finds the keys by which a query reads tables, before it runs.

A query reads by key alone where conditions say what some columns equal, anywhere in the query: the rows with these
values decide its result, including their absence. Further conditions on these rows don't matter. Other reads, like
ranges and joins with keys from other rows, read the whole table.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from catalog.nouns.items import Table
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import comparable_by_identity, identity_key
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Datum
from model.types.scalar_type import ScalarType
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.relation import Relation
from planner.ir.scalar import ArrayOf, Call, Literal, Parameter, Scalar
from planner.ir.visit import inputs_of, subqueries_of
from server.planning.access import (
    AmongArray,
    Equal,
    IsNull,
    KeyPart,
    SaidColumn,
    linear_rows,
    said_columns,
)
from server.reads.index_reading import Values, are_of
from server.transactions.execution import Execution
from timeline.footprint import KEYS_MAX, Identities, KeyColumns, ReadKeys, joined


def keys_read(relation: Relation, execution: Execution) -> ReadKeys:
    """Returns the keys for the tables that the relation reads by key alone."""
    found: ReadKeys = {}
    whole: set[GlobalId] = set()
    pending = [relation]
    while pending:
        node = pending.pop()
        rows = linear_rows(node)
        keys = None if rows is None else keys_said(rows.get.id, said_columns(rows), execution)
        if keys is not None:
            found, many = joined(found, keys)
            whole |= many
        elif rows is not None:
            whole.add(rows.get.id)
        else:
            pending.extend(inputs_of(node))
            pending.extend(subqueries_of(node))
    return {key: identities for key, identities in found.items() if key.table not in whole}


def keys_said(table: GlobalId, columns: Sequence[SaidColumn], execution: Execution) -> ReadKeys | None:
    """Returns the keys of rows with known column values; None when they are unknown."""
    item = execution.catalog.items.get(table)
    if item is None or not isinstance(item.definition, Table):
        return None
    said: dict[int, list[Datum]] = {}
    for at, part in columns:
        values = None if at in said else _values(part, item.desc.types[at], execution)
        if values is not None:
            said[at] = values
    if not said or math.prod(map(len, said.values())) > KEYS_MAX:
        return None
    types = tuple(item.desc.types[at] for at in said)
    return {KeyColumns(item.id, tuple(said), types): _identities(types, list(said.values()))}


def _identities(types: Sequence[ScalarType], values: Sequence[Sequence[Datum]]) -> Identities:
    return frozenset(map(identity_key(types), itertools.product(*values)))


def _values(part: KeyPart, type_: ScalarType, execution: Execution) -> list[Datum] | None:
    """Returns the possible values of a column; None when they are unlimited, or not yet known."""
    if not comparable_by_identity([type_]) or not are_of(part, type_):
        return None
    values = Values(execution, TIMESTAMP_MIN)
    found: list[Datum] = []
    for each in part:
        match each:
            case IsNull():
                found.append(None)
            case Equal(value):
                if not _told(value):
                    return None
                try:
                    found.append(values.of(value))
                except SqlError:
                    return None
            case AmongArray(array):
                if not _told(array):
                    return None
                try:
                    datums = values.of(array)
                except SqlError:
                    return None
                if datums is not None and not isinstance(datums, tuple):
                    return None
                found.extend(datums or ())
    return found


def _told(scalar: Scalar) -> bool:
    """Returns whether an expression gives the same value at any time, cheaply. Drivers send a number in the smallest
    type that holds it, which is then cast to the column's."""
    match scalar:
        case ArrayOf(elements=elements):
            return all(map(_told, elements))
        case Call(function=key, arguments=arguments):
            function = FUNCTIONS[key]
            same = function.volatility is Volatility.IMMUTABLE and not (function.session or function.needs_system)
            return function.form == "cast" and same and all(map(_told, arguments))
        case _:
            return isinstance(scalar, Literal | Parameter)
