"""Numbers in binary format. A numeric is digits of base 10000, the first worth 10000 ** weight."""

from __future__ import annotations

import decimal
import struct
from collections.abc import Callable

from model.errors.sql_error import NotSupported
from model.text.floats import to_single
from model.text.numerics import DIGITS_MAX, EXACT, overflow, within_digits
from server.pgwire.encoding.failures import bad_binary, check_width, short_data

_BASE_DIGITS = 4
_POSITIVE, _NEGATIVE, _NAN, _PLUS_INFINITY, _MINUS_INFINITY = 0x0000, 0x4000, 0xC000, 0xD000, 0xF000
_NUMERIC_HEADER = struct.Struct(">HhHH")
_WEIGHT_MAX = 40


def fixed_sender(format_: str) -> Callable[[int], bytes]:
    return struct.Struct(format_).pack


def fixed_receiver(format_: str) -> Callable[[bytes], int]:
    packer = struct.Struct(format_)

    size, unpack = packer.size, packer.unpack

    def receive(data: bytes) -> int:
        if len(data) != size:
            check_width(data, size)
        value: int = unpack(data)[0]
        return value

    return receive


def receive_bool(data: bytes) -> bool:
    check_width(data, 1)
    return data != b"\0"


def send_bool(value: bool) -> bytes:
    return b"\1" if value else b"\0"


def receive_float(format_: str) -> Callable[[bytes], float]:
    packer = struct.Struct(format_)

    def receive(data: bytes) -> float:
        check_width(data, packer.size)
        value: float = packer.unpack(data)[0]
        return value

    return receive


def send_float4(value: float) -> bytes:
    return struct.pack(">f", to_single(value))


def send_numeric(scale: int | None) -> Callable[[decimal.Decimal], bytes]:
    """Returns the encoder of numerics with `scale` decimals; None means those that each value shows."""

    def send(value: decimal.Decimal) -> bytes:
        if value.is_nan():
            return _NUMERIC_HEADER.pack(0, 0, _NAN, 0)
        whole, _, fraction = f"{value:f}".lstrip("-").partition(".")
        if scale is not None:
            fraction = fraction.rstrip("0").ljust(scale, "0")
        return _pack(value < 0, whole.lstrip("0"), fraction)

    return send


def _pack(negative: bool, whole: str, fraction: str) -> bytes:
    whole_groups = -(-len(whole) // _BASE_DIGITS)
    fraction_groups = -(-len(fraction) // _BASE_DIGITS)
    text = whole.zfill(whole_groups * _BASE_DIGITS) + fraction.ljust(fraction_groups * _BASE_DIGITS, "0")
    groups = [int(text[i : i + _BASE_DIGITS]) for i in range(0, len(text), _BASE_DIGITS)]
    weight = whole_groups - 1
    while groups and groups[0] == 0:
        groups.pop(0)
        weight -= 1
    while groups and groups[-1] == 0:
        groups.pop()
    if not groups:
        return _NUMERIC_HEADER.pack(0, 0, _POSITIVE, len(fraction))
    header = _NUMERIC_HEADER.pack(len(groups), weight, _NEGATIVE if negative else _POSITIVE, len(fraction))
    return header + struct.pack(f">{len(groups)}h", *groups)


def receive_numeric(data: bytes) -> decimal.Decimal:
    """Reads a numeric in PostgreSQL's binary format. Raises SqlError 22003 for more digits than a numeric holds here,
    0A000 for the infinities."""
    if len(data) < _NUMERIC_HEADER.size:
        raise short_data()
    count, weight, sign, scale = _NUMERIC_HEADER.unpack_from(data)
    check_width(data, _NUMERIC_HEADER.size + 2 * count)
    if sign == _NAN:
        return decimal.Decimal("NaN")
    if sign in (_PLUS_INFINITY, _MINUS_INFINITY):
        raise NotSupported("infinity as a numeric")
    if sign not in (_POSITIVE, _NEGATIVE):
        raise bad_binary('invalid sign in external "numeric" value')
    if scale > 0x3FFF:
        raise bad_binary('invalid scale in external "numeric" value')
    groups = struct.unpack_from(f">{count}h", data, _NUMERIC_HEADER.size)
    if any(not 0 <= group <= 9999 for group in groups):
        raise bad_binary('invalid digit in external "numeric" value')
    if not any(groups):
        return decimal.Decimal(0).scaleb(-min(scale, 2 * DIGITS_MAX))
    if abs(weight) > _WEIGHT_MAX or count > _WEIGHT_MAX:
        raise overflow()
    digits = "".join(f"{group:04d}" for group in groups)
    value = decimal.Decimal(digits).scaleb((weight - count + 1) * _BASE_DIGITS, context=EXACT)
    value = value.quantize(decimal.Decimal(1).scaleb(-min(scale, 2 * DIGITS_MAX)), decimal.ROUND_DOWN, EXACT)
    if not within_digits(value):
        raise overflow()
    return value.copy_negate() if sign == _NEGATIVE else value
