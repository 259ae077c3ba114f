"""jsonb queried by jsonpath: jsonb_path_exists, _match, _query and their kin, and the operators @? and @@."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json, load_json, write_jsonb
from model.text.jsonpaths.jsonpath_input import read_jsonpath
from model.types.scalar_type import BOOL, JSONB, JSONPATH, ScalarType
from planner.functions.json.jsonpath_datetimes import Moment, SessionZone
from planner.functions.json.jsonpath_evaluation import Evaluation
from planner.functions.json.jsonpath_values import PathError
from planner.functions.rows import function, key_of, operator
from planner.functions.signature import Function, TableFunction, Volatility
from planner.functions.tables.series import one_column
from planner.ir.scalar import SessionName


def _variables(text: str | None) -> Mapping[str, Json] | None:
    if text is None:
        return None
    value = load_json(text)
    if not isinstance(value, Mapping):
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            '"vars" argument is not an object',
            detail='Jsonpath parameters should be encoded as key-value pairs of "vars" object.',
        )
    return value


def _evaluation(text: str, path: str, variables: str | None, zone: SessionZone | None) -> Evaluation:
    return Evaluation(read_jsonpath(path), load_json(text), _variables(variables), zone)


def _found(text: str, path: str, variables: str | None, silent: bool, zone: SessionZone | None) -> list[Json]:
    """Returns the items that a path selects; when the path fails in a silent call, the items found before the
    failure."""
    found: list[Json] = []
    try:
        for item in _evaluation(text, path, variables, zone).items():
            found.append(item.text() if isinstance(item, Moment) else item)
    except PathError as failure:
        if not silent:
            raise failure.error from None
    return found


def path_exists(
    text: str, path: str, variables: str | None = "{}", silent: bool = False, zone: SessionZone | None = None
) -> bool | None:
    """Tells whether a path yields items; NULL when a silent call fails."""
    try:
        return _evaluation(text, path, variables, zone).any()
    except PathError as failure:
        if silent:
            return None
        raise failure.error from None


def path_match(
    text: str, path: str, variables: str | None = "{}", silent: bool = False, zone: SessionZone | None = None
) -> bool | None:
    """Returns the path's single item, which must be a boolean or null."""
    found = _found(text, path, variables, silent, zone)
    if len(found) == 1 and (found[0] is None or isinstance(found[0], bool)):
        return found[0]
    if silent:
        return None
    raise SqlError(Sqlstate.SINGLETON_SQL_JSON_ITEM_REQUIRED, "single boolean result is expected")


def _array(text: str, path: str, variables: str = "{}", silent: bool = False, zone: SessionZone | None = None) -> str:
    return write_jsonb(_found(text, path, variables, silent, zone))


def _first(
    text: str, path: str, variables: str = "{}", silent: bool = False, zone: SessionZone | None = None
) -> str | None:
    found = _found(text, path, variables, silent, zone)
    return write_jsonb(found[0]) if found else None


def _rows(
    text: str, path: str, variables: str = "{}", silent: bool = False, zone: SessionZone | None = None
) -> list[tuple[Any, ...]]:
    return [(write_jsonb(item),) for item in _found(text, path, variables, silent, zone)]


def _in_session(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the session's zone, and its time, behind the arguments."""
    return lambda *arguments: evaluate(*arguments[:-2], zone=SessionZone(*arguments[-2:]))


_SESSION = (SessionName.TIME_ZONE, SessionName.NOW)
_NAMED: tuple[tuple[str, ScalarType, Callable[..., Any]], ...] = (
    ("jsonb_path_exists", BOOL, path_exists),
    ("jsonb_path_match", BOOL, path_match),
    ("jsonb_path_query_array", JSONB, _array),
    ("jsonb_path_query_first", JSONB, _first),
)
_PAIR = (JSONB, JSONPATH)
_CALLS = (_PAIR, (*_PAIR, JSONB), (*_PAIR, JSONB, BOOL))

FUNCTIONS: tuple[Function, ...] = (
    operator("@?", "path_exists", _PAIR, BOOL, lambda text, path: path_exists(text, path, None, True), fallible=True),
    operator("@@", "path_match", _PAIR, BOOL, lambda text, path: path_match(text, path, None, True), fallible=True),
    *(
        function(name, arguments, result, evaluate, fallible=True)
        for name, result, evaluate in _NAMED
        for arguments in _CALLS
    ),
    *(
        function(
            f"{name}_tz",
            arguments,
            result,
            _in_session(evaluate),
            fallible=True,
            volatility=Volatility.STABLE,
            session=_SESSION,
        )
        for name, result, evaluate in _NAMED
        for arguments in _CALLS
    ),
)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = tuple(
    TableFunction(
        key_of(name, arguments), name, arguments, one_column(name, JSONB), evaluate, fallible=True, session=session
    )
    for name, evaluate, session in (
        ("jsonb_path_query", _rows, ()),
        ("jsonb_path_query_tz", _in_session(_rows), _SESSION),
    )
    for arguments in _CALLS
)
