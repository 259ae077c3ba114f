"""Numerics of more digits than a decimal holds, as bytes: a key that sorts and equals as the numbers do, then two bytes
with the number of decimals that are shown.

    kind      one byte: 0 -Infinity, 1 below zero, 2 zero, 3 above zero, 4 Infinity, 5 NaN
    exponent  three bytes: the power of ten of the first digit, biased
    digits    two a byte, without zeros at the end

Below zero exponent and digits are complemented, and a byte behind them is greater than all digits: what has more of
them is less. So `substring(value, 1, length(value) - 2)` is equal for 1.5 and 1.50, which are two values.
"""

from __future__ import annotations

import decimal

from model.text.numerics import EXACT, with_exponent

_LEAST, _BELOW, _ZERO, _ABOVE, _INFINITE, _NAN = (bytes((kind,)) for kind in range(6))
_SPECIAL = {
    kind: decimal.Decimal(text) for kind, text in ((_LEAST, "-Infinity"), (_INFINITE, "Infinity"), (_NAN, "NaN"))
}
"""Of NaN there is one datum, which a set finds again though it equals nothing."""
_BIAS = 1 << 20
_EXPONENT_BYTES, _DECIMALS_BYTES = 3, 2
_LATER = bytes(min(byte + 1, 255) for byte in range(256))
_EARLIER = bytes(max(byte - 1, 0) for byte in range(256))
_COMPLEMENT = bytes(range(255, -1, -1))
_END = b"\xff"


def encode_wide(value: decimal.Decimal) -> bytes:
    """Returns a numeric as bytes."""
    if not value.is_finite():
        kind = _NAN if value.is_nan() else _INFINITE if value > 0 else _LEAST
        return kind + bytes(_DECIMALS_BYTES)
    text = f"{value.copy_abs():e}"
    mantissa, _, power = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    shown = max(len(fraction) - int(power), 0).to_bytes(_DECIMALS_BYTES, "big")
    if not value:
        return _ZERO + shown
    digits = (whole + fraction).rstrip("0")
    packed = bytes.fromhex(digits if len(digits) % 2 == 0 else digits + "0").translate(_LATER)
    size = (int(power) + _BIAS).to_bytes(_EXPONENT_BYTES, "big") + packed
    return (_ABOVE + size if value > 0 else _BELOW + size.translate(_COMPLEMENT) + _END) + shown


def decode_wide(data: bytes) -> decimal.Decimal:
    """Returns the numeric of `encode_wide`'s bytes, with the decimals that it shows."""
    kind, shown = data[:1], int.from_bytes(data[-_DECIMALS_BYTES:], "big")
    if kind in _SPECIAL:
        return _SPECIAL[kind]
    if kind == _ZERO:
        return decimal.Decimal((0, (0,), -shown))
    size = data[1:-_DECIMALS_BYTES] if kind == _ABOVE else data[1 : -_DECIMALS_BYTES - 1].translate(_COMPLEMENT)
    power = int.from_bytes(size[:_EXPONENT_BYTES], "big") - _BIAS
    digits = size[_EXPONENT_BYTES:].translate(_EARLIER).hex()
    value = EXACT.create_decimal(digits).scaleb(power - len(digits) + 1, context=EXACT)
    return with_exponent(value if kind == _ABOVE else value.copy_negate(), shown)


def wide_key(data: bytes) -> bytes:
    """Returns the part of the bytes that compares."""
    return data[:-_DECIMALS_BYTES]
