"""Failures that a user may see, in PostgreSQL's fields.

Expected failures are raised as SqlError. Broken invariants are assertions: they are left on, and reach a user as
an internal error (XX000).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.errors.error_sources import ErrorSource
from model.errors.sqlstate import Sqlstate


class Severity(StrEnum):
    ERROR = "ERROR"
    FATAL = "FATAL"
    WARNING = "WARNING"
    NOTICE = "NOTICE"
    INFO = "INFO"
    LOG = "LOG"
    DEBUG = "DEBUG"


@dataclass(frozen=True, slots=True)
class ErrorSubject:
    """The objects that an error is about, by unquoted names; clients tell constraints apart by them."""

    schema: str | None = None
    table: str | None = None
    column: str | None = None
    datatype: str | None = None
    constraint: str | None = None


class SqlError(Exception):
    """An error for the user, with an SQLSTATE as PostgreSQL gives it. `position` counts characters of the statement's
    text from 1; None when no place is to blame. `source`: where PostgreSQL raises it, for what clients look at."""

    def __init__(
        self,
        sqlstate: Sqlstate,
        message: str,
        *,
        detail: str | None = None,
        hint: str | None = None,
        position: int | None = None,
        severity: Severity = Severity.ERROR,
        context: str | None = None,
        subject: ErrorSubject | None = None,
        source: ErrorSource | None = None,
    ) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate
        self.message = message
        self.detail = detail
        self.hint = hint
        self.position = position
        self.severity = severity
        self.context = context
        self.subject = subject
        self.source = source

    def __reduce__(self) -> tuple[object, ...]:
        """Has errors pickled with all their fields, for other processes."""
        fields = (self.sqlstate, self.message, self.detail, self.hint, self.position, self.severity, self.context)
        return _remade, (*fields, self.subject, self.source)

    def at(self, position: int | None) -> SqlError:
        """Returns this error with a position, unless it has one already."""
        if self.position is None:
            self.position = position
        return self


def _remade(
    sqlstate: Sqlstate,
    message: str,
    detail: str | None,
    hint: str | None,
    position: int | None,
    severity: Severity,
    context: str | None,
    subject: ErrorSubject | None,
    source: ErrorSource | None,
) -> SqlError:
    error = SqlError(sqlstate, message, detail=detail, hint=hint, position=position, severity=severity)
    error.context, error.subject, error.source = context, subject, source
    return error


class NotSupported(SqlError):
    """The error 0A000 for a feature that PostgreSQL or Materialize has, and this server lacks."""

    def __init__(self, feature: str, *, hint: str | None = None, position: int | None = None) -> None:
        super().__init__(Sqlstate.FEATURE_NOT_SUPPORTED, f"{feature} is not supported", hint=hint, position=position)
