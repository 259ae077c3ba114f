"""Reaching into json and jsonb: -> ->> #> #>> and their functions. Pieces of json keep the text they came in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from model.json.json_text import Json, check_escapes, load_json, write_jsonb
from model.text.integers import clamped
from model.types.scalar_type import INT4, JSON, JSONB, TEXT, ScalarType, array_of
from planner.functions.rows import Options, function, operator
from planner.functions.signature import Function

_SPACES = re.compile(r"[ \t\n\r]*")
_INDEX = re.compile(r"\s*[+-]?\d+")
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)

Step = str | int


def text_or_null(value: Json) -> str | None:
    """Returns a value as ->> does: strings without quotes, null as NULL."""
    if value is None:
        return None
    return value if isinstance(value, str) else write_jsonb(value)


_MISSING = object()


def _step(value: Any, step: Step) -> Any:
    """Returns a member of an object or an element of an array; _MISSING otherwise."""
    if isinstance(step, int):
        if isinstance(value, list) and -len(value) <= step < len(value):
            return value[step]
        # PostgreSQL stores a plain value as an array of one.
        return value if step in (0, -1) and not isinstance(value, list | Mapping) else _MISSING
    return value.get(step, _MISSING) if isinstance(value, Mapping) else _MISSING


def path_step(value: Any, step: str) -> Any:
    """Returns a step of a path, which is an index in arrays; _MISSING otherwise."""
    if isinstance(value, list):
        return _step(value, clamped(step)) if _INDEX.fullmatch(step) else _MISSING
    return _step(value, step)


def _walk(value: Any, path: Sequence[str | None]) -> Any:
    for step in path:
        if step is None:
            return _MISSING
        value = path_step(value, step)
        if value is _MISSING:
            return _MISSING
    return value


def _arrow(text: str, step: Step) -> str | None:
    found = _step(load_json(text), step)
    return None if found is _MISSING else write_jsonb(found)


def _arrow_text(text: str, step: Step) -> str | None:
    found = _step(load_json(text), step)
    return None if found is _MISSING else text_or_null(found)


def _path(text: str, path: Sequence[str | None]) -> str | None:
    found = _walk(load_json(text), path)
    return None if found is _MISSING else write_jsonb(found)


def _path_text(text: str, path: Sequence[str | None]) -> str | None:
    found = _walk(load_json(text), path)
    return None if found is _MISSING else text_or_null(found)


def _skip(text: str, position: int) -> int:
    match = _SPACES.match(text, position)
    assert match is not None
    return match.end()


def json_members(text: str) -> Iterator[tuple[str, str]]:
    """Yields (key, the value's own text) of a json object; as `check_escapes` for strings in it that are no text."""
    check_escapes(text)
    position = _skip(text, 0) + 1
    while text[position := _skip(text, position)] != "}":
        key, position = _DECODER.raw_decode(text, position)
        start = _skip(text, _skip(text, position) + 1)
        _, end = _DECODER.raw_decode(text, start)
        yield key, text[start:end]
        position = _skip(text, end)
        if text[position] == ",":
            position += 1


def json_elements(text: str) -> Iterator[str]:
    """Yields the elements' own texts of a json array."""
    position = _skip(text, 0) + 1
    while text[position := _skip(text, position)] != "]":
        _, end = _DECODER.raw_decode(text, position)
        yield text[position:end]
        position = _skip(text, end)
        if text[position] == ",":
            position += 1


def json_step(text: str, step: Step) -> str | None:
    """Takes one step of -> in json; of equal keys the last counts. Checks escapes in the whole text as
    `check_escapes` does."""
    check_escapes(text)
    opening = text[_skip(text, 0)]
    if isinstance(step, int):
        if opening != "[":
            return None
        elements = list(json_elements(text))
        return elements[step] if -len(elements) <= step < len(elements) else None
    if opening != "{":
        return None
    return dict(json_members(text)).get(step)


def json_as_text(text: str | None) -> str | None:
    """Returns ->> of a piece of json."""
    if text is None or text == "null":
        return None
    check_escapes(text)
    value = load_json(text) if text.startswith('"') else None
    return value if isinstance(value, str) else text


def _json_path(text: str, path: Sequence[str | None]) -> str | None:
    check_escapes(text)
    found: str | None = text
    for step in path:
        if step is None or found is None:
            return None
        opening = found[_skip(found, 0)]
        if opening == "[":
            found = json_step(found, clamped(step)) if _INDEX.fullmatch(step) else None
        else:
            found = json_step(found, step)
    return found


def _json_path_text(text: str, path: Sequence[str | None]) -> str | None:
    return json_as_text(_json_path(text, path))


def _variadic(evaluate: Callable[[str, Sequence[str | None]], str | None]) -> Callable[..., str | None]:
    return lambda text, *path: evaluate(text, path)


_TEXTS = array_of(TEXT)


def _of_type(
    type_: ScalarType,
    arrow: Callable[[str, Step], str | None],
    arrow_text: Callable[[str, Step], str | None],
    path: Callable[[str, Sequence[str | None]], str | None],
    path_text: Callable[[str, Sequence[str | None]], str | None],
) -> list[Function]:
    prefix = type_.name.value
    # Escapes in json may be of no character.
    may_fail: Options = {"fallible": type_ == JSON}
    spread: Options = {**may_fail, "variadic": True}
    return [
        *(operator("->", "arrow", (type_, step), type_, arrow, **may_fail) for step in (TEXT, INT4)),
        *(operator("->>", "arrow_text", (type_, step), TEXT, arrow_text, **may_fail) for step in (TEXT, INT4)),
        operator("#>", "path", (type_, _TEXTS), type_, path, **may_fail),
        operator("#>>", "path_text", (type_, _TEXTS), TEXT, path_text, **may_fail),
        function(f"{prefix}_extract_path", (type_, TEXT), type_, _variadic(path), **spread),
        function(f"{prefix}_extract_path_text", (type_, TEXT), TEXT, _variadic(path_text), **spread),
    ]


FUNCTIONS: tuple[Function, ...] = (
    *_of_type(JSONB, _arrow, _arrow_text, _path, _path_text),
    *_of_type(JSON, json_step, lambda text, step: json_as_text(json_step(text, step)), _json_path, _json_path_text),
)
