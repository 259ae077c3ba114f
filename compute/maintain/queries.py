"""The queries of one dataflow as they run on Spark: over views of what changed, in the session that suits the size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession

from compute.maintain.change import Change, literal_change
from compute.maintain.segments import Query
from compute.operators.rendered import ERROR_COLUMN
from compute.spark.collect import collect_batches
from compute.spark.session import Profile
from compute.spark.spool import Spool
from model.physical import DIFF_COLUMN, TIME_COLUMN

SMALL_ROWS_MAX = 50_000
LARGE_ROWS_MAX = 2_000_000
ERRORS = pa.schema([(ERROR_COLUMN, pa.string()), (TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())])


def profile_for(rows: int) -> Profile:
    """How a query over so many changes runs."""
    if rows <= SMALL_ROWS_MAX:
        return Profile.SMALL
    return Profile.LARGE if rows <= LARGE_ROWS_MAX else Profile.HUGE


class Queries:
    """`schemas` are those of the views, by name; a view without a change is empty. `scratch` takes large answers."""

    def __init__(
        self, sessions: Mapping[Profile, SparkSession], schemas: Mapping[str, pa.Schema], scratch: Path
    ) -> None:
        self._sessions = sessions
        self._scratch = scratch
        self._empty = {view: literal_change(schema.empty_table()) for view, schema in schemas.items()}
        self._shown: dict[tuple[Profile, str], Change] = {}

    def run(self, query: Query, profile: Profile, changes: Mapping[str, Change]) -> Spool:
        """The query's rows over the views that it reads, each with its change; to be closed by the caller."""
        session = self._sessions[profile]
        for view, change in changes.items():
            self._show(session, profile, view, change)
        spool = Spool(self._scratch, None)
        try:
            spool.finish(collect_batches(session.sql(query.text), spool.append))
        except BaseException:
            spool.close()
            raise
        return spool

    def close(self) -> None:
        """Drops all views."""
        for profile, view in self._shown:
            self._sessions[profile].catalog.dropTempView(view)
        self._shown.clear()

    def _show(self, session: SparkSession, profile: Profile, view: str, change: Change) -> None:
        change = change if change.rows else self._empty[view]
        if self._shown.get((profile, view)) is not change:
            change.frame(session).createOrReplaceTempView(view)
            self._shown[profile, view] = change


def split(query: Query, spool: Spool, errors: list[pa.Table]) -> Iterator[pa.Table]:
    """The rows of an answer in the query's schema, in chunks; those that are errors are added to `errors` instead."""
    for batch in spool.chunks():
        table = pa.Table.from_batches([batch])
        if query.fallible:
            error = table.column(ERROR_COLUMN)
            if error.null_count < table.num_rows:
                failed = table.filter(pc.is_valid(error))
                errors.append(failed.select(ERRORS.names).cast(ERRORS))
                table = table.filter(pc.is_null(error))
        yield table.select(query.schema.names).cast(query.schema)
