"""inet and cidr in text: `10.1.2.3/8`, `2001:db8::1`, cidr's `10.1` too, in and out."""

from __future__ import annotations

import ipaddress
import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import invalid_syntax
from model.text.integers import clamped
from model.types.datum import ADDRESS_BITS, Inet, network_of

_DOTTED = re.compile(r"((?:\d+\.)*\d+\.?)(?:/(\d+))?", re.ASCII)
_DOTTED_CIDR = re.compile(r"(\d+(?:\.\d+)*)(?:/(\d+))?", re.ASCII)
_HEX_CIDR = re.compile(r"0[xX]([0-9a-fA-F]{1,8})(?:/(\d+))?")
_COLONS = re.compile(r"([0-9a-fA-F:.]+)(?:/(0|[1-9]\d*))?", re.ASCII)
_MAPPED_WORD = 0xFFFF


def parse_inet(text: str) -> Inet:
    """Parses an inet; raises 22P02. Without a prefix, the prefix is the address's length."""
    found = _version_6(text) if ":" in text else _version_4(text)
    if found is None:
        raise invalid_syntax("inet", text)
    return found


def parse_cidr(text: str) -> Inet:
    """Parses a cidr; raises 22P02, also for bits beyond the prefix. An IPv4 network without a prefix has that of its
    class, or of its octets."""
    found = _version_6(text) if ":" in text else _network_4(text)
    if found is None:
        raise invalid_syntax("cidr", text)
    if found.address != found.network:
        raise SqlError(
            Sqlstate.INVALID_TEXT_REPRESENTATION,
            f'invalid cidr value: "{text}"',
            detail="Value has bits set to right of mask.",
        )
    return found


def _version_6(text: str) -> Inet | None:
    match = _COLONS.fullmatch(text)
    if match is None:
        return None
    try:
        address = int(ipaddress.IPv6Address(match[1]))
    except ValueError:
        return None
    prefix = clamped(match[2] or str(ADDRESS_BITS[6]))
    return network_of(6, address, prefix) if prefix <= ADDRESS_BITS[6] else None


def _version_4(text: str) -> Inet | None:
    match = _DOTTED.fullmatch(text)
    if match is None:
        return None
    octets = [clamped(part) for part in match[1].rstrip(".").split(".")]
    if match[2] is None and len(octets) < 4:
        return None
    return _of_octets(octets, clamped(match[2] or str(ADDRESS_BITS[4])))


def _network_4(text: str) -> Inet | None:
    match = _HEX_CIDR.fullmatch(text)
    if match is not None:
        digits = match[1]
        octets = list(bytes.fromhex(digits + "0" * (len(digits) % 2)))
    else:
        match = _DOTTED_CIDR.fullmatch(text)
        if match is None:
            return None
        octets = [clamped(part) for part in match[1].split(".")]
    if max(octets) > 255:
        return None
    prefix = clamped(match[2]) if match[2] is not None else _class_prefix(octets)
    if prefix > ADDRESS_BITS[4]:
        return None
    octets += [0] * (-(-prefix // 8) - len(octets))
    return _of_octets(octets, prefix)


def _class_prefix(octets: list[int]) -> int:
    """Returns the prefix of an address's class, A to E, by its first octet."""
    first = octets[0]
    classes = ((240, 32), (224, 8), (192, 24), (128, 16), (0, 8))
    prefix = next(prefix for least, prefix in classes if first >= least)
    prefix = max(prefix, 8 * len(octets))
    return 4 if prefix == 8 and first == 224 else prefix


def _of_octets(octets: list[int], prefix: int) -> Inet | None:
    """Returns the network of octets, where missing ones are 0; None when the prefix covers a missing one completely."""
    if len(octets) > 4 or max(octets) > 255 or prefix > ADDRESS_BITS[4] or prefix // 8 > len(octets):
        return None
    return network_of(4, int.from_bytes(bytes(octets).ljust(4, b"\0"), "big"), prefix)


def format_address(value: Inet) -> str:
    """Writes the address alone; an IPv6 address that contains an IPv4 one ends in it."""
    if value.version == 4:
        return str(ipaddress.IPv4Address(value.address))
    words = [value.address >> shift & 0xFFFF for shift in range(112, -1, -16)]
    mapped = not any(words[:5]) and words[5] == _MAPPED_WORD
    if mapped or (not any(words[:6]) and words[6]):
        return ("::ffff:" if mapped else "::") + str(ipaddress.IPv4Address(value.address & 0xFFFFFFFF))
    return str(ipaddress.IPv6Address(value.address))


def format_inet(value: Inet) -> str:
    """Prints an address; the prefix is left out where it is the address's length."""
    address = format_address(value)
    return address if value.prefix == ADDRESS_BITS[value.version] else f"{address}/{value.prefix}"


def format_cidr(value: Inet) -> str:
    return f"{format_address(value)}/{value.prefix}"


def abbreviate_cidr(value: Inet) -> str:
    """Writes as few octets, or words, as the prefix needs."""
    return f"{_few_words(value) if value.version == 6 else _few_octets(value)}/{value.prefix}"


def _few_octets(value: Inet) -> str:
    octets = value.network.to_bytes(4, "big")
    return ".".join(map(str, octets[: max(-(-value.prefix // 8), 1)]))


def _few_words(value: Inet) -> str:
    if value.prefix == 0:
        return "::"
    words = [value.network >> shift & 0xFFFF for shift in range(112, -1, -16)]
    words = words[: max(-(-value.prefix // 16), 2)]
    start, length = _longest_zeros(words)
    if start == 0 and length != len(words) and (length == 6 or (length == 5 and words[5] == _MAPPED_WORD)):
        return _with_few_octets(value, words)
    parts = [f"{word:x}" for word in words]
    if length == 0:
        return ":".join(parts)
    return ":".join(parts[:start]) + "::" + ":".join(parts[start + length :])


def _longest_zeros(words: list[int]) -> tuple[int, int]:
    """Returns (start, length) of the first of the longest runs."""
    best = (0, 0)
    start = 0
    for index, word in enumerate([*words, 1]):
        if word:
            if index - start > best[1]:
                best = (start, index - start)
            start = index + 1
    return best


def _with_few_octets(value: Inet, words: list[int]) -> str:
    octets = (value.network & 0xFFFFFFFF).to_bytes(4, "big")
    shown = octets[:2] if len(words) == 7 else octets[: 4 if value.prefix > 120 else 3]
    return ("::ffff:" if words[5] else "::") + ".".join(map(str, shown))
