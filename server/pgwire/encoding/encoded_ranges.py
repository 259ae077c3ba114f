"""Ranges and multiranges in binary format: a byte of flags, then the bounds that exist; for multiranges a count, then
the ranges.

Each bound, and each range in a multirange, has its length before it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from model.order.ranges import Multirange, make_range, multirange
from model.types.datum import EMPTY_RANGE, Datum, Range
from model.types.scalar_type import ScalarType
from server.pgwire.encoding.containers import Receiver, Sender
from server.pgwire.encoding.failures import bad_binary, short_data

_EMPTY, _LOWER_INCLUDED, _UPPER_INCLUDED, _NO_LOWER, _NO_UPPER = 1, 2, 4, 8, 16
_KNOWN = _EMPTY | _LOWER_INCLUDED | _UPPER_INCLUDED | _NO_LOWER | _NO_UPPER
_LENGTH = struct.Struct(">i")


def _measured(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


def range_sender(send: Sender) -> Callable[[Range], bytes]:
    def send_range(value: Range) -> bytes:
        if value.empty:
            return bytes((_EMPTY,))
        flags = _LOWER_INCLUDED * value.lower_included | _UPPER_INCLUDED * value.upper_included
        flags |= _NO_LOWER * (value.lower is None) | _NO_UPPER * (value.upper is None)
        bounds = [_measured(send(bound)) for bound in (value.lower, value.upper) if bound is not None]
        return bytes((flags,)) + b"".join(bounds)

    return send_range


def range_receiver(type_: ScalarType, receive: Receiver) -> Callable[[bytes], Range]:
    """Returns the receiver of ranges, which raises 22P03 for wrong bytes, and the errors of `make_range`."""

    def receive_range(data: bytes) -> Range:
        if not data:
            raise short_data()
        flags, at = data[0] & _KNOWN, 1
        bounds: list[Datum] = []
        for absent in (_NO_LOWER, _NO_UPPER):
            if flags & (_EMPTY | absent):
                bounds.append(None)
                continue
            piece, at = _piece(data, at)
            bounds.append(receive(piece))
        if at != len(data):
            raise bad_binary("incorrect binary data format")
        if flags & _EMPTY:
            return EMPTY_RANGE
        return make_range(type_, bounds[0], bounds[1], bool(flags & _LOWER_INCLUDED), bool(flags & _UPPER_INCLUDED))

    return receive_range


def multirange_sender(send: Sender) -> Callable[[Multirange], bytes]:
    return lambda value: _LENGTH.pack(len(value)) + b"".join([_measured(send(range_)) for range_ in value])


def multirange_receiver(type_: ScalarType, receive: Callable[[bytes], Range]) -> Callable[[bytes], Multirange]:
    def receive_multirange(data: bytes) -> Multirange:
        if len(data) < _LENGTH.size:
            raise short_data()
        count = _LENGTH.unpack_from(data)[0]
        ranges: list[Range] = []
        at = _LENGTH.size
        for _ in range(count):
            piece, at = _piece(data, at)
            ranges.append(receive(piece))
        if at != len(data):
            raise bad_binary("incorrect binary data format")
        return multirange(type_, ranges)

    return receive_multirange


def _piece(data: bytes, at: int) -> tuple[bytes, int]:
    """Reads a piece after its length; returns the piece and the place behind it."""
    start = at + _LENGTH.size
    if start > len(data):
        raise short_data()
    end = start + _LENGTH.unpack_from(data, at)[0]
    if not start <= end <= len(data):
        raise short_data()
    return data[start:end], end
