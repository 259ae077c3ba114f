"""The role that reads system relations, and the conditions of PostgreSQL on rows of information_schema."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.decide import column_rights, has_privileges_of, held, is_superuser, owns
from catalog.facts.roles.row_security import binding_policies
from catalog.facts.roles.securables import Securable, item_securable
from catalog.nouns.items import Item
from catalog.state.catalog_state import CatalogState

_BY_COLUMN = "arwx"


@dataclass(frozen=True, slots=True)
class ReadingRole:
    """A role by its oid, 0 for a dropped role; `unbound` roles may do everything."""

    state: CatalogState
    role: int
    unbound: bool

    def owns(self, item: Item) -> bool:
        return self.unbound or owns(self.state, self.role, item_securable(self.state, item))

    def has_privileges_of(self, role: int) -> bool:
        return self.unbound or has_privileges_of(self.state, self.role, role)

    def may(self, item: Item, rights: str, by_column: str = "") -> bool:
        """Returns whether the role owns an item, has a right on the item, or one of `by_column` on a column."""
        return self.unbound or self.may_securable(item_securable(self.state, item), rights, by_column)

    def may_see_rows(self, item: Item) -> bool:
        """Returns whether the role may see all rows of a relation, and so what is said of any."""
        tables = self.state.tables_under((item.id,))
        return self.may(item, "r") and all(
            binding_policies(self.state, self.state.items[table], self.role) is None for table in tables
        )

    def may_securable(self, object_: Securable, rights: str, by_column: str = "") -> bool:
        if self.unbound or owns(self.state, self.role, object_):
            return True
        if not set(rights).isdisjoint(held(self.state, self.role, object_)):
            return True
        lists = (acl for (oid, column), acl in self.state.acls.items() if by_column and oid == object_.oid and column)
        return any(not set(by_column).isdisjoint(held(self.state, self.role, object_, acl)) for acl in lists)

    def may_column(self, item: Item, number: int) -> bool:
        """Returns whether the role owns an item, or may read, insert, update or reference the column with a number."""
        if self.unbound:
            return True
        object_ = item_securable(self.state, item)
        return owns(self.state, self.role, object_) or any(
            right in column_rights(self.state, self.role, object_, number) for right in _BY_COLUMN
        )


def reader_of(snapshot: SystemSnapshot) -> ReadingRole:
    """Returns the reading role of a snapshot."""
    role = snapshot.state.role_named(snapshot.reader.user)
    oid = 0 if role is None else role.oid
    return ReadingRole(snapshot.state, oid, is_superuser(snapshot.state, oid))
