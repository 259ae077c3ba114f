"""Names in kept SQL, bound to the objects that they named when the SQL was written."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName


@dataclass(frozen=True, slots=True)
class Reference:
    """A name in kept SQL, a view's for example: `name` stands for item `id`, with these names of columns."""

    name: QualifiedName
    id: GlobalId
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoundNames:
    """The meaning of the names in a condition over a table's rows.

    `written`: the table's name when the condition was written
    `references`: the items behind the names, the table among them
    `columns`: the columns read, by relation and number
    """

    written: QualifiedName
    references: tuple[Reference, ...]
    columns: frozenset[tuple[GlobalId, int]]
