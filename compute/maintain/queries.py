"""Runs the queries of one dataflow on Spark: over views of the changes, in the session that suits their size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

from compute.maintain.change import Change, literal_change
from compute.maintain.segments import SegmentQuery
from compute.operators.rendered import ERROR_COLUMN
from compute.scalars.spark_sql import Sql
from compute.spark.collect import collect_batches
from compute.spark.prepared import Asked, PreparedQuery, PreparedView, open_view, prepare
from compute.spark.session import Profile
from compute.spark.spool import Spool
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN

SMALL_ROWS_MAX = 50_000
LARGE_ROWS_MAX = 2_000_000
_HELD_ROWS_MAX = 1_000
_HELD_BYTES_MAX = 1 << 20
ERRORS = pa.schema([(ERROR_COLUMN, pa.string()), (TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())])


def profile_for(rows: int) -> Profile:
    """Returns the profile for a query over `rows` changes."""
    if rows <= SMALL_ROWS_MAX:
        return Profile.SMALL
    return Profile.LARGE if rows <= LARGE_ROWS_MAX else Profile.HUGE


class Queries:
    """Runs the queries of one dataflow. `schemas` are those of the views, by name; a view without a change is empty.
    `scratch` takes large answers."""

    def __init__(
        self, sessions: Mapping[Profile, SparkSession], schemas: Mapping[str, pa.Schema], scratch: Path
    ) -> None:
        self._schemas = schemas
        self._sessions = sessions
        self._scratch = scratch
        self._empty = {view: literal_change(schema.empty_table()) for view, schema in schemas.items()}
        self._views: set[tuple[Profile, str]] = set()
        self._shown: dict[tuple[Profile, str], Change] = {}
        self._opened: dict[str, PreparedView] = {}
        self._prepared: dict[Sql, PreparedQuery | None] = {}

    def prepare(self, query: SegmentQuery, views: Iterable[str]) -> PreparedQuery | None:
        """Returns the query over its views, planned once; None for a query that can only run as a job."""
        if query.text not in self._prepared:
            session = self._sessions[Profile.PREPARED]
            opened = [self._open(session, view) for view in views]
            self._prepared[query.text] = prepare(session, query.text, opened)
        return self._prepared[query.text]

    def prepared(self, query: SegmentQuery, changes: Mapping[str, Change | None]) -> Asked | None:
        """Returns the query with the rows of its views, to be asked without a job; None for a query that needs a job.

        The PREPARED session knows the query's functions. Prepared queries are kept, so a query that runs only once
        should not be prepared.
        """
        tables = {view: change.table for view, change in changes.items() if change is not None and change.rows}
        here = {view: table for view, table in tables.items() if table is not None}
        prepared = self.prepare(query, changes) if len(here) == len(tables) else None
        return None if prepared is None else (prepared, here)

    def run_prepared(self, asked: Asked) -> tuple[Spool, float]:
        """Runs a prepared query without a job; also returns the seconds that Java worked."""
        prepared, tables = asked
        seconds = 0.0

        def batches() -> Iterator[pa.RecordBatch]:
            nonlocal seconds
            seconds = yield from prepared.run(tables, self._scratch)

        return self.spooled(batches()), seconds

    def spooled(self, batches: Iterable[pa.RecordBatch]) -> Spool:
        """Returns an answer, to be closed by the caller."""
        spool = Spool(self._scratch, None)
        try:
            for batch in batches:
                spool.append(batch)
            spool.finish()
        except BaseException:
            spool.close()
            raise
        return spool

    def run(self, query: SegmentQuery, profile: Profile, changes: Mapping[str, Change | None]) -> Spool:
        """Returns the query's rows over its views, each filled with its change, if any. The caller closes the spool."""
        spool = Spool(self._scratch, None)
        try:
            self._collect(query, profile, changes, spool.append)
            spool.finish()
        except BaseException:
            spool.close()
            raise
        return spool

    def _collect(
        self,
        query: SegmentQuery,
        profile: Profile,
        changes: Mapping[str, Change | None],
        take: Callable[[pa.RecordBatch], None],
    ) -> None:
        collect_batches(self.frame(query, profile, changes), take)

    def frame(self, query: SegmentQuery, profile: Profile, changes: Mapping[str, Change | None]) -> DataFrame:
        """Returns the query over its views, each filled with its change, if any."""
        session = self._sessions[profile]
        for view, change in changes.items():
            self._show(session, profile, view, change)
        text = query.text if query.folded is None or profile is Profile.SMALL else query.folded
        return session.sql(text)

    def _open(self, session: SparkSession, view: str) -> PreparedView:
        if view not in self._opened:
            self._views.add((Profile.PREPARED, view))
            self._opened[view] = open_view(session, view, self._schemas[view])
        return self._opened[view]

    def forget(self) -> None:
        """Releases large changes that views still show."""
        for key, change in list(self._shown.items()):
            if change.table is None or change.rows > _HELD_ROWS_MAX or change.table.nbytes > _HELD_BYTES_MAX:
                del self._shown[key]
                self._drop(*key)

    def close(self) -> None:
        """Drops all views."""
        for key in list(self._views):
            self._drop(*key)
        self._shown.clear()

    def _drop(self, profile: Profile, view: str) -> None:
        self._views.discard((profile, view))
        self._sessions[profile].catalog.dropTempView(view)

    def _show(self, session: SparkSession, profile: Profile, view: str, change: Change | None) -> None:
        change = change if change is not None and change.rows else self._empty[view]
        if self._shown.get((profile, view)) is not change:
            frame = change.frame(session)
            if profile is Profile.SMALL and change.table is not None:
                # What is in one partition needs no shuffle, of which a small job would be most.
                frame = frame.coalesce(1)
            frame.createOrReplaceTempView(view)
            self._views.add((profile, view))
            self._shown[profile, view] = change


def split(query: SegmentQuery, spool: Spool, errors: list[pa.Table]) -> Iterator[pa.Table]:
    """Yields an answer's rows in chunks of the query's schema; error rows are added to `errors` instead."""
    for batch in spool.chunks():
        table = pa.Table.from_batches([batch])
        if query.fallible:
            error = table.column(ERROR_COLUMN)
            if error.null_count < table.num_rows:
                failed = table.filter(pc.is_valid(error))
                errors.append(failed.select(ERRORS.names).cast(ERRORS))
                table = table.filter(pc.is_null(error))
        yield table.select(query.schema.names).cast(query.schema)
