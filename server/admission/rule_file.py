"""The text of a file of rules, in pg_hba.conf's form, to rules: what is wrong is told line by line.

A rule is a line of fields: the kind of connection, databases, users, for TCP an address, the method, options. Words in
a field have commas between them, and quotes take the meaning from keywords. A backslash at its end goes on with a line.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from server.admission.rules import (
    Address,
    ConnectionKind,
    Nearby,
    ProofMethod,
    Range,
    Rule,
    Word,
)
from server.reloading import Unusable

_FILE_BYTES_MAX = 1 << 20
_OPTIONS = {"clientcert": ("verify-ca", "verify-full"), "clientname": ("CN",)}
_NOT_THERE = frozenset(("gss", "sspi", "password", "pam", "bsd", "ldap", "radius"))
_INCLUDES = frozenset(("include", "include_if_exists", "include_dir"))


class _Wrong(Exception):
    """A fault of a line."""


@dataclass(frozen=True, slots=True)
class WrongLine:
    line: int
    error: str


@dataclass(frozen=True, slots=True)
class ParsedRules:
    """Rules in their order, and the lines that are none."""

    rules: tuple[Rule, ...]
    wrong: tuple[WrongLine, ...] = ()


def read_rules(path: Path) -> ParsedRules:
    """Reads rules. Of a pipe a reader would wait for ever."""
    if path.exists() and not path.is_file():
        raise Unusable(f"cannot read {path}: it is no file")
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_BYTES_MAX + 1)
    except OSError as error:
        raise Unusable(f"cannot read {path}: {error.strerror}") from None
    if len(data) > _FILE_BYTES_MAX:
        raise Unusable(f"{path} has more than {_FILE_BYTES_MAX} bytes")
    return parse_rules(data.decode(errors="replace"))


def parse_rules(text: str) -> ParsedRules:
    """Returns what is right in a text, and what is wrong."""
    rules, wrong = [], []
    for number, line in _lines(text):
        try:
            fields = list(_fields(line))
            if fields:
                rules.append(_rule(number, fields))
        except _Wrong as error:
            wrong.append(WrongLine(number, str(error)))
    return ParsedRules(tuple(rules), tuple(wrong))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, those that go on put together."""
    begun = 0
    parts: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        begun = begun if parts else number
        line = line.rstrip("\r")
        goes_on = line.endswith("\\")
        parts.append(line[:-1] if goes_on else line)
        if not goes_on:
            yield begun, "".join(parts)
            parts = []
    if parts:
        yield begun, "".join(parts)


def _fields(line: str) -> Iterator[tuple[Word, ...]]:
    position = 0
    while position < len(line):
        words: list[Word] = []
        comma = True
        while comma:
            word, position, comma = _word(line, position)
            if word is None:
                break
            words.append(word)
        if words:
            yield tuple(words)


def _word(line: str, position: int) -> tuple[Word | None, int, bool]:
    """Reads the next word; returns it, the place behind it, and whether a comma ends it."""
    while position < len(line) and line[position] in " \t\r,":
        position += 1
    text: list[str] = []
    inside = seen = initial = doubled = False
    while position < len(line) and (inside or line[position] not in " \t\r"):
        sign = line[position]
        if not inside and sign == "#":
            position = len(line)
            break
        if not inside and sign == ",":
            return Word("".join(text), initial), position + 1, True
        if sign != '"' or doubled:
            text.append(sign)
        doubled = inside and sign == '"' and not doubled
        if sign == '"':
            inside, seen = not inside, True
            initial = initial or not text
        position += 1
    return (Word("".join(text), initial) if seen or text else None), position, False


def _rule(line: int, fields: Sequence[tuple[Word, ...]]) -> Rule:
    rest = iter(fields)
    kind = _only(next(rest), "connection type", "Specify exactly one connection type per line.")
    if kind in _INCLUDES:
        raise _Wrong(f"{kind} is not supported: rules stand in one file")
    try:
        place = ConnectionKind(kind)
    except ValueError:
        raise _Wrong(f'invalid connection type "{kind}"') from None
    databases = _names(next(rest, None), "database")
    users = _names(next(rest, None), "role")
    address = None if place is ConnectionKind.LOCAL else _address(rest)
    found = next(rest, None)
    if found is None:
        raise _Wrong("end-of-line before authentication method")
    method = _method(_only(found, "authentication type", "Specify exactly one authentication type per line."), place)
    options = dict(_option(word.text, method, place) for words in rest for word in words)
    # How the name is taken from a certificate shows nowhere: there is one way.
    options.pop("clientname", None)
    if method is ProofMethod.CERT:
        options["clientcert"] = "verify-full"
    return Rule(line, place, databases, users, address, method, options)


