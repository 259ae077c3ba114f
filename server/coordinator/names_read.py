"""Which reads of system relations are by name: of these alone COMMIT asks whether the answer is still the same.

    SELECT … FROM pg_class WHERE relname = 'x'    of x, also that there is none: what others do to x is a conflict
    SELECT … FROM pg_class WHERE relkind = 'r'    of whatever there is: nobody relies on that

PostgreSQL's own serializable transactions validate nothing of its catalogs. Who looks for a name before using it is
kept from being wrong; who lists what there is, as drivers and tools do by the way, never fails for a table that others
make.
"""

from __future__ import annotations

from model.ids.global_id import Namespace
from planner.functions.registry import FUNCTIONS
from planner.ir.columns import own_columns
from planner.ir.relation import Relation
from planner.ir.scalar import Call, Column, Scalar
from planner.ir.visit import inputs_of, operands_of, subqueries_of
from server.coordinator.maintained.access import LinearRows, key_part, linear_rows

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
    """Whether it reads system relations, and some of them by what their objects are called."""
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
    """The column in a condition, and what it is cast to there."""
    found: list[Scalar] = [condition] if isinstance(condition, Column) else []
    for operand in operands_of(condition):
        found += _parts(operand)
    if isinstance(condition, Call) and FUNCTIONS[condition.function].form == "cast" and own_columns(condition):
        found.append(condition)
    return found
