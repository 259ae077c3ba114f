"""Members of JSON objects as columns of the types that the query says: json(b)_to_record and its kin.

json(b)_to_record has a second argument, which only the planner gives: a NULL of the record type that the column
definition list makes. Domains are not looked at here; the planner checks what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import load_json
from model.text.context import TextContext
from model.text.dispatch import parser
from model.text.modifiers import apply_modifier
from model.types.arrays import check_depth, shaped
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, JSON, JSONB, ScalarType, TypeName
from planner.functions.failures import invalid_parameter
from planner.functions.json.json_extract import json_elements, json_members
from planner.functions.rows import ANY, ANYELEMENT, function, key_of
from planner.functions.signature import Function, TableFunction, Volatility
from planner.ir.scalar import SessionName

Row = tuple[Any, ...]
Types = tuple[ScalarType, ...]


def _opening(text: str) -> str:
    return text.lstrip(" \t\n\r")[0]


def _converted(text: str | None, type_: ScalarType, context: TextContext, key: str, default: Any = None) -> Any:
    """Returns a member's JSON text as a value of its column's type; raises 22P02 for what doesn't fit. A string is the
    text of a value of any type; what an object doesn't say of a record is as in `default`."""
    if text is None or text.strip() == "null":
        return None
    if type_.name in (TypeName.JSON, TypeName.JSONB):
        return parser(type_)(text)
    opening = _opening(text)
    if type_.element is not None and opening != '"':
        return _Elements(type_.element, context, key).read(text)
    if type_.name is TypeName.RECORD and opening != '"':
        return _record(text, default, type_, context)
    written = str(load_json(text)) if opening == '"' else text
    return apply_modifier(parser(type_.plain(), context)(written), type_, explicit=False)


class _Elements:
    """The elements of an array in JSON, which has as many dimensions as its first element has, and one."""

    def __init__(self, element: ScalarType, context: TextContext, key: str) -> None:
        self._element, self._context, self._key = element, context, key
        self._depth: int | None = None
        self._lengths: dict[int, int] = {}
        self._items: list[Any] = []

    def read(self, text: str) -> Any:
        self._read(text, ())
        assert self._depth is not None, "the innermost arrays say it"
        check_depth(self._depth)
        return shaped(self._items, tuple((1, self._lengths[level]) for level in range(self._depth)))

    def _read(self, text: str, path: tuple[int, ...]) -> None:
        """Reads a piece of JSON; `path` is where the text stands, by indices from 0."""
        if _opening(text) != "[":
            raise self._not_array(path)
        elements, level = list(json_elements(text)), len(path)
        if self._depth is None and (not elements or _opening(elements[0]) != "["):
            self._depth = level + 1
        for index, element in enumerate(elements):
            if self._depth is None or level + 1 < self._depth:
                self._read(element, (*path, index))
            else:
                self._items.append(_converted(element, self._element, self._context, self._key))
        if self._lengths.setdefault(level, len(elements)) != len(elements):
            detail = "Multidimensional arrays must have sub-arrays with matching dimensions."
            raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "malformed JSON array", detail=detail)

    def _not_array(self, path: tuple[int, ...]) -> SqlError:
        place = "".join(f"[{index}]" for index in path)
        hint = (
            f'See the array element {place} of key "{self._key}".' if path else f'See the value of key "{self._key}".'
        )
        return SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "expected JSON array", hint=hint)


def _record(text: str, base: Row | None, type_: ScalarType, context: TextContext) -> Row:
    """Returns an object's members as the fields of a record; those that it doesn't have are as in `base`."""
    if _opening(text) != "{":
        what = "an array" if _opening(text) == "[" else "a scalar"
        raise invalid_parameter(f"cannot call populate_composite on {what}")
    members = dict(json_members(text))
    defaults = (None,) * len(type_.fields) if base is None else base
    return tuple(
        _converted(members[name], field, context, name, default) if name in members else default
        for (name, field), default in zip(type_.fields, defaults, strict=True)
    )


def _context(zone: str, date_style: str) -> TextContext:
    return TextContext(time_zone=zone, date_style=date_style)


def _of_object(types: Types, text: str | None, sample: None, zone: str, date_style: str) -> list[Row]:
    if text is None:
        return [(None,) * len(types[1].fields)]
    return [_record(text, None, types[1], _context(zone, date_style))]


