"""A system relation: its name, ids and desc are fixed for ever; its rows are a function of a SystemSnapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from catalog.declared.snapshot import SystemSnapshot
from model.ids.global_id import GlobalId
from model.types.datum import Row
from model.types.relation_desc import RelationDesc


class RelationKind(StrEnum):
    """As pg_class.relkind tells it."""

    TABLE = "r"
    VIEW = "v"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A system relation without its contents.

    `description` says what a row tells, for docs/system_relations.md. PostgreSQL documents its own.
    """

    oid: int
    schema: str
    name: str
    kind: RelationKind
    desc: RelationDesc
    description: str = ""


Rows = Callable[[SystemSnapshot], Iterable[Row]]


def no_rows(snapshot: SystemSnapshot) -> Iterable[Row]:
    """The contents of a relation about things that Headwater doesn't have."""
    return ()


@dataclass(frozen=True, slots=True)
class BuiltinRelation:
    """`rows` yields tuples of datums in the order of `desc`. The GlobalId is `s` and the oid."""

    oid: int
    schema: str
    name: str
    kind: RelationKind
    desc: RelationDesc
    rows: Rows

    @property
    def id(self) -> GlobalId:
        return GlobalId.system(self.oid)
