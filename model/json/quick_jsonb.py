"""Converts JSON to jsonb's canonical text by the C code of the standard library's json, for most values.

`quick_jsonb` returns what `write_jsonb(checked_json(text))` would, or None; then the slower way must be used. It
returns None for values that the C code does not tell apart, or treats otherwise than PostgreSQL: numbers whose text a
float changes (1.50, 1e3, -0.0), numbers of thousands of digits, escaped code points, very deep nesting, and errors.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

_SPACE = " \t\n\r"
_ORDERS_MAX = 1_000
_CHARACTERS_MAX = 1_000
_ORDERS: dict[tuple[str, ...], tuple[str, ...]] = {}
"""The order in which keys are written, of those that objects have had, where these are not long."""


class _NotQuick(ValueError):
    """Raised for a text that needs the slower way."""


def _float(text: str) -> float:
    value = float(text)
    if repr(value) != text or "e" in text or value == 0.0:
        raise _NotQuick
    return value


def _constant(_name: str) -> Any:
    raise _NotQuick


def _in_order(value: dict[str, Any]) -> dict[str, Any]:
    keys = tuple(value)
    order = _ORDERS.get(keys)
    if order is None:
        # Code points are in the order of their UTF-8.
        order = tuple(sorted(sorted(keys), key=lambda key: len(key.encode())))
        if sum(map(len, keys)) <= _CHARACTERS_MAX:
            if len(_ORDERS) >= _ORDERS_MAX:
                _ORDERS.clear()
            _ORDERS[keys] = order
    return value if order == keys else {key: value[key] for key in order}


_DECODER: Any = json.JSONDecoder(parse_float=_float, parse_constant=_constant, object_hook=_in_order)
_scan: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once
# `json.JSONEncoder` makes one of these for each value, which takes as long as a small value itself.
_chunks: Callable[[object, int], Iterable[str]] = vars(json.encoder)["c_make_encoder"](
    None, None, vars(json.encoder)["encode_basestring"], None, ": ", ", ", False, False, False
)


def quick_jsonb(text: str) -> str | None:
    """Returns the canonical text of a JSON value; None when this way does not know."""
    if "\\u" in text:
        return None
    try:
        bare = text.strip(_SPACE)
        value, end = _scan(bare, 0)
        return "".join(_chunks(value, 0)) if end == len(bare) else None
    except (ValueError, RecursionError, StopIteration):
        return None
