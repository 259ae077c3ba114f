"""A session's variables (PostgreSQL's run-time parameters), their checks and their spelling.

`reported` variables are told to the client by ParameterStatus: at start-up, and where they have changed once it is
ready again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import parse_datum
from model.types.datum import Interval
from model.types.scalar_type import INTERVAL
from server.session.durations import duration_text, parse_duration_ms
from server.session.time_zones import canonical_time_zone
from server.session.tuning_variables import BOOLEAN_SPELLINGS, CHOICES, ENCODINGS, OFF, ON, numbers

SERVER_VERSION = "16.0"
SERVER_VERSION_NUM = "160000"
VERSION_TEXT = f"PostgreSQL {SERVER_VERSION} (Headwater 0.1.0) on Python and Spark"


@dataclass(frozen=True, slots=True)
class Variable:
    """`canonical` checks a value and spells it as SHOW does; None: the variable can't be changed. `partial`: a value
    changes a part of the present one, and is read behind it."""

    name: str
    default: str
    canonical: Callable[[str], str] | None
    description: str
    reported: bool = False
    partial: bool = False


def _invalid(name: str, value: str, hint: str | None = None) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid value for parameter "{name}": "{value}"', hint=hint)


def _text(value: str) -> str:
    return value


def _bool(name: str) -> Callable[[str], str]:
    words = {"on": "on", "true": "on", "yes": "on", "1": "on", "off": "off", "false": "off", "no": "off", "0": "off"}

    def canonical(value: str) -> str:
        if value.lower() not in words:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'parameter "{name}" requires a Boolean value')
        return words[value.lower()]

    return canonical


def _choice(name: str, *choices: str) -> Callable[[str], str]:
    """A switch with more than two positions takes the spellings of booleans too."""
    hidden = BOOLEAN_SPELLINGS if "on" in choices else {}

    def canonical(value: str) -> str:
        chosen = hidden.get(value.lower(), value.lower())
        if chosen not in choices:
            raise _invalid(name, value, f"Available values: {', '.join(choices)}.")
        return chosen

    return canonical


def _message_level(value: str) -> str:
    levels = ("debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error")
    match value.lower():
        case "debug":
            return "debug2"
        case "info":
            return "info"
        case _:
            return _choice("client_min_messages", *levels)(value)


def _integer(name: str, least: int, most: int) -> Callable[[str], str]:
    def canonical(value: str) -> str:
        try:
            number = int(value)
        except ValueError:
            raise _invalid(name, value) from None
        if not least <= number <= most:
            raise SqlError(
                Sqlstate.INVALID_PARAMETER_VALUE,
                f'{number} is outside the valid range for parameter "{name}" ({least} .. {most})',
            )
        return str(number)

    return canonical


def _duration(name: str) -> Callable[[str], str]:
    def canonical(value: str) -> str:
        return duration_text(parse_duration_ms(name, value))

    return canonical


_STYLES = {"iso": "ISO", "sql": "SQL", "postgres": "Postgres", "german": "German"}
_ORDERS = {"mdy": "MDY", "us": "MDY", "dmy": "DMY", "euro": "DMY", "european": "DMY", "ymd": "YMD"}


def _date_style(value: str) -> str:
    style, order = "ISO", "MDY"
    for word in value.replace(",", " ").lower().split():
        if word in _STYLES:
            style = _STYLES[word]
            order = "DMY" if style == "German" else order
        elif word in _ORDERS:
            order = _ORDERS[word]
        elif word != "default":
            raise _invalid("DateStyle", value)
    return f"{style}, {order}"


def _encoding(value: str) -> str:
    name = value.strip("'\"").replace("-", "").replace("_", "").upper()
    if name in ("UTF8", "UNICODE"):
        return "UTF8"
    if name == "SQLASCII":
        return "SQL_ASCII"
    if name.lower() not in ENCODINGS:
        raise _invalid("client_encoding", value)
    raise SqlError(
        Sqlstate.FEATURE_NOT_SUPPORTED, f'client_encoding "{value}" is not supported', hint="Headwater speaks UTF8."
    )


def _conforming_strings(value: str) -> str:
    if _bool("standard_conforming_strings")(value) == "off":
        message = "standard_conforming_strings = off is not supported"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint="Write E'...' for a string with escapes.")
    return "on"


def _isolation(value: str) -> str:
    level = value.lower()
    levels = ("read uncommitted", "read committed", "repeatable read", "serializable", "strict serializable")
    if level not in levels:
        raise _invalid("transaction_isolation", value, f"Available values: {', '.join(levels)}.")
    return level


def _staleness(value: str) -> str:
    if value.strip() in ("", "off", "none"):
        return "off"
    try:
        span = parse_datum(value, INTERVAL)
    except SqlError:
        raise _invalid("max_staleness", value, "Give an interval, such as '5s', or 'off'.") from None
    assert isinstance(span, Interval)
    milliseconds = span.span() // 1000
    if milliseconds < 0:
        raise _invalid("max_staleness", value)
    return f"{milliseconds}ms"


_ISOLATION = "serializable"
_WITHOUT_EFFECT = "Accepted for compatibility."

_VARIABLES = (
    Variable("application_name", "", _text, "Sets the application name to be reported in statistics.", True),
    Variable("bytea_output", "hex", _choice("bytea_output", "hex", "escape"), "Sets the output format for bytea."),
    Variable("check_function_bodies", "on", _bool("check_function_bodies"), _WITHOUT_EFFECT),
    Variable("cluster", "default", _text, "Accepted: there is one cluster."),
    Variable("client_encoding", "UTF8", _encoding, "Sets the client's character set encoding.", True),
    Variable(
        "client_min_messages",
        "notice",
        _message_level,
        "Sets the message levels that are sent to the client.",
    ),
    Variable("datestyle", "ISO, MDY", _date_style, "Sets the display format for date and time values.", True, True),
    Variable("default_transaction_isolation", _ISOLATION, _isolation, "Sets the isolation level of new transactions."),
    Variable(
        "default_transaction_read_only",
        "off",
        _bool("default_transaction_read_only"),
        "Sets the default read-only status of new transactions.",
        True,
    ),
    Variable("default_transaction_deferrable", "off", _bool("default_transaction_deferrable"), "Accepted."),
    Variable("default_table_access_method", "heap", _text, _WITHOUT_EFFECT),
    Variable("default_tablespace", "", _text, _WITHOUT_EFFECT),
    Variable("extra_float_digits", "1", _integer("extra_float_digits", -15, 3), "Digits shown for floating points."),
    Variable(
        "idle_in_transaction_session_timeout",
        "0",
        _duration("idle_in_transaction_session_timeout"),
        "Ends sessions that idle in a transaction.",
    ),
    Variable("idle_session_timeout", "0", _duration("idle_session_timeout"), _WITHOUT_EFFECT),
    Variable("in_hot_standby", "off", None, "Whether the server is in hot standby.", True),
    Variable("integer_datetimes", "on", None, "Datetimes are integer based.", True),
    Variable(
        "intervalstyle",
        "postgres",
        _choice("IntervalStyle", "postgres", "postgres_verbose", "sql_standard", "iso_8601"),
        "Sets the display format for interval values.",
        True,
    ),
    Variable("is_superuser", "on", None, "Whether the current user is a superuser.", True),
    Variable("jit", "off", _bool("jit"), _WITHOUT_EFFECT),
    Variable("lc_messages", "C", _text, _WITHOUT_EFFECT),
    Variable("lc_monetary", "C", _text, _WITHOUT_EFFECT),
    Variable("lc_numeric", "C", _text, _WITHOUT_EFFECT),
    Variable("lc_time", "C", _text, _WITHOUT_EFFECT),
    Variable("lock_timeout", "0", _duration("lock_timeout"), "Ends statements that wait longer for a lock."),
    Variable("max_identifier_length", "63", None, "The maximum identifier length, in bytes."),
    Variable("max_index_keys", "32", None, "The maximum number of index keys."),
    Variable(
        "max_staleness",
        "off",
        _staleness,
        "Lets reads answer from the freshest complete time within this bound, without waiting.",
    ),
    Variable("row_security", "on", _bool("row_security"), _WITHOUT_EFFECT),
    Variable(
        "search_path", '"$user", public', _text, "Sets the schema search order for names that are not qualified.", False
    ),
    Variable("server_encoding", "UTF8", None, "The server's character set encoding.", True),
    Variable("server_version", SERVER_VERSION, None, "The PostgreSQL version that the server's answers follow.", True),
    Variable("server_version_num", SERVER_VERSION_NUM, None, "The server version as an integer."),
    Variable("session_authorization", "headwater", None, "The session's user.", True),
    Variable(
        "standard_conforming_strings",
        "on",
        _conforming_strings,
        "Backslashes in '...' are literal.",
        True,
    ),
    Variable("statement_timeout", "0", _duration("statement_timeout"), "Ends statements that take longer."),
    Variable(
        "synchronous_commit",
        "on",
        _choice("synchronous_commit", "on", "off", "local", "remote_write", "remote_apply"),
        "Commits are always durable.",
    ),
    Variable(
        "timezone", "UTC", canonical_time_zone, "Sets the time zone for displaying and interpreting time stamps.", True
    ),
    Variable("transaction_isolation", _ISOLATION, _isolation, "The current transaction's isolation level."),
    Variable(
        "transaction_read_only", "off", _bool("transaction_read_only"), "The current transaction's read-only status."
    ),
    Variable("transaction_deferrable", "off", _bool("transaction_deferrable"), "Accepted."),
    Variable("xmloption", "content", _text, _WITHOUT_EFFECT),
)

_TUNING = (
    *(Variable(name, "on", _bool(name), _WITHOUT_EFFECT) for name in ON),
    *(Variable(name, "off", _bool(name), _WITHOUT_EFFECT) for name in OFF),
    *(Variable(name, choices[0], _choice(name, *choices), _WITHOUT_EFFECT) for name, choices in CHOICES.items()),
    *(Variable(name, default, check, _WITHOUT_EFFECT) for name, (default, check) in numbers().items()),
)

VARIABLES: Mapping[str, Variable] = {variable.name: variable for variable in (*_VARIABLES, *_TUNING)}

TRANSACTION_VARIABLES = ("transaction_isolation", "transaction_read_only", "transaction_deferrable")
"""Variables of the transaction alone: unless it sets them, they are what those named `default_…` say."""

DISPLAY_NAMES = {"datestyle": "DateStyle", "timezone": "TimeZone", "intervalstyle": "IntervalStyle"}
"""Variables whose name PostgreSQL spells with capitals."""


_OWN_PART = re.compile(r"[A-Za-z_\x80-\U0010ffff][\w$]*")


def variable_named(name: str) -> Variable:
    """A variable of a user's own, whose name has two parts, if none of the server's; SqlError 42704, 42602."""
    variable = VARIABLES.get(name.lower())
    if variable is None and "." in name:
        if not all(map(_OWN_PART.fullmatch, name.split("."))):
            detail = "Custom parameter names must be two or more simple identifiers separated by dots."
            message = f'invalid configuration parameter name "{name}"'
            raise SqlError(Sqlstate.INVALID_NAME, message, detail=detail)
        return Variable(name.lower(), "", _text, "A variable of the user's own.")
    if variable is None:
        raise unknown_variable(name)
    return variable


def unknown_variable(name: str) -> SqlError:
    """42704."""
    return SqlError(Sqlstate.UNDEFINED_OBJECT, f'unrecognized configuration parameter "{name}"')


def canonical_value(name: str, value: str) -> str:
    """The value as SHOW spells it; SqlError 22023 or 55P02 when it can't be set."""
    variable = variable_named(name)
    if variable.canonical is None:
        raise SqlError(
            Sqlstate.CANT_CHANGE_RUNTIME_PARAM, f'parameter "{display_name(variable.name)}" cannot be changed'
        )
    return variable.canonical(value)


def display_name(name: str) -> str:
    return DISPLAY_NAMES.get(name, name)
