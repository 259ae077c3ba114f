"""macaddr and macaddr8 in text: `08:00:2b:01:02:03` and the other ways to part the digits, in; the first way, out."""

from __future__ import annotations

import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES, invalid_syntax

_BYTE = r"[ \t\n\v\f\r]*([+-]?(?:0[xX])?[0-9a-fA-F]+)"
_PAIR = r"([0-9a-fA-F]{1,2})"
_FORMS = (
    ":".join([_BYTE] * 6),
    "-".join([_BYTE] * 6),
    f"{_PAIR * 3}:{_PAIR * 3}",
    f"{_PAIR * 3}-{_PAIR * 3}",
    f"{_PAIR * 2}\\.{_PAIR * 2}\\.{_PAIR * 2}",
    f"{_PAIR * 2}-{_PAIR * 2}-{_PAIR * 2}",
    _PAIR * 6,
)
_MACADDR = tuple(re.compile(rf"[ \t\n\v\f\r]*+{form}[ \t\n\v\f\r]*+") for form in _FORMS)
_MACADDR8 = re.compile(r"[0-9a-fA-F]{2}(?:([:.-])?[0-9a-fA-F]{2})*")
_MIDDLE = b"\xff\xfe"


def parse_macaddr(text: str) -> bytes:
    """Reads a MAC address, in any of PostgreSQL's forms. Raises SqlError 22P02 for other text, 22003 for an octet over
    255."""
    match = next((match for form in _MACADDR if (match := form.fullmatch(text)) is not None), None)
    if match is None:
        raise invalid_syntax("macaddr", text)
    octets = [int(part, 16) for part in match.groups()]
    if not all(0 <= octet <= 255 for octet in octets):
        message = f'invalid octet value in "macaddr" value: "{text}"'
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)
    return bytes(octets)


def parse_macaddr8(text: str) -> bytes:
    """Parses a macaddr8, or a macaddr of six octets; raises 22P02."""
    body = text.strip(SPACES)
    if _MACADDR8.fullmatch(body) is None or len(set(re.findall(r"[:.-]", body))) > 1:
        raise invalid_syntax("macaddr8", text)
    octets = bytes.fromhex(re.sub(r"[:.-]", "", body))
    if len(octets) not in (6, 8):
        raise invalid_syntax("macaddr8", text)
    return octets if len(octets) == 8 else widened(octets)


def widened(value: bytes) -> bytes:
    """Returns a macaddr as a macaddr8."""
    return value[:3] + _MIDDLE + value[3:]


def narrowed(value: bytes) -> bytes | None:
    """Returns a macaddr8 as a macaddr; None when it is none."""
    return value[:3] + value[5:] if value[3:5] == _MIDDLE else None


def format_mac_address(value: bytes) -> str:
    return value.hex(":")