def _populated(types: Types, base: Row | None, text: str | None, *rest: Any) -> Row | None:
    """Fills a record from JSON; `rest` ends with the session's time zone and DateStyle; a flag before them is long
    without meaning."""
    return base if text is None else _record(text, base, types[0], _context(*rest[-2:]))


def _populated_set(name: str) -> Callable[..., list[Row]]:
    def evaluate(types: Types, base: Row | None, text: str | None, *rest: Any) -> list[Row]:
        return _rows(name, text, base, types[0], _context(*rest[-2:]))

    return evaluate


def _of_array(name: str) -> Callable[..., list[Row]]:
    def evaluate(types: Types, text: str | None, sample: None, zone: str, date_style: str) -> list[Row]:
        return _rows(name, text, None, types[1], _context(zone, date_style))

    return evaluate


def _rows(name: str, text: str | None, base: Row | None, type_: ScalarType, context: TextContext) -> list[Row]:
    """Returns the objects of an array."""
    if text is None:
        return []
    if _opening(text) != "[":
        what = "an object" if _opening(text) == "{" else "a scalar"
        raise invalid_parameter(f"cannot call {name} on {'a non-array' if name.startswith('jsonb') else what}")
    elements = list(json_elements(text))
    if any(_opening(element) != "{" for element in elements):
        raise invalid_parameter(f"argument of {name} must be an array of objects")
    return [_record(element, base, type_, context) for element in elements]


def _row_type(name: str) -> Callable[[Types], ScalarType]:
    """Returns the first argument's; raises 42804 when it is no row type, 0A000 when nothing says what its fields
    are."""

    def result(types: Types) -> ScalarType:
        if types[0] == ANYELEMENT:
            return types[0]
        if types[0].name is not TypeName.RECORD:
            message = f"first argument of {name} must be a row type"
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)
        if not types[0].fields:
            hint = "Provide a non-null record argument, or call the function in the FROM clause using a column"
            message = f"could not determine row type for result of {name}"
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=f"{hint} definition list.")
        return types[0]

    return result


def _desc(types: Types) -> RelationDesc:
    return relation_desc(*types[1].fields)


def _populated_desc(name: str) -> Callable[[Types], RelationDesc]:
    row_type = _row_type(name)
    return lambda types: relation_desc(*row_type(types).fields)


_SESSION = (SessionName.TIME_ZONE, SessionName.DATE_STYLE)


def _table_function(
    name: str, arguments: Types, desc: Callable[[Types], RelationDesc], evaluate: Callable[..., list[Row]]
) -> TableFunction:
    key = key_of(name, arguments)
    return TableFunction(key, name, arguments, desc, evaluate, False, True, session=_SESSION, typed=True)


def _record_function(name: str, arguments: Types) -> Function:
    return function(
        name,
        arguments,
        _row_type(name),
        _populated,
        strict=False,
        fallible=True,
        typed=True,
        session=_SESSION,
        volatility=Volatility.STABLE,
    )


_SOURCES: tuple[tuple[ScalarType, Types], ...] = (
    (JSON, (ANYELEMENT, JSON)),
    (JSON, (ANYELEMENT, JSON, BOOL)),
    (JSONB, (ANYELEMENT, JSONB)),
)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = (
    *(
        _table_function(name, (type_, ANY), _desc, evaluate)
        for type_ in (JSON, JSONB)
        for name, evaluate in (
            (f"{type_}_to_record", _of_object),
            (f"{type_}_to_recordset", _of_array(f"{type_}_to_recordset")),
        )
    ),
    *(
        _table_function(name, arguments, _populated_desc(name), _populated_set(name))
        for name, arguments in ((f"{type_}_populate_recordset", arguments) for type_, arguments in _SOURCES)
    ),
)
FUNCTIONS: tuple[Function, ...] = tuple(
    _record_function(f"{type_}_populate_record", arguments) for type_, arguments in _SOURCES
)
DEFINED_RECORDS = frozenset(f"{type_}_to_record{suffix}" for type_ in (JSON, JSONB) for suffix in ("", "set"))
"""What needs a column definition list."""
POPULATED_RECORDS = frozenset(f"{type_}_populate_record{suffix}" for type_ in (JSON, JSONB) for suffix in ("", "set"))
"""What needs one if its first argument is of no named type."""
