"""Encodes jsonb values as bytes that compare and equal as the values do, for Spark, where only bytes can be keys.

For any two jsonb texts, the bytes order as `model.order.datum_order.sort_key(JSONB)` does. Every encoding marks its own
end, so that those of a container's items can be concatenated.
"""

from __future__ import annotations

import decimal
from collections.abc import Mapping

from model.json.json_text import Json, load_json

_EMPTY_ARRAY, _NULL, _STRING, _NUMBER, _BOOLEAN, _ARRAY, _OBJECT = (bytes([kind]) for kind in range(7))
_NEGATIVE, _ZERO, _POSITIVE = b"\x00", b"\x01", b"\x02"
_END = b"\x00"
_EXPONENT_BIAS = 1 << 31
_COMPLEMENT = bytes(range(255, -1, -1))


def jsonb_order_bytes(text: str) -> bytes:
    """Returns the key of a jsonb value in its canonical text; an empty array outside everything else is least of
    all."""
    return _EMPTY_ARRAY if text == "[]" else _encoded(load_json(text))


def _encoded(value: Json) -> bytes:
    match value:
        case None:
            return _NULL
        case bool():
            return _BOOLEAN + bytes([value])
        case str():
            return _STRING + _string(value)
        case int() | decimal.Decimal():
            return _NUMBER + _number(decimal.Decimal(value))
        case Mapping():
            items = sorted(value.items(), key=lambda pair: (len(pair[0].encode()), pair[0]))
            parts = [_string(key) + _encoded(item) for key, item in items]
            return _OBJECT + len(items).to_bytes(4) + b"".join(parts)
        case _:
            return _ARRAY + len(value).to_bytes(4) + b"".join(map(_encoded, value))


def _string(text: str) -> bytes:
    """Encodes a string: UTF-8 orders as code points do; the NUL at the end occurs in no jsonb."""
    return text.encode() + _END


def _number(value: decimal.Decimal) -> bytes:
    """Encodes a number: exponent, then digits; all bits are inverted for a negative number."""
    if not value:
        return _ZERO
    digits = bytes(value.as_tuple().digits).rstrip(b"\x00")
    # Digits are shifted by one: the end must be less than any of them.
    shifted = bytes(digit + 1 for digit in digits)
    size = (value.adjusted() + _EXPONENT_BIAS).to_bytes(4) + shifted + _END
    return _POSITIVE + size if value > 0 else _NEGATIVE + size.translate(_COMPLEMENT)
