"""The surroundings of a query: the rows around it, and the WITH queries that it may name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from model.types.relation_desc import RelationDesc
from planner.ir.aggregate import SortKey
from planner.scope.scope import Scope


@dataclass(frozen=True, slots=True)
class CommonTable:
    """A WITH query in reach, bound to a local id. `hidden`: so many of the last columns are no part of `*`. `order` is
    its ORDER BY, for which so many of the last columns are as `unnamed` says. `returns` is false of a statement that
    modifies data and returns no rows."""

    name: str
    local_id: int
    desc: RelationDesc
    hidden: int = 0
    order: tuple[SortKey, ...] = ()
    unnamed: int = 0
    returns: bool = True


@dataclass(frozen=True, slots=True)
class QueryEnvironment:
    """The surroundings of a query: the rows and the queries of WITH that it may name. `outer` is the nearest row
    outside. `top`: a statement's own, whose WITH may modify data."""

    outer: Scope | None = None
    common_tables: Mapping[str, CommonTable] = field(default_factory=dict)
    top: bool = False

    def inner(self) -> QueryEnvironment:
        """Returns the environment for the parts of a statement."""
        return replace(self, top=False) if self.top else self

    def within(self, scope: Scope | None) -> QueryEnvironment:
        return replace(self, outer=scope)

    def having(self, table: CommonTable) -> QueryEnvironment:
        return replace(self, common_tables={**self.common_tables, table.name: table})
