"""Tells reads of system relations by name from others: COMMIT validates only reads by name.

    SELECT … FROM pg_class WHERE relname = 'x'    asks for x, or its absence: others' changes of x conflict
    SELECT … FROM pg_class WHERE relkind = 'r'    lists whatever exists: nobody relies on the list

PostgreSQL's own serializable transactions validate no reads of its catalogs. Here, a client that looks for a name
before using it is protected; a client that lists objects, as drivers and tools do by the way, never fails because of a
table made by others.
"""

from __future__ import annotations

from model.ids.global_id import Namespace
from planner.functions.registry import FUNCTIONS
from planner.ir.columns import own_columns
from planner.ir.relation import Relation
from planner.ir.scalar import Call, Column, Scalar
from planner.ir.visit import inputs_of, operands_of, subqueries_of
from server.planning.access import LinearRows, key_part, linear_rows

_NAMES = frozenset(
    (
        *("relname", "typname", "proname", "conname", "tablename", "viewname", "matviewname", "indexname"),
        *("sequencename", "pubname", "slot_name", "table_name", "sequence_name", "routine_name", "domain_name"),
        *("constraint_name", "name", "id", "object_id", "oid", "attrelid", "indrelid", "indexrelid", "conrelid"),
        *("adrelid", "seqrelid", "objoid"),
    )
)
"""Columns that say which object a row is of."""
_SCOPES = frozenset(("nspname", "datname", "rolname", "spcname", "amname"))
"""Relations with these are of what objects are in: who asks by them asks for whatever is inside."""


def reads_by_name(relation: Relation) -> bool:
    """Returns whether the relation reads system relations, some by their objects' names."""
    pending = [relation]
    while pending:
        node = pending.pop()
        rows = linear_rows(node)
        if rows is not None:
            if _named(rows):
                return True
        else:
            pending.extend(inputs_of(node))
            pending.extend(subqueries_of(node))
    return False


def _named(rows: LinearRows) -> bool:
    names = rows.get.desc.names
    if rows.get.id.namespace is not Namespace.SYSTEM or not _SCOPES.isdisjoint(names):
        return False
    for condition in rows.conditions:
        columns = own_columns(condition)
        if len(columns) == 1 and names[next(iter(columns))] in _NAMES:
            if any(key_part(part, condition) is not None for part in _parts(condition)):
                return True
    return False


def _parts(condition: Scalar) -> list[Scalar]:
    """Returns the columns in a condition, and their casts."""
    found: list[Scalar] = [condition] if isinstance(condition, Column) else []
    for operand in operands_of(condition):
        found += _parts(operand)
    if isinstance(condition, Call) and FUNCTIONS[condition.function].form == "cast" and own_columns(condition):
        found.append(condition)
    return found
