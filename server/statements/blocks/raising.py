"""RAISE: messages to the client and errors; and the handlers of errors."""

from __future__ import annotations

from collections.abc import Sequence

from model.errors.sql_error import ErrorSubject, Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.functions import BlockHandler, RaiseStep
from server.statements.blocks.variables import Variables
from server.statements.statement_session import StatementSession

_SEVERITIES = {
    "debug": Severity.DEBUG,
    "log": Severity.LOG,
    "info": Severity.INFO,
    "notice": Severity.NOTICE,
    "warning": Severity.WARNING,
}
_UNCAUGHT = (Sqlstate.QUERY_CANCELED, Sqlstate.ASSERT_FAILURE)
_NULL = "<NULL>"


async def raised(step: RaiseStep, variables: Variables, session: StatementSession) -> None:
    """Sends a message, or raises SqlError with the message."""
    options = {word: await _option(variables, word, expression) for word, expression in step.options}
    code = options.get("errcode") or step.condition
    sqlstate = _default(step.level) if code is None else sqlstate_of(code)
    message = options.get("message")
    if step.message is not None:
        message = _filled(step.message, [await variables.text(each) for each in step.parameters])
    if message is None:
        message = code or sqlstate.value
    severity = _SEVERITIES.get(step.level)
    if severity is not None:
        session.notice(severity, sqlstate, message, detail=options.get("detail"), hint=options.get("hint"))
        return
    subject = ErrorSubject(*(options.get(word) for word in ("schema", "table", "column", "datatype", "constraint")))
    raise SqlError(sqlstate, message, detail=options.get("detail"), hint=options.get("hint"), subject=subject)


async def _option(variables: Variables, word: str, expression: str) -> str:
    found = await variables.text(expression)
    if found is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "RAISE statement option cannot be null")
    return found


def _default(level: str) -> Sqlstate:
    if level == "exception":
        return Sqlstate.RAISE_EXCEPTION
    return Sqlstate.WARNING if level == "warning" else Sqlstate.SUCCESSFUL_COMPLETION


def _filled(message: str, values: Sequence[str | None]) -> str:
    """Returns the message with a value for each %, and % for %%."""
    parts, left = [], iter(values)
    for part in message.split("%%"):
        first, *rest = part.split("%")
        parts.append(first + "".join(_shown(next(left)) + each for each in rest))
    return "%".join(parts)


def _shown(value: str | None) -> str:
    return _NULL if value is None else value


def sqlstate_of(code: str) -> Sqlstate:
    """Returns the SQLSTATE that a code, or the name of a condition, means. Raises SqlError 42704 for an unknown
    name."""
    named = Sqlstate.__members__.get(code.upper()) if not code.isupper() else None
    if named is not None:
        return named
    if len(code) != 5 or not code.isalnum() or code != code.upper():
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'unrecognized exception condition "{code}"')
    return Sqlstate(code)


def told_of(error: SqlError, kind: str) -> str:
    """Returns what GET STACKED DIAGNOSTICS tells of an error by one of its words; "" for what the error lacks."""
    subject = error.subject
    told = {
        "RETURNED_SQLSTATE": error.sqlstate.value,
        "MESSAGE_TEXT": error.message,
        "PG_EXCEPTION_DETAIL": error.detail,
        "PG_EXCEPTION_HINT": error.hint,
    }
    if subject is not None:
        told |= {
            "SCHEMA_NAME": subject.schema,
            "TABLE_NAME": subject.table,
            "COLUMN_NAME": subject.column,
            "PG_DATATYPE_NAME": subject.datatype,
            "CONSTRAINT_NAME": subject.constraint,
        }
    return told.get(kind) or ""


def handler_of(error: SqlError, handlers: Sequence[BlockHandler]) -> BlockHandler | None:
    """Returns the first handler that takes an error."""
    return next((each for each in handlers if any(_takes(name, error) for name in each.conditions)), None)


def _takes(condition: str, error: SqlError) -> bool:
    if condition == "others":
        return error.sqlstate not in _UNCAUGHT
    wanted = sqlstate_of(condition)
    if wanted.value.endswith("000"):
        return error.sqlstate.value.startswith(wanted.value[:2])
    return error.sqlstate == wanted
