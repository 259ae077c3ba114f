"""The checks of a cast to a domain: a value is present, and meets the constraints. The planner writes these calls."""

from __future__ import annotations

import re
from typing import Any

from model.errors.error_sources import BROKEN_DOMAIN_CHECK, NULL_IN_DOMAIN
from model.errors.sql_error import ErrorSubject, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum
from model.types.scalar_type import BOOL, TEXT
from planner.functions.rows import ANY, ANYELEMENT, first_type, function, syntax
from planner.functions.signature import Function


def null_refused(domain: str) -> str:
    return f"domain {domain} does not allow null values"


def check_violated(domain: str, constraint: str) -> str:
    return f'value for domain {domain} violates check constraint "{constraint}"'


def _subject(domain: str | None, schema: str, constraint: str | None = None) -> ErrorSubject:
    """Names a domain, which is NULL where the functions are called with anything, as no statement calls them."""
    names = [] if domain is None else re.findall(r'"(?:[^"]|"")*"|[^."]+', domain)
    last = names[-1] if names else domain
    plain = last[1:-1].replace('""', '"') if last is not None and last.startswith('"') else last
    return ErrorSubject(schema=schema, datatype=plain, constraint=constraint)


def _not_null(value: Datum, domain: str, schema: str) -> Datum:
    if value is None:
        subject = _subject(domain, schema)
        raise SqlError(Sqlstate.NOT_NULL_VIOLATION, null_refused(domain), subject=subject, source=NULL_IN_DOMAIN)
    return value


def _checked(value: Any, holds: bool | None, domain: str, schema: str, constraint: str) -> Any:
    """Returns the value of a domain if the condition is true or NULL; raises 23514 otherwise."""
    if holds is False:
        subject = _subject(domain, schema, constraint)
        message, source = check_violated(domain, constraint), BROKEN_DOMAIN_CHECK
        raise SqlError(Sqlstate.CHECK_VIOLATION, message, subject=subject, source=source)
    return value


NOT_NULL = syntax("domain_not_null", (ANY, TEXT, TEXT), first_type, _not_null, strict=False, fallible=True)
CHECKED = syntax("domain_check", (ANY, BOOL, TEXT, TEXT, TEXT), first_type, _checked, strict=False, fallible=True)

ASSERTION = "mz_assert_not_null"


def _asserted(value: Datum, column: str | None) -> Datum:
    if value is None:
        raise SqlError(Sqlstate.NOT_NULL_VIOLATION, f'column "{column}" must not be null')
    return value


FUNCTIONS: tuple[Function, ...] = (
    NOT_NULL,
    CHECKED,
    function(ASSERTION, (ANYELEMENT, TEXT), first_type, _asserted, strict=False, fallible=True),
)
