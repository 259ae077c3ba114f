"""Numerics as bytes: what is encoded comes back, digit by digit, and keys sort and equal as numbers do."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal

from model.order.datum_order import sort_key
from model.physical.wide_numerics import decode_wide, encode_wide, wide_key
from model.text.numerics import EXACT, parse_numeric
from model.types.scalar_type import WIDE

_EDGES = (
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "0",
        "0.000",
        "1.5",
        "1.50",
        "-12",
        "-12.0003",
        "-12.3",
        "12",
        "12.3",
        "99",
        "100",
    ),
    *("1e131071", "-1e131071", "1e-16383", "-1e-16383", "9" * 131_072, f"-0.{'9' * 16_383}"),
)


def _drawn(dice: random.Random) -> Decimal:
    digits = Decimal(dice.randrange(1, 10 ** dice.choice((1, 2, 5, 40, 90))))
    value = digits.scaleb(-dice.randint(0, 60), context=EXACT)
    return value.copy_negate() if dice.random() < 0.5 else value


def _values() -> list[Decimal]:
    dice = random.Random(4)
    return [*map(parse_numeric, _EDGES), *(_drawn(dice) for _ in range(2000))]


def test_numbers_come_back_with_their_decimals() -> None:
    for value in _values():
        assert str(decode_wide(encode_wide(value))) == str(value)


def test_keys_sort_and_equal_as_numbers_do() -> None:
    order = sort_key(WIDE)
    values = sorted(_values(), key=order)
    for left, right in itertools.pairwise(values):
        keys = wide_key(encode_wide(left)), wide_key(encode_wide(right))
        assert (keys[0] < keys[1], keys[0] == keys[1]) == (order(left) < order(right), order(left) == order(right))
