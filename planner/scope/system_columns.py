"""System columns of tables, by name: what a row without identity can tell.

tableoid                 the table
xmin                     a number of the row's version, which every change of its values changes
ctid                     that number, and the row's number among the rows that have it
cmin, cmax, xmax         nothing: no command or transaction is kept with a row
"""

from __future__ import annotations

import re
from dataclasses import replace

from model.types.relation_desc import RelationDesc
from model.types.scalar_type import INT8, OID, TID, XID
from planner.catalog_view import ItemKind, ItemView
from planner.functions.types.row_version import ROW_PLACE, ROW_VERSION
from planner.ir.relation import Map, Project, Relation, Window
from planner.ir.scalar import Call, Column, Literal
from planner.ir.window import WindowCall
from planner.scope.analysis import Analysis
from planner.scope.scope import Field, NamespaceItem
from planner.scope.uses import RelationUse, RowRead

SYSTEM_COLUMNS = frozenset(("tableoid", "ctid", "xmin", "cmin", "xmax", "cmax"))
"""The names that no user's column may have."""
UNKNOWN_COLUMNS = SYSTEM_COLUMNS - {"tableoid", "xmin"}
"""Those of which a row by itself tells nothing."""
PLACE = "ctid"
_NAMED = re.compile(rf"\b{PLACE}\b", re.IGNORECASE)
_CONSTANT = re.compile("'[^']*'")


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


def mentions_places(analysis: Analysis) -> bool:
    """Tells whether a statement may ask for ctid, for which a table's rows have to be numbered."""
    source = analysis.source
    return PLACE in source.lower() and _NAMED.search(_CONSTANT.sub("", source)) is not None


def numbered(rows: Relation, desc: RelationDesc) -> Relation:
    """Returns the rows of a table with the place of each as one more column: rows of one version are numbered in the
    order of their values, so that no two rows that are there have one place."""
    arity = desc.arity
    version = Call(ROW_VERSION.key, tuple(Column(at, type_) for at, type_ in enumerate(desc.types)), XID)
    counted = Window(
        Map(rows, (version,), ("version",)), (arity,), (), (WindowCall("row_number", (), INT8),), ("number",)
    )
    place = Call(ROW_PLACE.key, (Column(arity, XID), Column(arity + 1, INT8)), TID)
    return Project(Map(counted, (place,), (PLACE,)), (*range(arity), arity + 2))


def with_place(namespace: NamespaceItem, item: ItemView, use: RelationUse) -> NamespaceItem:
    """Returns the columns of `numbered` rows."""
    place = Field(PLACE, Column(item.desc.arity, TID), RowRead(use))
    return replace(namespace, system_fields=(*namespace.system_fields, place))


def without_place(namespace: NamespaceItem) -> NamespaceItem:
    """Returns the columns of rows that are not `numbered`."""
    left = tuple(each for each in namespace.system_fields if each.name != PLACE)
    return replace(namespace, system_fields=left)
