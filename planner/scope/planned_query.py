"""A query planned, with its order and limit still apart from its relation."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.ir.aggregate import SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Finishing, Project, Relation, TopK
from planner.ir.scalar import Scalar
from planner.plans.locks import LockRowsPlan, RowLocking, WholeLocking


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """A planned query. The first columns of `relation` are the result's, named by `names`; columns behind them are for
    sort keys. `locked`: the rows and tables that FOR UPDATE and its kin lock.
    """

    relation: Relation
    names: tuple[str, ...]
    order: tuple[SortKey, ...] = ()
    limit: Scalar | None = None
    offset: Scalar | None = None
    locked: tuple[RowLocking | WholeLocking, ...] = ()

    @property
    def arity(self) -> int:
        return len(self.names)

    @property
    def desc(self) -> RelationDesc:
        columns = relation_desc_of(self.relation).columns[: self.arity]
        return RelationDesc(
            tuple(ColumnDesc(name, c.type, c.nullable) for name, c in zip(self.names, columns, strict=True))
        )

    def closed(self) -> Relation:
        """Returns a relation of exactly the result's columns; order without a limit means nothing there."""
        relation = self.limited()
        if relation_desc_of(relation).arity == self.arity:
            return relation
        return Project(relation, tuple(range(self.arity)))

    def limited(self) -> Relation:
        """Returns a relation whose first columns are the result's, followed by its sort keys."""
        if self.limit is None and self.offset is None:
            return self.relation
        return TopK(self.relation, (), self.order, self.limit, self.offset)

    def finished(self) -> Query:
        """Returns the query of a statement."""
        finishing = Finishing(self.order, self.limit, self.offset, tuple(range(self.arity)))
        return Query(self.relation, finishing, self.desc)

    def locking(self) -> LockRowsPlan:
        """Returns the plan of a statement's query that locks."""
        width = relation_desc_of(self.relation)
        finishing = Finishing(self.order, self.limit, self.offset, tuple(range(width.arity)))
        rows = tuple(each for each in self.locked if isinstance(each, RowLocking))
        whole = tuple(each for each in self.locked if isinstance(each, WholeLocking))
        names = (*self.desc.columns, *width.columns[self.arity :])
        return LockRowsPlan(Query(self.relation, finishing, RelationDesc(names)), self.arity, rows, whole)
