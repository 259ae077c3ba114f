"""Plans of COPY, from and to the client or a file of the server's; and of BACKUP."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.ir.scalar import Scalar
from planner.plans.constraints import NO_RULES, TableRules
from planner.plans.subscribing import SubscribePlan


@dataclass(frozen=True, slots=True)
class CopyOptions:
    """COPY's options as written, None for what is not said; the wire checks and completes them. `header` is the word
    ("true" for a bare HEADER), FORCE options are column names or ("*",)."""

    format: str | None = None
    delimiter: str | None = None
    null: str | None = None
    header: str | None = None
    quote: str | None = None
    escape: str | None = None
    force_quote: tuple[str, ...] | None = None
    force_not_null: tuple[str, ...] | None = None
    force_null: tuple[str, ...] | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class CopyFromPlan:
    """COPY t (columns) FROM STDIN, or from `file`, which may be objects that `connection` leads to: `columns` are
    positions in the target; `defaults` one scalar for each target column not named (NULL literal without DEFAULT).
    `checked` gives the columns of domains, from the row as it was read. Rows of the table for which `where` is not true
    are left out; `where` reads no generated column."""

    target: GlobalId
    columns: tuple[int, ...]
    defaults: tuple[tuple[int, Scalar], ...]
    options: CopyOptions
    checked: tuple[tuple[int, Scalar], ...] = ()
    where: Scalar | None = None
    rules: TableRules = NO_RULES
    file: str | None = None
    connection: GlobalId | None = None


@dataclass(frozen=True, slots=True)
class CopySubscribePlan:
    """COPY (SUBSCRIBE …) TO STDOUT."""

    subscribe: SubscribePlan
    options: CopyOptions


@dataclass(frozen=True, slots=True)
class BackupPlan:
    """BACKUP TO `place`, a directory or `s3://bucket/prefix`; the one row of its result says what was written."""

    place: str
    desc: RelationDesc
