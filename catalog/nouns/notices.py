"""Notices that statements send to clients."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors.sql_error import Severity
from model.errors.sqlstate import Sqlstate


@dataclass(frozen=True, slots=True)
class Notice:
    """Severity NOTICE, in PostgreSQL's fields, or WARNING."""

    sqlstate: Sqlstate
    message: str
    detail: str | None = None
    severity: Severity = Severity.NOTICE


def warning(sqlstate: Sqlstate, message: str) -> Notice:
    return Notice(sqlstate, message, severity=Severity.WARNING)


def skipping(sqlstate: Sqlstate, message: str) -> Notice:
    return Notice(sqlstate, f"{message}, skipping")
