"""A system relation: name, ids and columns never change; the rows are a function of a SystemSnapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from catalog.declared.snapshot import SystemSnapshot
from model.ids.global_id import GlobalId
from model.types.datum import Row
from model.types.relation_desc import RelationDesc


class RelationKind(StrEnum):
    """The kind of a system relation, with the letter in pg_class.relkind."""

    TABLE = "r"
    VIEW = "v"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A system relation without its contents.

    `description` explains a row, for docs/system_relations.md; the relations that PostgreSQL documents have none.
    """

    oid: int
    schema: str
    name: str
    kind: RelationKind
    desc: RelationDesc
    description: str = ""


Rows = Callable[[SystemSnapshot], Iterable[Row]]


def no_rows(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Returns the contents of a relation about things that Headwater doesn't have."""
    return ()


@dataclass(frozen=True, slots=True)
class BuiltinRelation:
    """A system relation. `rows` yields tuples of datums in the order of `desc`. The GlobalId is `s` and the oid."""

    oid: int
    schema: str
    name: str
    kind: RelationKind
    desc: RelationDesc
    rows: Rows

    @property
    def id(self) -> GlobalId:
        return GlobalId.system(self.oid)
