"""jsonb queried by jsonpath: jsonb_path_exists, _match, _query and their kin, and the operators @? and @@."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from model.errors import SqlError
from model.scalar_type import BOOL, JSONB, JSONPATH, ScalarType
from model.sqlstate import Sqlstate
from model.text.json_text import Json, load_json, write_jsonb
from model.text.jsonpath_input import read_jsonpath
from planner.functions.jsonpath_evaluation import Evaluation
from planner.functions.jsonpath_values import PathError
from planner.functions.rows import function, key_of, operator
from planner.functions.signature import Function, TableFunction, Volatility
from planner.functions.table_functions import one_column


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


def _evaluation(text: str, path: str, variables: str | None) -> Evaluation:
    return Evaluation(read_jsonpath(path), load_json(text), _variables(variables))


def _found(text: str, path: str, variables: str | None, silent: bool) -> list[Json]:
    """The items; when the path fails and the call is silent, those until then."""
    found: list[Json] = []
    try:
        found.extend(_evaluation(text, path, variables).items())
    except PathError as failure:
        if not silent:
            raise failure.error from None
    return found


def path_exists(text: str, path: str, variables: str | None = "{}", silent: bool = False) -> bool | None:
    """Whether there are items; NULL when a silent call fails."""
    try:
        return _evaluation(text, path, variables).any()
    except PathError as failure:
        if silent:
            return None
        raise failure.error from None


def path_match(text: str, path: str, variables: str | None = "{}", silent: bool = False) -> bool | None:
    """The one item, which must be a boolean or null."""
    found = _found(text, path, variables, silent)
    if len(found) == 1 and (found[0] is None or isinstance(found[0], bool)):
        return found[0]
    if silent:
        return None
    raise SqlError(Sqlstate.SINGLETON_SQL_JSON_ITEM_REQUIRED, "single boolean result is expected")


def _array(text: str, path: str, variables: str = "{}", silent: bool = False) -> str:
    return write_jsonb(_found(text, path, variables, silent))


def _first(text: str, path: str, variables: str = "{}", silent: bool = False) -> str | None:
    found = _found(text, path, variables, silent)
    return write_jsonb(found[0]) if found else None


def _rows(text: str, path: str, variables: str = "{}", silent: bool = False) -> list[tuple[Any, ...]]:
    return [(write_jsonb(item),) for item in _found(text, path, variables, silent)]


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
        function(name + suffix, arguments, result, evaluate, fallible=True, volatility=volatility)
        for name, result, evaluate in _NAMED
        for arguments in _CALLS
        for suffix, volatility in (("", Volatility.IMMUTABLE), ("_tz", Volatility.STABLE))
    ),
)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = tuple(
    TableFunction(key_of(name, arguments), name, arguments, one_column(name, JSONB), _rows, fallible=True)
    for name in ("jsonb_path_query", "jsonb_path_query_tz")
    for arguments in _CALLS
)
