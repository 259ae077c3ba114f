"""Answers peeks over a few rows without a job.

A job costs tens of milliseconds before its first row, for any number of rows. When all rows of a peek's inputs are in
memory, its plan is prepared once (compute/spark/prepared.py) and runs in Spark's driver, over the inputs' present rows.
Plans that differ only in constants of comparisons share a prepared query.

Such a run can only be stopped with Java as a whole, so its work is bounded in advance, by the plan and the numbers of
rows; beyond the bounds a job is started instead.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa
from pyspark.sql import SparkSession

from compute.protocol.measures import OperatorMeasure
from compute.protocol.vocabulary import CODEC
from compute.replica.peeks.lifting import lift_constants
from compute.replica.running.cache import RecentlyUsed
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from planner.ir.relation import (
    Constant,
    Filter,
    Finishing,
    Get,
    Join,
    Let,
    LocalGet,
    Map,
    Negate,
    Project,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.size import unfolded_size

HELD_MAX = 10_000
"""Rows of all inputs together."""
_BYTES_MAX = 4 << 20
_WORK_MAX = 5_000_000
"""Rows of all operators together: a second or two."""
_PLANS_MAX = 128
_SIZE_MAX = 24
"""Nodes of a plan: Spark's planner may take long over a large one, which would be planned twice to become a job."""


class PreparedPlan(Protocol):
    """A plan that receives its rows later."""

    @property
    def fallible(self) -> bool: ...

    def raise_for(self, batch: pa.RecordBatch) -> None: ...

    def run(self, tables: Mapping[GlobalId, pa.Table], scratch: Path) -> Iterator[pa.RecordBatch]: ...

    def traced(
        self, tables: Mapping[GlobalId, pa.Table], scratch: Path
    ) -> tuple[list[pa.RecordBatch], tuple[OperatorMeasure, ...]]:
        """Runs the plan; returns the batches of rows, and a measure of each operator."""
        ...


class Preparer(Protocol):
    """Prepares a plan for inputs with these schemas; returns None for a plan that needs a Spark job."""

    def __call__(
        self,
        spark: SparkSession,
        relation: Relation,
        finishing: Finishing,
        schemas: Mapping[GlobalId, pa.Schema],
    ) -> PreparedPlan | None: ...


@dataclass(frozen=True, slots=True)
class HeldRows:
    """An input of `arity` columns with all rows in memory, and perhaps a column `err`."""

    table: pa.Table
    arity: int


@dataclass(frozen=True, slots=True)
class _JobOnly:
    """Marks a plan that can't be prepared."""


class PreparedPeeks:
    """Keeps the most recently prepared queries. `directory` takes short-lived files."""

    def __init__(self, prepare: Preparer, directory: Path) -> None:
        self._prepare = prepare
        self._directory = directory
        self._plans: RecentlyUsed[PreparedPlan | _JobOnly] = RecentlyUsed(_PLANS_MAX)

    def answer(
        self,
        session: SparkSession,
        relation: Relation,
        finishing: Finishing,
        held: Mapping[GlobalId, HeldRows],
        *,
        traced: bool = False,
    ) -> tuple[PreparedPlan, list[pa.RecordBatch], tuple[OperatorMeasure, ...]] | None:
        """Answers a query with a prepared plan: returns the plan, its batches of rows and, if `traced`, the measures
        of its operators. Returns None when only a Spark job can answer. Raises SqlError as rendering does."""
        if not held or not is_light(relation, {id_: rows.table for id_, rows in held.items()}):
            return None
        lifted = lift_constants(relation)
        constant = {id_: HeldRows(table, table.num_columns) for id_, table in lifted.rows.items()}
        tables = {id_: lifted.table(id_, rows.table, rows.arity) for id_, rows in {**held, **constant}.items()}
        schemas = {id_: table.schema for id_, table in tables.items()}
        fields = tuple(tuple(schema.names) for schema in schemas.values())
        key = CODEC.encode((lifted.relation, finishing)), tuple(schemas), fields
        scratch = Path(tempfile.mkdtemp(dir=self._directory, prefix="prepared-"))
        batches: list[pa.RecordBatch] = []
        operators: tuple[OperatorMeasure, ...] = ()
        try:
            plan = self._plans.take(key) or self._prepare(session, lifted.relation, finishing, schemas) or _JobOnly()
            if isinstance(plan, _JobOnly):
                pass
            elif traced:
                batches, operators = plan.traced(tables, scratch)
            else:
                batches = list(plan.run(tables, scratch))
        except SqlError:
            raise
        except Exception:  # noqa: BLE001  (whatever Java says)
            # A job may do better, for it has more memory; or it tells what is wrong.
            plan = _JobOnly()
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        self._plans.put(key, plan)
        return None if isinstance(plan, _JobOnly) else (plan, batches, operators)


def is_light(relation: Relation, tables: Mapping[GlobalId, pa.Table]) -> bool:
    """Returns whether the plan is small and takes a second or two at most over these rows, whatever they contain."""
    rows = sum(table.num_rows for table in tables.values())
    if unfolded_size(relation) > _SIZE_MAX:
        return False
    if rows > HELD_MAX or sum(table.nbytes for table in tables.values()) > _BYTES_MAX:
        return False
    try:
        _Work({id_: table.num_rows for id_, table in tables.items()}).rows(relation)
    except _TooMuch:
        return False
    return True


class _TooMuch(Exception):
    """The plan would yield more rows than a prepared query may."""


@dataclass(slots=True)
class _Work:
    """An estimate of the rows that a plan's operators yield at most, added up in `done`; raises _TooMuch above the
    bound.

    sizes: the number of rows of each input
    locals: the number of rows of each relation that a Let has bound
    done: the rows counted up to now
    """

    sizes: Mapping[GlobalId, int]
    locals: dict[int, int] = field(default_factory=dict)
    done: int = 0

    def rows(self, relation: Relation) -> int:
        rows = self._rows(relation)
        self._charge(rows)
        return rows

    def _charge(self, rows: int) -> None:
        self.done += rows
        if self.done > _WORK_MAX:
            raise _TooMuch

    def _rows(self, relation: Relation) -> int:
        match relation:
            case Constant(counted):
                return sum(count for _, count in counted)
            case Get(id_):
                return self.sizes[id_]
            case LocalGet(local_id):
                return self.locals[local_id]
            case Let(local_id, value, body):
                self.locals[local_id] = self.rows(value)
                return self.rows(body)
            case Project(input_) | Map(input_) | Filter(input_) | Negate(input_) | Threshold(input_) | TopK(input_):
                return self.rows(input_)
            case Reduce(input_):
                return max(self.rows(input_), 1)
            case Join(left=left, right=right) if not relation.lateral:
                ours, theirs = self.rows(left), self.rows(right)
                return ours * max(theirs, 1) + theirs
            case Window(input_):
                rows = self.rows(input_)
                # A frame may be the whole group, for every row of it.
                self._charge(rows * rows)
                return rows
            case Union(inputs):
                return sum(map(self.rows, inputs))
            case _:
                raise _TooMuch
