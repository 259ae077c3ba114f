"""Contents of mz_internal's relations about present and past statements: own statements of each role, and all for
readers of all statistics."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterable, Mapping

from catalog.builtin.shown_to import reader_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import Durations, StatementStatus, SystemSnapshot
from catalog.facts.roles.predefined import READ_ALL_STATS
from model.types.datum import Row

_CANCELED = "57014"
_HIDDEN_TEXT = "<insufficient privilege>"


def _activity_log(snapshot: SystemSnapshot) -> Iterable[Row]:
    reader = reader_of(snapshot)
    everything = reader.has_privileges_of(READ_ALL_STATS)
    for each in snapshot.statements:
        if everything or reader.has_privileges_of(each.role):
            yield (
                each.number,
                each.pid,
                each.kind,
                each.user,
                each.database,
                each.application_name,
                each.type,
                each.sql,
                each.began_at,
                each.finished_at,
                each.queued_ms,
                each.planned_ms,
                each.executed_ms,
                _finished_status(each),
                each.sqlstate,
                each.rows,
                each.bytes,
                each.read_ts,
            )


def _finished_status(statement: StatementStatus) -> str | None:
    if statement.finished_at is None:
        return None
    if statement.sqlstate is None:
        return "success"
    return "canceled" if statement.sqlstate == _CANCELED else "error"


_BLOCKS = (0,) * 10
_BLOCK_TIMES = (0.0,) * 4
_WAL = 0, 0, decimal.Decimal(0)
_JIT = 0, 0.0, *(0, 0.0) * 3
"""Nothing here has PostgreSQL's blocks, its log or its compiler."""


def _statements(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists statements by what they are; others' texts are for readers of all statistics, as in PostgreSQL."""
    reader = reader_of(snapshot)
    everything = reader.has_privileges_of(READ_ALL_STATS)
    databases = {database.name: database.oid for database in snapshot.state.databases.values()}
    for each in snapshot.statistics.statements:
        if each.database in databases:
            shown = everything or reader.has_privileges_of(each.role)
            named = (each.query_id, each.text) if shown else (None, _HIDDEN_TEXT)
            planning, executing = _told(each.planning), _told(each.executing)
            place = each.role, databases[each.database], True
            yield *place, *named, *planning, *executing, each.rows, *_BLOCKS, *_BLOCK_TIMES, *_WAL, *_JIT


def _told(durations: Durations) -> Row:
    each = durations
    return each.count, each.total, each.least, each.largest, each.mean, each.deviation


def _statements_info(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield snapshot.statistics.left_out, snapshot.statistics.since


def _lifecycles(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists the stages of each statement that the activity log shows to the reader, as far as it has come."""
    reader = reader_of(snapshot)
    everything = reader.has_privileges_of(READ_ALL_STATS)
    for each in snapshot.statements:
        if everything or reader.has_privileges_of(each.role):
            yield each.number, "arrived", each.began_at - datetime.timedelta(milliseconds=each.queued_ms)
            yield each.number, "execution-began", each.began_at
            if each.planned_ms or each.finished_at is not None:
                planned = datetime.timedelta(milliseconds=each.planned_ms)
                yield each.number, "optimization-finished", each.began_at + planned
            if each.finished_at is not None:
                yield each.number, "execution-finished", each.finished_at


STATEMENT_ROWS: Mapping[str, Rows] = {
    "mz_recent_activity_log": _activity_log,
    "mz_statement_lifecycle_history": _lifecycles,
}


STATISTICS_ROWS: Mapping[str, Rows] = {
    "pg_stat_statements": _statements,
    "pg_stat_statements_info": _statements_info,
}
