"""json(b)_to_record and json(b)_to_recordset: members of JSON objects as columns of the types that the query says.

The second argument, which only the planner gives, is a NULL of the record type that the column definition list makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors import SqlError
from model.relation_desc import RelationDesc, relation_desc
from model.scalar_type import JSON, JSONB, ScalarType, TypeName
from model.sqlstate import Sqlstate
from model.text.context import TextContext
from model.text.dispatch import parser
from model.text.json_text import load_json
from model.text.modifiers import apply_modifier
from planner.functions.failures import invalid_parameter
from planner.functions.json_extract import json_elements, json_members
from planner.functions.rows import ANY, key_of
from planner.functions.signature import TableFunction
from planner.ir.scalar import SessionName

Row = tuple[Any, ...]
Types = tuple[ScalarType, ...]


def _opening(text: str) -> str:
    return text.lstrip(" \t\n\r")[0]


def _converted(text: str | None, type_: ScalarType, context: TextContext, path: str) -> Any:
    """A member's JSON text as a value of its column's type; 22P02 for what doesn't fit."""
    if text is None or text.strip() == "null":
        return None
    if type_.name in (TypeName.JSON, TypeName.JSONB):
        return parser(type_)(text)
    opening = _opening(text)
    if type_.element is not None and opening == "[":
        element = type_.element
        return tuple(_converted(item, element, context, path) for item in json_elements(text))
    if type_.element is not None and opening != '"':
        hint = f'See the value of key "{path}".'
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "expected JSON array", hint=hint)
    written = str(load_json(text)) if opening == '"' else text
    return apply_modifier(parser(type_.plain(), context)(written), type_, explicit=False)


def _row(text: str, types: Types, zone: str, date_style: str) -> Row:
    context = TextContext(time_zone=zone, date_style=date_style)
    members = dict(json_members(text))
    return tuple(_converted(members.get(name), type_, context, name) for name, type_ in types[1].fields)


def _of_object(types: Types, text: str | None, sample: None, zone: str, date_style: str) -> list[Row]:
    if text is None:
        return [(None,) * len(types[1].fields)]
    if _opening(text) != "{":
        what = "an array" if _opening(text) == "[" else "a scalar"
        raise invalid_parameter(f"cannot call populate_composite on {what}")
    return [_row(text, types, zone, date_style)]


def _of_array(name: str) -> Callable[..., list[Row]]:
    def evaluate(types: Types, text: str | None, sample: None, zone: str, date_style: str) -> list[Row]:
        if text is None:
            return []
        if _opening(text) != "[":
            what = "an object" if _opening(text) == "{" else "a scalar"
            raise invalid_parameter(f"cannot call {name} on {'a non-array' if name.startswith('jsonb') else what}")
        elements = list(json_elements(text))
        if any(_opening(element) != "{" for element in elements):
            raise invalid_parameter(f"argument of {name} must be an array of objects")
        return [_row(element, types, zone, date_style) for element in elements]

    return evaluate


def _desc(types: Types) -> RelationDesc:
    return relation_desc(*types[1].fields)


def _function(name: str, type_: ScalarType, evaluate: Callable[..., list[Row]]) -> TableFunction:
    arguments = (type_, ANY)
    session = (SessionName.TIME_ZONE, SessionName.DATE_STYLE)
    return TableFunction(
        key_of(name, arguments), name, arguments, _desc, evaluate, False, True, session=session, typed=True
    )


TABLE_FUNCTIONS: tuple[TableFunction, ...] = tuple(
    _function(name, type_, evaluate)
    for type_ in (JSON, JSONB)
    for name, evaluate in (
        (f"{type_}_to_record", _of_object),
        (f"{type_}_to_recordset", _of_array(f"{type_}_to_recordset")),
    )
)
RECORD_FUNCTIONS = frozenset(row.name for row in TABLE_FUNCTIONS)
"""What needs a column definition list."""
