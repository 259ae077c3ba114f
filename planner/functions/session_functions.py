"""The names of functions whose value is the session's, the statement's or the transaction's."""

from __future__ import annotations

from planner.ir.scalar import SessionName

SESSION_FUNCTIONS = {
    "now": SessionName.NOW,
    "transaction_timestamp": SessionName.NOW,
    "statement_timestamp": SessionName.STATEMENT_TIME,
    "clock_timestamp": SessionName.CLOCK_TIME,
    "mz_now": SessionName.MZ_NOW,
    "current_database": SessionName.CURRENT_DATABASE,
    "current_schema": SessionName.CURRENT_SCHEMA,
    "pg_backend_pid": SessionName.BACKEND_PID,
    "pg_export_snapshot": SessionName.EXPORTED_SNAPSHOT,
}
