"""Foreign keys: as they are declared, and as tables have them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId


class ReferentialAction(StrEnum):
    """The fate of rows whose referenced row is deleted or gets another key; the values are pg_constraint's."""

    NO_ACTION = "a"
    RESTRICT = "r"
    CASCADE = "c"
    SET_NULL = "n"
    SET_DEFAULT = "d"

    @property
    def writes(self) -> bool:
        """Tells whether the action changes referencing rows."""
        return self not in (ReferentialAction.NO_ACTION, ReferentialAction.RESTRICT)

    @property
    def words(self) -> str:
        return self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class ForeignKeyRule:
    """A foreign key's rule. `cleared`: positions of the columns that ON DELETE sets; if empty, all columns of the key.
    `validated`: rows from before the key satisfy the key too.
    """

    match_full: bool
    on_update: ReferentialAction
    on_delete: ReferentialAction
    cleared: tuple[int, ...] = ()
    deferrable: bool = False
    deferred: bool = False
    validated: bool = True


@dataclass(frozen=True, slots=True)
class NewForeignKey:
    """A new foreign key of the columns at these positions. `parent` None is the table itself, not yet created.
    `name` None: a name is made up."""

    name: str | None
    columns: tuple[int, ...]
    parent: GlobalId | None
    parent_columns: tuple[int, ...]
    rule: ForeignKeyRule


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A constraint of a table: of rows without a NULL in `columns`, the table `parent` has one with the same values in
    `parent_columns`. `key` is the unique index of the parent that it relies on."""

    oid: int
    name: str
    columns: tuple[int, ...]
    parent: GlobalId
    parent_columns: tuple[int, ...]
    key: GlobalId
    rule: ForeignKeyRule
