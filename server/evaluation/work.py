"""One evaluation: a query without parameters, together with everything that decides its answer, fixed at the start."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from catalog.declared.snapshot import SystemSnapshot
from catalog.lookup.system_lookup import CatalogLookup
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.text.context import TextContext
from model.types.datum import Datum, Row
from planner.functions.growing import bytes_of
from planner.functions.system.lock_lookup import AdvisoryLock
from planner.functions.system.session_facts import SessionFacts
from planner.interpret.context import EvaluationContext
from planner.interpret.streaming import stream_query
from planner.ir.query import Query
from planner.ir.scalar import SessionName
from server.evaluation.system_rows import with_system_rows

_ROWS_A_BATCH = 1000
_BYTES_A_BATCH = 1 << 20


@dataclass(frozen=True, slots=True)
class Viewer:
    """The reader of a query, as far as names and oids depend on it, and the catalog that the reader sees."""

    state: CatalogState
    database: str
    search_path: tuple[str, ...]
    user: str


@dataclass(frozen=True, slots=True)
class Work:
    """A query for a worker to evaluate. `snapshot` is what system relations are computed from; None where none is
    read."""

    query: Query
    text: TextContext
    session: Mapping[SessionName, Datum]
    viewer: Viewer
    snapshot: SystemSnapshot | None = None


class AskedFacts(SessionFacts, Protocol):
    """The facts of a session, in the environment, and what its functions wait for there."""

    async def call_large_object(self, function: str, arguments: tuple[Any, ...]) -> Any:
        """Returns what a function of large objects returns."""
        ...

    async def wait_for_lock(self, lock: AdvisoryLock) -> None:
        """Waits until the session holds the lock. Raises SqlError 40P01 for a wait in a circle, 55P03 after
        lock_timeout."""
        ...


class Evaluations(Protocol):
    """A place where queries are evaluated."""

    def rows(self, work: Work, facts: AskedFacts) -> AsyncGenerator[list[Row]]:
        """Returns the query's rows, in batches. What its functions ask of the session is asked of `facts` on the event
        loop, in the order of the evaluation. Raises SqlError as the expressions raise; raises 53200 when it needs more
        memory than it may have. Closing the generator ends the evaluation."""
        ...

    async def close(self) -> None:
        """Ends all evaluations."""
        ...


def work_context(work: Work, facts: SessionFacts) -> EvaluationContext:
    """Returns the interpreter's context."""
    viewer = work.viewer
    lookup = CatalogLookup(viewer.state, viewer.database, viewer.search_path, viewer.user, facts)
    return EvaluationContext(text=work.text, session=work.session, system=lookup)


def work_rows(work: Work, facts: SessionFacts) -> Iterator[Row]:
    """Yields the rows as they are computed."""
    query = work.query
    if work.snapshot is not None:
        query = Query(with_system_rows(query.relation, work.snapshot), query.finishing, query.desc)
    return stream_query(query, work_context(work, facts))


def batches_of(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Yields rows in batches of a thousand, or of a mebibyte. Rows before a failing one are yielded before its error
    is raised."""
    batch: list[Row] = []
    held = 0
    try:
        for row in rows:
            batch.append(row)
            held += bytes_of(row)
            if len(batch) == _ROWS_A_BATCH or held > _BYTES_A_BATCH:
                yield batch
                batch, held = [], 0
    except SqlError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
