"""Checks the values of options, and brings values into a standard form: 22023 for a wrong value.

address("BROKER", "kafka:9092")        'kafka:9092'
one_of("SSL", "PLAINTEXT")(name, "ssl")   'SSL'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.connections import ConnectionValue
from model.ids.global_id import GlobalId

Check = Callable[[str, ConnectionValue], ConnectionValue]
"""Returns the value of an option in a standard form; raises 22023 for a wrong value."""

_ADDRESS = re.compile(r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+):(\d{1,5})")
_URL = re.compile(r"https?://[A-Za-z0-9_.-]+(?::\d{1,5})?(?:/[\x21-\x3e\x40-\x7e]*)?")
_PORT_MAX = 65_535
_ADDRESSES_MAX = 100
_TEXT_LENGTH_MAX = 1 << 16
CERTIFICATE, KEY = "SSL CERTIFICATE", "SSL KEY"


def address(name: str, value: ConnectionValue) -> str:
    """Requires HOST:PORT."""
    said = text(name, value)
    match = _ADDRESS.fullmatch(said)
    if match is None or not 0 < int(match[1]) <= _PORT_MAX:
        hint = "Several of them are BROKERS ('HOST:PORT', ...)." if "," in said else None
        raise wrong(name, "must be HOST:PORT", hint)
    return said


def addresses(name: str, value: ConnectionValue) -> tuple[str, ...]:
    """Requires one or more times HOST:PORT."""
    listed = (value,) if isinstance(value, str) else value
    if isinstance(listed, GlobalId) or len(listed) > _ADDRESSES_MAX:
        raise wrong(name, f"must be at most {_ADDRESSES_MAX} times HOST:PORT")
    return tuple(address(name, each) for each in listed)


def text(name: str, value: ConnectionValue) -> str:
    """Requires a text without control characters."""
    if not isinstance(value, str):
        raise wrong(name, "must be a text")
    if not value or len(value) > _TEXT_LENGTH_MAX:
        raise wrong(name, f"must have between 1 and {_TEXT_LENGTH_MAX} characters")
    if any(sign < " " and sign not in "\n\r\t" for sign in value):
        raise wrong(name, "must not have control characters")
    return value


def text_or_secret(name: str, value: ConnectionValue) -> ConnectionValue:
    """Requires a text, or a secret."""
    return value if isinstance(value, GlobalId) else text(name, value)


def secret(name: str, value: ConnectionValue) -> ConnectionValue:
    """Requires a secret."""
    if not isinstance(value, GlobalId):
        raise wrong(name, "must be a secret", f"CREATE SECRET s AS '...', and say {name} = SECRET s.")
    return value


def url(name: str, value: ConnectionValue) -> str:
    """Requires the address of an HTTP server, without a user."""
    said = text(name, value)
    if not _URL.fullmatch(said):
        hint = "A user and password are USERNAME and PASSWORD." if "@" in said else None
        raise wrong(name, "must be http://HOST[:PORT] or https://HOST[:PORT]", hint)
    return said


def port(name: str, value: ConnectionValue) -> str:
    """Requires a port's number."""
    return number_between(1, _PORT_MAX)(name, value)


def number_between(least: int, most: int) -> Callable[[str, ConnectionValue], str]:
    """Returns a check that requires a whole number."""

    def check(name: str, value: ConnectionValue) -> str:
        said = text(name, value)
        if not (said.isascii() and said.isdigit() and least <= int(said) <= most):
            raise wrong(name, f"must be between {least} and {most}")
        return str(int(said))

    return check


def ssl_mode(*modes: str) -> Check:
    """Returns a check that requires a mode, written in small letters with hyphens."""

    def check(name: str, value: ConnectionValue) -> str:
        said = text(name, value).lower().replace("_", "-")
        if said not in modes:
            raise wrong(name, f"must be one of {', '.join(modes)}")
        return said

    return check


def one_of(*words: str) -> Check:
    """Returns a check that requires a word, written in capitals."""

    def check(name: str, value: ConnectionValue) -> str:
        said = text(name, value).upper()
        if said not in words:
            raise wrong(name, f"must be one of {', '.join(words)}")
        return said

    return check


def require_pair(options: Mapping[str, ConnectionValue]) -> None:
    """Requires a certificate and the key to be given together."""
    if (CERTIFICATE in options) != (KEY in options):
        given, other = (CERTIFICATE, KEY) if CERTIFICATE in options else (KEY, CERTIFICATE)
        raise wrong(given, f"needs {other} beside it")


def require_all(options: Mapping[str, ConnectionValue], of: str, *names: str) -> None:
    """Requires options; `of` names the connection with its article."""
    for name in names:
        if name not in options:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"{of} connection needs {name}")


def wrong(name: str, why: str, hint: str | None = None) -> SqlError:
    """Returns the error for an option's value."""
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'option "{name}" {why}', hint=hint)
