"""System columns of tables, by name: what a row without identity can tell.

tableoid                 the table
xmin                     a number of the row's version, which every change of its values changes
ctid, cmin, cmax, xmax   nothing: rows lie at no place, and no command or transaction is kept with them
"""

from __future__ import annotations

from dataclasses import replace

from model.types.scalar_type import OID, XID
from planner.catalog_view import ItemKind, ItemView
from planner.functions.types.row_version import ROW_VERSION
from planner.ir.scalar import Call, Column, Literal
from planner.scope.scope import Field, NamespaceItem
from planner.scope.uses import RelationUse, RowRead

SYSTEM_COLUMNS = frozenset(("tableoid", "ctid", "xmin", "cmin", "xmax", "cmax"))
"""The names that no user's column may have."""
UNKNOWN_COLUMNS = SYSTEM_COLUMNS - {"tableoid", "xmin"}
"""Those of which a row tells nothing."""


def with_system_fields(namespace: NamespaceItem, use: RelationUse) -> NamespaceItem:
    """Returns the columns of a relation with the system columns, over its row."""
    return replace(namespace, system_fields=system_fields(use.item, use), source=use.item)


def system_fields(item: ItemView, use: RelationUse) -> tuple[Field, ...]:
    """Returns the system columns of a relation, over its row. Who reads a row's version reads the row."""
    table = Field("tableoid", Literal(item.oid, OID))
    if item.kind is not ItemKind.TABLE:
        return (table,)
    values = tuple(Column(at, type_) for at, type_ in enumerate(item.desc.types))
    return table, Field("xmin", Call(ROW_VERSION.key, values, XID), RowRead(use))
