"""The role that reads system relations, and the conditions of PostgreSQL on rows of information_schema."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.decide import column_rights, has_privileges_of, held, is_superuser, owns
from catalog.facts.roles.securables import Securable, column_acl, item_securable
from catalog.nouns.items import SUPERUSER_OID, Item
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

    def owns_of_system(self) -> bool:
        """Returns whether the role has the privileges of the owner of PostgreSQL's own types."""
        return self.unbound or has_privileges_of(self.state, self.role, SUPERUSER_OID)

    def may(self, item: Item, rights: str, by_column: str = "") -> bool:
        """Returns whether the role owns an item, has a right on the item, or one of `by_column` on a column."""
        return self.unbound or self.may_securable(item_securable(self.state, item), rights, by_column)

    def may_securable(self, object_: Securable, rights: str, by_column: str = "") -> bool:
        if self.unbound or owns(self.state, self.role, object_):
            return True
        found = held(self.state, self.role, object_)
        if not by_column:
            return any(right in found for right in rights)
        columns = [column for oid, column in self.state.acls if oid == object_.oid and column]
        lists = (column_acl(self.state, object_.oid, column) for column in columns)
        found_by_column = {letter for acl in lists for letter in held(self.state, self.role, object_, acl)}
        return any(right in found for right in rights) or any(right in found_by_column for right in by_column)

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
    role = snapshot.state.role_named(snapshot.user)
    oid = 0 if role is None else role.oid
    return ReadingRole(snapshot.state, oid, is_superuser(snapshot.state, oid))
