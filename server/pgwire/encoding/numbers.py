"""Numbers in binary format. A numeric is digits of base 10000, the first worth 10000 ** weight."""

from __future__ import annotations

import decimal
import struct
from collections.abc import Callable

from model.text.floats import to_single
from model.text.numerics import EXACT
from server.pgwire.encoding.failures import bad_binary, check_width, short_data

_BASE_DIGITS = 4
_POSITIVE, _NEGATIVE, _NAN, _PLUS_INFINITY, _MINUS_INFINITY = 0x0000, 0x4000, 0xC000, 0xD000, 0xF000
_NUMERIC_HEADER = struct.Struct(">HhHH")


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


def receive_place(data: bytes) -> int:
    """Receives a tid: four bytes of the block, two of the row in it."""
    if len(data) != 6:
        check_width(data, 6)
    return int.from_bytes(data, "big")


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
        if not value.is_finite():
            return _NUMERIC_HEADER.pack(0, 0, _special(value), 0)
        whole, _, fraction = f"{value:f}".lstrip("-").partition(".")
        if scale is not None:
            fraction = fraction.rstrip("0").ljust(scale, "0")
        return _pack(value < 0, whole.lstrip("0"), fraction)

    return send


def _special(value: decimal.Decimal) -> int:
    """Returns what stands for NaN and the infinities in place of a sign."""
    if value.is_nan():
        return _NAN
    return _PLUS_INFINITY if value > 0 else _MINUS_INFINITY


def _pack(negative: bool, whole: str, fraction: str) -> bytes:
    whole_groups = -(-len(whole) // _BASE_DIGITS)
    fraction_groups = -(-len(fraction) // _BASE_DIGITS)
    text = whole.zfill(whole_groups * _BASE_DIGITS) + fraction.ljust(fraction_groups * _BASE_DIGITS, "0")
    groups = [int(text[i : i + _BASE_DIGITS]) for i in range(0, len(text), _BASE_DIGITS)]
    weight = whole_groups - 1
    first = next((at for at, group in enumerate(groups) if group), len(groups))
    weight -= first
    groups = groups[first:]
    while groups and groups[-1] == 0:
        groups.pop()
    if not groups:
        return _NUMERIC_HEADER.pack(0, 0, _POSITIVE, len(fraction))
    header = _NUMERIC_HEADER.pack(len(groups), weight, _NEGATIVE if negative else _POSITIVE, len(fraction))
    return header + struct.pack(f">{len(groups)}h", *groups)


def receive_numeric(data: bytes) -> decimal.Decimal:
    """Reads a numeric in PostgreSQL's binary format; its decimals beyond the scale are cut. Raises SqlError 22P03."""
    if len(data) < _NUMERIC_HEADER.size:
        raise short_data()
    count, weight, sign, scale = _NUMERIC_HEADER.unpack_from(data)
    check_width(data, _NUMERIC_HEADER.size + 2 * count)
    if sign == _NAN:
        return decimal.Decimal("NaN")
    if sign in (_PLUS_INFINITY, _MINUS_INFINITY):
        return decimal.Decimal("Infinity" if sign == _PLUS_INFINITY else "-Infinity")
    if sign not in (_POSITIVE, _NEGATIVE):
        raise bad_binary('invalid sign in external "numeric" value')
    if scale > 0x3FFF:
        raise bad_binary('invalid scale in external "numeric" value')
    groups = struct.unpack_from(f">{count}h", data, _NUMERIC_HEADER.size)
    if any(not 0 <= group <= 9999 for group in groups):
        raise bad_binary('invalid digit in external "numeric" value')
    if not any(groups):
        return decimal.Decimal((0, (0,), -scale))
    digits = "".join(f"{group:04d}" for group in groups)
    value = EXACT.create_decimal(digits).scaleb((weight - count + 1) * _BASE_DIGITS, context=EXACT)
    value = value.quantize(decimal.Decimal((0, (1,), -scale)), decimal.ROUND_DOWN, EXACT)
    return value.copy_negate() if sign == _NEGATIVE and value else value
