"""inet and cidr: parts of addresses, containment, bits, arithmetic. A cidr is an inet wherever one is asked for."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.addresses.networks import abbreviate_cidr, format_address, format_cidr, format_inet
from model.types.datum import ADDRESS_BITS, Inet, network_of
from model.types.scalar_type import BOOL, BPCHAR, CIDR, INET, INT4, INT8, TEXT, VARCHAR
from planner.functions.casts.record_casts import ASSIGNMENT, IMPLICIT, cast, unchanged
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function, operator
from planner.functions.signature import Cast, Function

_INT8_END = 1 << 63


def _all_ones(value: Inet) -> int:
    return int((1 << ADDRESS_BITS[value.version]) - 1)


def _host_mask(value: Inet) -> int:
    """Returns the bits beyond the prefix."""
    return int((1 << (ADDRESS_BITS[value.version] - value.prefix)) - 1)


def _whole(value: Inet, address: int) -> Inet:
    """Returns an address without a network."""
    return network_of(value.version, address, ADDRESS_BITS[value.version])


def network(value: Inet) -> Inet:
    return network_of(value.version, value.network, value.prefix)


def _broadcast(value: Inet) -> Inet:
    return network_of(value.version, value.address | _host_mask(value), value.prefix)


def _with_prefix(value: Inet, prefix: int) -> Inet:
    """Returns an address with a prefix; -1 stands for the address's length."""
    longest = ADDRESS_BITS[value.version]
    if not -1 <= prefix <= longest:
        raise invalid_parameter(f"invalid mask length: {prefix}")
    return network_of(value.version, value.address, longest if prefix == -1 else prefix)


def _merged(left: Inet, right: Inet) -> Inet:
    """Returns the smallest network that contains both."""
    if left.version != right.version:
        raise invalid_parameter("cannot merge addresses from different families")
    common = ADDRESS_BITS[left.version] - (left.address ^ right.address).bit_length()
    return network(network_of(left.version, left.address, min(left.prefix, right.prefix, common)))


def _related(compare: Callable[[int, int], bool]) -> Callable[[Inet, Inet], bool]:
    """Returns a test if one network contains or equals another, given the comparison of their prefixes."""

    def evaluate(left: Inet, right: Inet) -> bool:
        return compare(left.prefix, right.prefix) and _overlap(left, right)

    return evaluate


def _overlap(left: Inet, right: Inet) -> bool:
    if left.version != right.version:
        return False
    shift = ADDRESS_BITS[left.version] - min(left.prefix, right.prefix)
    return left.address >> shift == right.address >> shift


def _combined(word: str, combine: Callable[[int, int], int]) -> Callable[[Inet, Inet], Inet]:
    def evaluate(left: Inet, right: Inet) -> Inet:
        if left.version != right.version:
            raise invalid_parameter(f"cannot {word} inet values of different sizes")
        return network_of(left.version, combine(left.address, right.address), max(left.prefix, right.prefix))

    return evaluate


def _out_of_range() -> SqlError:
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "result is out of range")


def _shifted(value: Inet, distance: int) -> Inet:
    address = value.address + distance
    if not 0 <= address <= _all_ones(value):
        raise _out_of_range()
    return network_of(value.version, address, value.prefix)


def _distance(left: Inet, right: Inet) -> int:
    if left.version != right.version:
        raise invalid_parameter("cannot subtract inet values of different sizes")
    distance = left.address - right.address
    if not -_INT8_END <= distance < _INT8_END:
        raise _out_of_range()
    return distance


_ONE, _TWO, _BY = (INET,), (INET, INET), (INET, INT8)
_STRINGS = (TEXT, VARCHAR, BPCHAR)
_CONTAINMENT: tuple[tuple[str, str, Callable[[int, int], Any]], ...] = (
    ("<<", "within", python.gt),
    ("<<=", "within_or_equal", python.ge),
    (">>", "encloses", python.lt),
    (">>=", "encloses_or_equal", python.le),
)

CASTS: tuple[Cast, ...] = (
    cast(CIDR, INET, IMPLICIT, unchanged),
    cast(INET, CIDR, ASSIGNMENT, network),
    *(cast(type_, string, ASSIGNMENT, format_cidr) for type_ in (INET, CIDR) for string in _STRINGS),
)

FUNCTIONS: tuple[Function, ...] = (
    function("abbrev", _ONE, TEXT, format_inet),
    function("abbrev", (CIDR,), TEXT, abbreviate_cidr),
    function("broadcast", _ONE, INET, _broadcast),
    function("family", _ONE, INT4, lambda value: value.version),
    function("host", _ONE, TEXT, format_address),
    function("hostmask", _ONE, INET, lambda value: _whole(value, _host_mask(value))),
    function("netmask", _ONE, INET, lambda value: _whole(value, _all_ones(value) ^ _host_mask(value))),
    function("masklen", _ONE, INT4, lambda value: value.prefix),
    function("network", _ONE, CIDR, network),
    function("set_masklen", (INET, INT4), INET, _with_prefix, fallible=True),
    function(
        "set_masklen", (CIDR, INT4), CIDR, lambda value, prefix: network(_with_prefix(value, prefix)), fallible=True
    ),
    function("inet_merge", _TWO, CIDR, _merged, fallible=True),
    function("inet_same_family", _TWO, BOOL, lambda left, right: left.version == right.version),
    *(operator(symbol, word, _TWO, BOOL, _related(compare)) for symbol, word, compare in _CONTAINMENT),
    operator("&&", "overlaps", _TWO, BOOL, _overlap),
    operator(
        "~",
        "bit_not",
        _ONE,
        INET,
        lambda value: network_of(value.version, value.address ^ _all_ones(value), value.prefix),
    ),
    operator("&", "bit_and", _TWO, INET, _combined("AND", python.and_), fallible=True),
    operator("|", "bit_or", _TWO, INET, _combined("OR", python.or_), fallible=True),
    operator("+", "add", _BY, INET, _shifted, fallible=True),
    operator("+", "add", _BY[::-1], INET, lambda distance, value: _shifted(value, distance), fallible=True),
    operator("-", "subtract", _BY, INET, lambda value, distance: _shifted(value, -distance), fallible=True),
    operator("-", "subtract", _TWO, INT8, _distance, fallible=True),
)
