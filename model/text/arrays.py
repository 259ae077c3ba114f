"""Arrays in text: `{1,NULL,"a b"}`, `{{1,2},{3,4}}`, `[0:1]={1,2}`; boxes have semicolons between them."""

from __future__ import annotations

import re
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.array_braces import Element, malformed, read_braces
from model.text.failures import SPACES
from model.text.integers import clamped
from model.types.arrays import DIMENSIONS_MAX, Array, Dimensions, check_depth, dimensions_of, nested, shaped
from model.types.datum import Datum
from model.types.scalar_type import ScalarType, TypeName

_NUMBER = re.compile(r"[-+0-9]+")
_PLAIN = re.compile(r'[^{}",\\ \t\n\v\f\r]+(?:,[^{}",\\ \t\n\v\f\r]+)*')
_NEEDS_QUOTES = {sign: re.compile(rf'[{{}}"{sign}\\ \t\n\v\f\r]|\A[nN][uU][lL][lL]\Z|\A\Z') for sign in ",;"}
_ESCAPED = re.compile(r'(["\\])')


def array_sign(element: ScalarType) -> str:
    """Returns what stands between elements of a type (pg_type.typdelim)."""
    return ";" if element.name is TypeName.BOX else ","


def array_parser(parse_element: Callable[[str], Datum], sign: str = ",") -> Callable[[str], Array]:
    def parse(text: str) -> Array:
        elements, dimensions = _split_array(text, sign)
        return shaped([None if item is None else parse_element(item) for item in elements], dimensions)

    return parse


def _split_array(text: str, sign: str) -> tuple[list[Element], Dimensions]:
    """Returns the elements' texts, unquoted, None for NULL; and the shape."""
    inner = text[1:-1]
    if sign == "," and text[:1] == "{" and text[-1] == "}" and _PLAIN.fullmatch(inner):
        items: list[Element] = [None if len(i) == 4 and i.lower() == "null" else i for i in inner.split(",")]
        return items, ((1, len(items)),)
    declared, position = _read_bounds(text)
    if declared:
        if text[position : position + 1] != "=":
            raise malformed(text, 'Missing "=" after array dimensions.')
        position = _skip_spaces(text, position + 1)
    if text[position : position + 1] != "{":
        start = 'Array contents must start with "{".'
        raise malformed(text, start if declared else 'Array value must start with "{" or dimension information.')
    elements, lengths = read_braces(text, position, sign)
    if not declared:
        return elements, tuple((1, length) for length in lengths)
    if [length for _, length in declared] != lengths:
        raise malformed(text, "Specified array dimensions do not match array contents.")
    return elements, declared


def _skip_spaces(text: str, position: int) -> int:
    while position < len(text) and text[position] in SPACES:
        position += 1
    return position


def _read_bounds(text: str) -> tuple[Dimensions, int]:
    """Returns the dimensions written before the braces, and where they end."""
    dimensions: list[tuple[int, int]] = []
    position = _skip_spaces(text, 0)
    while text[position : position + 1] == "[":
        if len(dimensions) == DIMENSIONS_MAX:
            check_depth(DIMENSIONS_MAX + 1)
        first, position = _read_bound(text, position + 1)
        if first is None:
            raise malformed(text, '"[" must introduce explicitly-specified array dimensions.')
        low, high = 1, first
        if text[position : position + 1] == ":":
            second, position = _read_bound(text, position + 1)
            if second is None:
                raise malformed(text, "Missing array dimension value.")
            low, high = first, second
        if text[position : position + 1] != "]":
            raise malformed(text, 'Missing "]" after array dimensions.')
        if high < low:
            raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "upper bound cannot be less than lower bound")
        dimensions.append((low, high - low + 1))
        position = _skip_spaces(text, position + 1)
    return tuple(dimensions), position


def _read_bound(text: str, position: int) -> tuple[int | None, int]:
    match = _NUMBER.match(text, position)
    if match is None:
        return None, position
    digits = re.match(r"[-+]?\d+", match[0])
    return clamped(digits[0]) if digits is not None else 0, match.end()


def array_formatter(format_element: Callable[[Datum], str], lower: int = 1, sign: str = ",") -> Callable[[Array], str]:
    def leaf(item: Datum) -> str:
        return "NULL" if item is None else _quote_element(format_element(item), sign)

    def braced(parts: list[str]) -> str:
        return "{" + sign.join(parts) + "}"

    def write(value: Array) -> str:
        return bounds_text(dimensions_of(value, lower)) + nested(value, leaf, braced)

    return write


def bounds_text(dimensions: Dimensions) -> str:
    """Prints the bounds `[0:1]=`, where a subscript begins elsewhere than at 1."""
    if all(lower == 1 for lower, _ in dimensions):
        return ""
    return "".join(f"[{lower}:{lower + length - 1}]" for lower, length in dimensions) + "="


def _quote_element(text: str, sign: str) -> str:
    """Quotes an element, in double quotes when it would be read as something else without."""
    if _NEEDS_QUOTES[sign].search(text) is None:
        return text
    return '"' + _ESCAPED.sub(r"\\\1", text) + '"'
