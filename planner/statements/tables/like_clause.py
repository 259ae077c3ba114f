"""LIKE in CREATE TABLE: the columns of an existing table or view, with DEFAULTs if INCLUDING DEFAULTS asks for them.

INCLUDING of anything unsupported is refused, not ignored.
"""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import declared_type
from planner.catalog_view import ItemKind, ItemView
from planner.plans.tables import ColumnDefinition
from planner.privileges import SELECT
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts

_COMMENTS, _COMPRESSION, _DEFAULTS, _GENERATED, _STATISTICS, _STORAGE = 1 << 0, 1 << 1, 1 << 3, 1 << 4, 1 << 7, 1 << 8
_WITHOUT_EFFECT = _COMMENTS | _COMPRESSION | _STATISTICS | _STORAGE
"""Of what no table here has any."""


def columns_like(analysis: Analysis, clause: Any, first: int) -> list[ColumnDefinition]:
    """Returns the columns of the relation that the clause names, for a table in which they stand from position `first`
    on; NOT NULL always comes with them, but of a view."""
    item = find_relation(analysis, range_parts(clause.relation), clause.relation.location)
    if item.kind in (ItemKind.INDEX, ItemKind.SEQUENCE):
        message = f'relation "{item.name.name}" is invalid in LIKE clause'
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, clause.relation.location)
    if clause.options & ~(_DEFAULTS | _GENERATED | _WITHOUT_EFFECT):
        hint = "INCLUDING DEFAULTS and GENERATED are; NOT NULL is copied without being asked for."
        raise analysis.unsupported("this INCLUDING in LIKE", clause.relation.location, hint=hint)
    analysis.use(item, SELECT).select_all()
    view = item.kind in (ItemKind.VIEW, ItemKind.MATERIALIZED_VIEW)
    defaults = _defaults(item) if clause.options & _DEFAULTS else {}
    reads: dict[int, tuple[int, ...]] = {}
    if clause.options & _GENERATED:
        place = {at: number for number, at in enumerate(item.visible, first)}
        reads = {each.column: tuple(place[at] for at in each.reads) for each in item.generated}
        defaults |= {at: item.defaults[at] for at in reads}
    return [
        ColumnDefinition(
            column.name, declared_type(column.type), column.nullable or view, defaults.get(at), reads=reads.get(at)
        )
        for at, column in ((at, item.desc.columns[at]) for at in item.visible)
    ]


def _defaults(item: ItemView) -> dict[int, str | None]:
    """Returns the defaults by position; identity and generated columns have none of their own."""
    identities = item.identities or (None,) * len(item.defaults)
    return {
        at: default
        for at, (default, identity) in enumerate(zip(item.defaults, identities, strict=True))
        if identity is None and not item.is_generated(at)
    }