def _only(words: tuple[Word, ...], what: str, hint: str) -> str:
    if len(words) > 1:
        raise _Wrong(f"multiple values specified for {what}; {hint[0].lower()}{hint[1:-1]}")
    return words[0].text


def _names(words: tuple[Word, ...] | None, what: str) -> tuple[Word, ...]:
    if words is None:
        raise _Wrong(f"end-of-line before {what} specification")
    for word in words:
        if not word.quoted and word.text[:1] in ("@", "/") and len(word.text) > 1:
            kind = "a file of names" if word.text[0] == "@" else "a regular expression"
            raise _Wrong(f"{kind} as {what} is not supported: {word.text}")
    return words


def _address(rest: Iterator[tuple[Word, ...]]) -> Range | Nearby:
    words = next(rest, None)
    if words is None:
        raise _Wrong("end-of-line before IP address specification")
    if len(words) > 1:
        raise _Wrong("multiple values specified for host address")
    (word,) = words
    for nearby in Nearby:
        if word.is_keyword(nearby.value):
            return nearby
    host, slash, bits = word.text.partition("/")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        if slash:
            raise _Wrong(f'specifying both host name and CIDR mask is invalid: "{word.text}"') from None
        raise _Wrong(f'a host name as address is not supported: "{host}"') from None
    if slash:
        if re.fullmatch("[0-9]{1,3}", bits) is None or int(bits) > address.max_prefixlen:
            raise _Wrong(f'invalid CIDR mask in address "{word.text}"')
        return ipaddress.ip_interface((address, int(bits)))
    mask = next(rest, None)
    if mask is None:
        raise _Wrong("end-of-line before netmask specification")
    if len(mask) > 1:
        raise _Wrong("multiple values specified for netmask")
    return _masked(address, mask[0].text)


def _masked(address: Address, text: str) -> Range:
    try:
        mask = ipaddress.ip_address(text)
    except ValueError:
        raise _Wrong(f'invalid IP mask "{text}"') from None
    if mask.version != address.version:
        raise _Wrong("IP address and mask do not match")
    length = int(mask).bit_count()
    if int(mask) != ((1 << length) - 1) << (mask.max_prefixlen - length):
        raise _Wrong(f'a mask with gaps is not supported: "{text}"')
    return ipaddress.ip_interface((address, length))


def _method(name: str, place: ConnectionKind) -> ProofMethod:
    if name in _NOT_THERE:
        raise _Wrong(f'authentication method "{name}" is not supported')
    try:
        method = ProofMethod(name)
    except ValueError:
        raise _Wrong(f'invalid authentication method "{name}"') from None
    if method is ProofMethod.IDENT and place is ConnectionKind.LOCAL:
        return ProofMethod.PEER
    if method is ProofMethod.PEER and place is not ConnectionKind.LOCAL:
        raise _Wrong("peer authentication is only supported on local sockets")
    if method is ProofMethod.CERT and place is not ConnectionKind.HOST_SSL:
        raise _Wrong("cert authentication is only supported on hostssl connections")
    return method


def _option(text: str, method: ProofMethod, place: ConnectionKind) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise _Wrong(f"authentication option not in name=value format: {text}")
    if name not in _OPTIONS:
        raise _Wrong(f'unrecognized authentication option name: "{name}"')
    if place is not ConnectionKind.HOST_SSL:
        raise _Wrong(f'{name} can only be configured for "hostssl" rows')
    if value not in _OPTIONS[name]:
        raise _Wrong(f'invalid value for {name}: "{value}"')
    if method is ProofMethod.CERT and name == "clientcert" and value == "verify-ca":
        raise _Wrong('clientcert only accepts "verify-full" when using "cert" authentication')
    return name, value
