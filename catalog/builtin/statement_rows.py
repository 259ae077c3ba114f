"""Contents of mz_internal's relations about present and past statements: own statements of each role, and all for
readers of all statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.builtin.shown_to import reader_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import StatementStatus, SystemSnapshot
from catalog.facts.roles.predefined import READ_ALL_STATS
from model.types.datum import Row

_CANCELED = "57014"


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


STATEMENT_ROWS: Mapping[str, Rows] = {"mz_recent_activity_log": _activity_log}
