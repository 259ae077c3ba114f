"""Plans of statements that give rows and change nothing."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from planner.ir.query import AsOf, Query
from planner.plans.copying import CopyOptions


@dataclass(frozen=True, slots=True)
class TableScan:
    """Each row of a query is made of one row of `table`, whose columns follow the query's own `arity` columns."""

    table: GlobalId
    arity: int


@dataclass(frozen=True, slots=True)
class SelectPlan:
    """A query; `scan`: of a cursor, whose client sees the scan's first columns alone."""

    query: Query
    as_of: AsOf | None = None
    scan: TableScan | None = None


@dataclass(frozen=True, slots=True)
class CopyToPlan:
    """COPY … TO STDOUT, or to `file`, which may be an object that `connection` leads to."""

    query: Query
    options: CopyOptions
    as_of: AsOf | None = None
    file: str | None = None
    connection: GlobalId | None = None
