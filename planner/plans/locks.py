"""Plans of what locks: SELECT … FOR UPDATE and its kin, and LOCK TABLE."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc

if TYPE_CHECKING:
    from planner.ir.query import Query


class RowMode(IntEnum):
    """The strengths of locks on rows, the weakest first."""

    KEY_SHARE = 1
    SHARE = 2
    NO_KEY_UPDATE = 3
    UPDATE = 4

    @property
    def words(self) -> str:
        return "FOR " + self.name.replace("_", " ")


class TableMode(IntEnum):
    """PostgreSQL's modes of locks on tables, by its numbers. ALL_ROWS is taken for rows that are too many to be locked
    one by one: nobody else may have rows of the table locked."""

    ACCESS_SHARE = 1
    ROW_SHARE = 2
    ROW_EXCLUSIVE = 3
    SHARE_UPDATE_EXCLUSIVE = 4
    SHARE = 5
    SHARE_ROW_EXCLUSIVE = 6
    EXCLUSIVE = 7
    ACCESS_EXCLUSIVE = 8
    ALL_ROWS = 9

    @property
    def words(self) -> str:
        """The mode's name in PostgreSQL's messages and in pg_locks."""
        return "".join(word.capitalize() for word in self.name.split("_")) + "Lock"


class WaitPolicy(Enum):
    """The reaction to a row or table that another transaction has locked."""

    WAIT = "wait"
    NOWAIT = "nowait"
    SKIP = "skip locked"


@dataclass(frozen=True, slots=True)
class RowLocking:
    """The rows of `table` are locked that stand at `columns` of the query's relation: all columns of the
    table that have not been dropped, in order. At `stored` stand all columns of the table."""

    table: GlobalId
    name: str
    columns: tuple[int, ...]
    stored: tuple[int, ...]
    mode: RowMode
    waiting: WaitPolicy


@dataclass(frozen=True, slots=True)
class WholeLocking:
    """All rows of the tables under `relation` are locked, since those that a view or a subquery has read are not told
    apart."""

    relation: GlobalId
    mode: RowMode
    waiting: WaitPolicy


@dataclass(frozen=True, slots=True)
class LockRowsPlan:
    """A query with FOR UPDATE or its kin. `query`'s finishing gives all columns of its relation, of which the client
    sees the first, `arity`."""

    query: Query
    arity: int
    rows: tuple[RowLocking, ...]
    whole: tuple[WholeLocking, ...]

    @property
    def desc(self) -> RelationDesc:
        """The columns that the client sees."""
        return RelationDesc(self.query.desc.columns[: self.arity])


@dataclass(frozen=True, slots=True)
class LockTablePlan:
    """LOCK TABLE: the tables under the relations, with their names."""

    relations: tuple[tuple[GlobalId, str], ...]
    mode: TableMode
    nowait: bool
