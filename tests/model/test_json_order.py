"""The bytes that stand for jsonb order, and are equal, as the values are."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from model.json.json_order import jsonb_order_bytes
from model.json.json_text import parse_jsonb
from model.order.datum_order import sort_key
from model.types.scalar_type import JSONB

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-1000, 1000)
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9)
    | st.text("ab\x01é😀", max_size=3)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=6,
)
_KEY = sort_key(JSONB)
_KNOWN = ("0", "-0.0", "1", "1.0", "1.5", "10", "-1", "-1.5", "-10", "1e300", "1e-300", "-1e300", '""', '"a"', '"ab"',
          "null", "true", "false", "[]", "[[]]", "[1, 2]", "[2]", "{}", '{"a": 1}', '{"a": 1.0}', '{"b": 0}',
          '{"aa": 1, "b": 2}')  # fmt: skip


def _written(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + value.replace("\x01", "\\u0001") + '"'
        case list():
            return "[" + ",".join(map(_written, value)) + "]"
        case dict():
            return "{" + ",".join(f"{_written(key)}:{_written(item)}" for key, item in value.items()) + "}"
        case _:
            return str(value)


def _agree(left: str, right: str) -> bool:
    left, right = parse_jsonb(left), parse_jsonb(right)
    a, b = jsonb_order_bytes(left), jsonb_order_bytes(right)
    return (a < b, a == b) == (_KEY(left) < _KEY(right), _KEY(left) == _KEY(right))


def test_bytes_of_known_values_order_as_the_values() -> None:
    assert [pair for pair in product(_KNOWN, repeat=2) if not _agree(*pair)] == []


@given(_VALUES, _VALUES)
def test_bytes_of_any_values_order_as_the_values(left: object, right: object) -> None:
    assert _agree(_written(left), _written(right))
