"""The options of connections, by kind. Pure.

KAFKA                       BROKER or BROKERS, and how to log in there
CONFLUENT SCHEMA REGISTRY   URL, and how to log in there
POSTGRES                    HOST and DATABASE, and how to log in there
MYSQL                       HOST and DATABASE, and how to log in there
REDIS                       HOST, and how to log in there
WEBHOOK                     URL, and what is told there
AWS                         how to log in there, REGION, and ENDPOINT where it is another than Amazon's
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.connections import ConnectionOptions, ConnectionValue

_ADDRESS = re.compile(r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+):(\d{1,5})")
_URL = re.compile(r"https?://[A-Za-z0-9_.-]+(?::\d{1,5})?(?:/[\x21-\x3e\x40-\x7e]*)?")
_REGION = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PORT_MAX = 65_535
_BROKERS_MAX = 100
_TEXT_LENGTH_MAX = 1 << 16
_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_MYSQL_SSL_MODES = ("disabled", "preferred", "required", "verify-ca", "verify-identity")
_REDIS_SSL_MODES = ("disabled", "required", "verify-ca", "verify-identity")
_DATABASE_MAX = 9_999
_SASL = ("SASL MECHANISMS", "SASL USERNAME", "SASL PASSWORD")
_SSL = ("SSL CERTIFICATE AUTHORITY", "SSL CERTIFICATE", "SSL KEY")

_Check = Callable[[str, ConnectionValue], ConnectionValue]


def checked_options(of: str, options: ConnectionOptions) -> ConnectionOptions:
    """Returns the options in a standard form; raises 42601 for an option that the kind `of` lacks, 22023 for a wrong
    value."""
    require_option_names(of, (name for name, _ in options))
    checks, together = _KINDS[of]
    given = dict(options)
    found = {name: check(name, given[name]) for name, check in checks.items() if name in given}
    together(found)
    return tuple(found.items())


def require_option_names(of: str, names: Iterable[str]) -> None:
    """Raises 42601 for the first name that is no option of such a connection."""
    checks, _ = _KINDS[of]
    for name in names:
        if name not in checks:
            hint = f"Options of a {of} connection are: {', '.join(checks)}."
            raise SqlError(Sqlstate.SYNTAX_ERROR, f'option "{name}" not recognized', hint=hint)


def security_protocol(options: Mapping[str, ConnectionValue]) -> str:
    """Returns the security protocol for the brokers; without the option it follows from other options."""
    said = options.get("SECURITY PROTOCOL")
    if isinstance(said, str):
        return said
    if any(name in options for name in _SASL):
        return "SASL_SSL"
    return "SSL" if any(name in options for name in _SSL) else "PLAINTEXT"


def _address(name: str, value: ConnectionValue) -> str:
    text = _text(name, value)
    match = _ADDRESS.fullmatch(text)
    if match is None or not 0 < int(match[1]) <= _PORT_MAX:
        hint = "Several of them are BROKERS ('HOST:PORT', ...)." if "," in text else None
        raise _wrong(name, "must be HOST:PORT", hint)
    return text


def _addresses(name: str, value: ConnectionValue) -> tuple[str, ...]:
    listed = (value,) if isinstance(value, str) else value
    if isinstance(listed, GlobalId) or len(listed) > _BROKERS_MAX:
        raise _wrong(name, f"must be at most {_BROKERS_MAX} times HOST:PORT")
    return tuple(_address(name, each) for each in listed)


def _text(name: str, value: ConnectionValue) -> str:
    if not isinstance(value, str):
        raise _wrong(name, "must be a text")
    if not value or len(value) > _TEXT_LENGTH_MAX:
        raise _wrong(name, f"must have between 1 and {_TEXT_LENGTH_MAX} characters")
    if any(sign < " " and sign not in "\n\r\t" for sign in value):
        raise _wrong(name, "must not have control characters")
    return value


def _text_or_secret(name: str, value: ConnectionValue) -> ConnectionValue:
    return value if isinstance(value, GlobalId) else _text(name, value)


def _secret(name: str, value: ConnectionValue) -> ConnectionValue:
    if not isinstance(value, GlobalId):
        raise _wrong(name, "must be a secret", f"CREATE SECRET s AS '...', and say {name} = SECRET s.")
    return value


def _url(name: str, value: ConnectionValue) -> str:
    text = _text(name, value)
    if not _URL.fullmatch(text):
        hint = "A user and password are USERNAME and PASSWORD." if "@" in text else None
        raise _wrong(name, "must be http://HOST[:PORT] or https://HOST[:PORT]", hint)
    return text


def _region(name: str, value: ConnectionValue) -> str:
    text = _text(name, value)
    if not _REGION.fullmatch(text):
        raise _wrong(name, "must be the name of a region, such as us-east-1")
    return text


def _port(name: str, value: ConnectionValue) -> str:
    text = _text(name, value)
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= _PORT_MAX):
        raise _wrong(name, f"must be between 1 and {_PORT_MAX}")
    return str(int(text))


def _numbered(name: str, value: ConnectionValue) -> str:
    """Requires a database named by a number."""
    text = _text(name, value)
    if not (text.isascii() and text.isdigit() and int(text) <= _DATABASE_MAX):
        raise _wrong(name, f"must be between 0 and {_DATABASE_MAX}")
    return str(int(text))


def _ssl_mode(*modes: str) -> _Check:
    def check(name: str, value: ConnectionValue) -> str:
        text = _text(name, value).lower().replace("_", "-")
        if text not in modes:
            raise _wrong(name, f"must be one of {', '.join(modes)}")
        return text

    return check


def _one_of(*words: str) -> _Check:
    def check(name: str, value: ConnectionValue) -> str:
        text = _text(name, value).upper()
        if text not in words:
            raise _wrong(name, f"must be one of {', '.join(words)}")
        return text

    return check


def _check_kafka(options: Mapping[str, ConnectionValue]) -> None:
    if ("BROKER" in options) == ("BROKERS" in options):
        said = "either BROKER or BROKERS, not both" if "BROKER" in options else "BROKER or BROKERS"
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"a KAFKA connection needs {said}")
    protocol = security_protocol(options)
    for name in _SASL:
        if (name in options) != protocol.startswith("SASL_"):
            why = "does not go with" if name in options else "is needed with"
            raise _wrong(name, f"{why} SECURITY PROTOCOL {protocol}")
    for name in _SSL:
        if name in options and not protocol.endswith("SSL"):
            raise _wrong(name, f"does not go with SECURITY PROTOCOL {protocol}")
    _require_pair(options)


def _check_registry(options: Mapping[str, ConnectionValue]) -> None:
    if "URL" not in options:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "a CONFLUENT SCHEMA REGISTRY connection needs URL")
    if "PASSWORD" in options and "USERNAME" not in options:
        raise _wrong("PASSWORD", "needs USERNAME beside it")


def _check_postgres(options: Mapping[str, ConnectionValue]) -> None:
    _require_all(options, "POSTGRES", "HOST", "DATABASE", "USER")


def _check_mysql(options: Mapping[str, ConnectionValue]) -> None:
    _require_all(options, "MYSQL", "HOST", "DATABASE", "USER")
    verified = str(options.get("SSL MODE", "")).startswith("verify-")
    if "SSL CERTIFICATE AUTHORITY" in options and not verified:
        raise _wrong("SSL CERTIFICATE AUTHORITY", "needs SSL MODE verify-ca or verify-identity beside it")


def _check_redis(options: Mapping[str, ConnectionValue]) -> None:
    _require_all(options, "REDIS", "HOST")
    if "USER" in options and "PASSWORD" not in options:
        raise _wrong("USER", "needs PASSWORD beside it")
    mode = str(options.get("SSL MODE", _REDIS_SSL_MODES[0]))
    for name in _SSL:
        if name in options and mode == "disabled":
            raise _wrong(
                name, f"needs SSL MODE {', '.join(_REDIS_SSL_MODES[1:-1])} or {_REDIS_SSL_MODES[-1]} beside it"
            )
    if "SSL CERTIFICATE AUTHORITY" in options and mode == "required":
        raise _wrong("SSL CERTIFICATE AUTHORITY", "needs SSL MODE verify-ca or verify-identity beside it")
    _require_pair(options)


def _require_pair(options: Mapping[str, ConnectionValue]) -> None:
    """Requires a certificate and its key to be given together."""
    if ("SSL CERTIFICATE" in options) != ("SSL KEY" in options):
        given, other = (
            ("SSL CERTIFICATE", "SSL KEY") if "SSL CERTIFICATE" in options else ("SSL KEY", "SSL CERTIFICATE")
        )
        raise _wrong(given, f"needs {other} beside it")


def _require_all(options: Mapping[str, ConnectionValue], of: str, *names: str) -> None:
    for name in names:
        if name not in options:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"a {of} connection needs {name}")


def _check_aws(options: Mapping[str, ConnectionValue]) -> None:
    # Without keys it would log in as whatever the server's machine is there, whoever asks for it.
    for name in ("ACCESS KEY ID", "SECRET ACCESS KEY"):
        if name not in options:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"an AWS connection needs {name}")
    if "ASSUME ROLE SESSION NAME" in options and "ASSUME ROLE ARN" not in options:
        raise _wrong("ASSUME ROLE SESSION NAME", "needs ASSUME ROLE ARN beside it")


def _check_webhook(options: Mapping[str, ConnectionValue]) -> None:
    if "URL" not in options:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "a WEBHOOK connection needs URL")


def _wrong(name: str, why: str, hint: str | None = None) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'option "{name}" {why}', hint=hint)


_KINDS: dict[str, tuple[dict[str, _Check], Callable[[Mapping[str, ConnectionValue]], None]]] = {
    "KAFKA": (
        {
            "BROKER": _address,
            "BROKERS": _addresses,
            "SECURITY PROTOCOL": _one_of(*_PROTOCOLS),
            "SASL MECHANISMS": _one_of(*_MECHANISMS),
            "SASL USERNAME": _text_or_secret,
            "SASL PASSWORD": _secret,
            "SSL CERTIFICATE AUTHORITY": _text_or_secret,
            "SSL CERTIFICATE": _text_or_secret,
            "SSL KEY": _secret,
        },
        _check_kafka,
    ),
    "CONFLUENT SCHEMA REGISTRY": (
        {
            "URL": _url,
            "USERNAME": _text_or_secret,
            "PASSWORD": _secret,
            "SSL CERTIFICATE AUTHORITY": _text_or_secret,
        },
        _check_registry,
    ),
    "POSTGRES": (
        {
            "HOST": _text,
            "PORT": _port,
            "DATABASE": _text,
            "USER": _text_or_secret,
            "PASSWORD": _secret,
            "SSL MODE": _ssl_mode(*_SSL_MODES),
        },
        _check_postgres,
    ),
    "MYSQL": (
        {
            "HOST": _text,
            "PORT": _port,
            "DATABASE": _text,
            "USER": _text_or_secret,
            "PASSWORD": _secret,
            "SSL MODE": _ssl_mode(*_MYSQL_SSL_MODES),
            "SSL CERTIFICATE AUTHORITY": _text_or_secret,
        },
        _check_mysql,
    ),
    "REDIS": (
        {
            "HOST": _text,
            "PORT": _port,
            "DATABASE": _numbered,
            "USER": _text_or_secret,
            "PASSWORD": _secret,
            "SSL MODE": _ssl_mode(*_REDIS_SSL_MODES),
            "SSL CERTIFICATE AUTHORITY": _text_or_secret,
            "SSL CERTIFICATE": _text_or_secret,
            "SSL KEY": _secret,
        },
        _check_redis,
    ),
    "WEBHOOK": ({"URL": _url, "AUTHORIZATION": _text_or_secret, "SIGNING SECRET": _secret}, _check_webhook),
    "AWS": (
        {
            "ENDPOINT": _url,
            "REGION": _region,
            "ACCESS KEY ID": _text_or_secret,
            "SECRET ACCESS KEY": _secret,
            "SESSION TOKEN": _text_or_secret,
            "ASSUME ROLE ARN": _text,
            "ASSUME ROLE SESSION NAME": _text,
        },
        _check_aws,
    ),
}
KINDS = tuple(_KINDS)
