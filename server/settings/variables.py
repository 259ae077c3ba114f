"""The variables of a session (PostgreSQL's run-time parameters), with checks and spelling.

`reported` variables are sent to the client by ParameterStatus: at start-up, and after changes when it is next ready.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.search.configurations import NAMES
from model.text.configurations import parse_configuration
from model.text.dispatch import parse_datum
from model.text.encodings import known_encoding
from model.types.datum import Interval
from model.types.scalar_type import INTERVAL
from server.settings.time_zones import canonical_time_zone
from server.settings.tuning_variables import CHOICES, ENCODINGS, OFF, ON, numbers
from server.settings.value_rules import ValueRule, boolean, choice, duration, only_off, real, refused, whole

SERVER_VERSION = "16.0"
SERVER_VERSION_NUM = "160000"
VERSION_TEXT = f"PostgreSQL {SERVER_VERSION} (Headwater 0.1.0) on Python and Spark"
_MZ_VERSION = "v26.26.0 (Headwater 0.1.0)"
"""Materialize's adapter of dbt reads it when it connects, and takes the first word for the version."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable.

    `rule`: for its values; None: it can't be changed
    `partial`: a new value changes a part of the present one, and is read behind it
    `kind`: for pg_settings, where it has no rule
    """

    name: str
    default: str
    rule: ValueRule | None
    description: str
    reported: bool = False
    partial: bool = False
    kind: str = "string"

    @property
    def facts(self) -> ValueRule:
        """Returns the facts for pg_settings."""
        return ValueRule(str, self.kind) if self.rule is None else self.rule


_TEXT = ValueRule(str)
_MESSAGE_LEVELS = ("debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error")
_MESSAGE_LEVEL = choice("client_min_messages", *_MESSAGE_LEVELS, others={"debug": "debug2", "info": "info"})


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
            raise refused("DateStyle", value)
    return f"{style}, {order}"


def _encoding(value: str) -> str:
    name = value.strip("'\"").replace("-", "").replace("_", "").upper()
    if name in ("UTF8", "UNICODE"):
        return "UTF8"
    if name == "SQLASCII":
        return "SQL_ASCII"
    known = known_encoding(value)
    if known is not None:
        return known.name
    if name.lower() not in ENCODINGS:
        raise refused("client_encoding", value)
    raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f'client_encoding "{value}" is not supported')


def _password_encryption(value: str) -> str:
    if choice("password_encryption", "md5", "scram-sha-256").spell(value) == "md5":
        message = "password_encryption = md5 is not supported"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint="Passwords are kept as SCRAM-SHA-256 verifiers.")
    return "scram-sha-256"


def _staleness(value: str) -> str:
    if value.strip() in ("", "off", "none"):
        return "off"
    try:
        span = parse_datum(value, INTERVAL)
    except SqlError:
        raise refused("max_staleness", value, "Give an interval, such as '5s', or 'off'.") from None
    assert isinstance(span, Interval)
    milliseconds = span.span() // 1000
    if milliseconds < 0:
        raise refused("max_staleness", value)
    return f"{milliseconds}ms"


def _text_search(value: str) -> str:
    try:
        name = NAMES.get(parse_configuration(value))
    except SqlError:
        name = None
    if name is None or value.isdigit():
        raise refused("default_text_search_config", value)
    return f"pg_catalog.{name}"


_ISOLATION = "serializable"
_LEVELS = ("serializable", "repeatable read", "read committed", "read uncommitted")
_ISOLATION_RULE = choice("transaction_isolation", *_LEVELS, others={"strict serializable": "strict serializable"})
SIMILARITY_THRESHOLDS = (
    "pg_trgm.similarity_threshold",
    "pg_trgm.word_similarity_threshold",
    "pg_trgm.strict_word_similarity_threshold",
)
_WITHOUT_EFFECT = "Accepted for compatibility."

_VARIABLES = (
    Variable("application_name", "", _TEXT, "Sets the application name to be reported in statistics.", True),
    Variable(
        "backslash_quote",
        "safe_encoding",
        choice("backslash_quote", "safe_encoding", "on", "off"),
        r"Sets whether \' is a quote within a string.",
    ),
    Variable("bytea_output", "hex", choice("bytea_output", "escape", "hex"), "Sets the output format for bytea."),
    Variable("check_function_bodies", "on", boolean("check_function_bodies"), _WITHOUT_EFFECT),
    Variable("cluster", "default", _TEXT, "Sets the cluster that runs queries."),
    Variable("client_encoding", "UTF8", ValueRule(_encoding), "Sets the client's character set encoding.", True),
    Variable(
        "client_min_messages",
        "notice",
        _MESSAGE_LEVEL,
        "Sets the message levels that are sent to the client.",
    ),
    Variable(
        "datestyle", "ISO, MDY", ValueRule(_date_style), "Sets the display format for date and time values.", True, True
    ),
    Variable(
        "default_transaction_isolation", _ISOLATION, _ISOLATION_RULE, "Sets the isolation level of new transactions."
    ),
    Variable(
        "default_transaction_read_only",
        "off",
        boolean("default_transaction_read_only"),
        "Sets the default read-only status of new transactions.",
        True,
    ),
    Variable(
        "default_text_search_config",
        "pg_catalog.english",
        ValueRule(_text_search),
        "Sets default text search configuration.",
    ),
    Variable("default_transaction_deferrable", "off", boolean("default_transaction_deferrable"), "Accepted."),
    Variable("default_table_access_method", "heap", _TEXT, _WITHOUT_EFFECT),
    Variable("default_tablespace", "", _TEXT, _WITHOUT_EFFECT),
    Variable("extra_float_digits", "1", whole("extra_float_digits", -15, 3), "Digits shown for floating points."),
    Variable(
        "idle_in_transaction_session_timeout",
        "0",
        duration("idle_in_transaction_session_timeout"),
        "Ends sessions that idle in a transaction.",
    ),
    Variable("idle_session_timeout", "0", duration("idle_session_timeout"), _WITHOUT_EFFECT),
    Variable("in_hot_standby", "off", None, "Whether the server is in hot standby.", True, kind="bool"),
    Variable("integer_datetimes", "on", None, "Datetimes are integer based.", True, kind="bool"),
    Variable(
        "intervalstyle",
        "postgres",
        choice("IntervalStyle", "postgres", "postgres_verbose", "sql_standard", "iso_8601"),
        "Sets the display format for interval values.",
        True,
    ),
    Variable("is_superuser", "on", None, "Whether the current user is a superuser.", True, kind="bool"),
    Variable("jit", "off", boolean("jit"), _WITHOUT_EFFECT),
    Variable(
        "lo_compat_privileges",
        "off",
        only_off("lo_compat_privileges"),
        "Rights on large objects are always asked for.",
    ),
    Variable("lc_messages", "C", _TEXT, _WITHOUT_EFFECT),
    Variable("lc_monetary", "C", _TEXT, _WITHOUT_EFFECT),
    Variable("lc_numeric", "C", _TEXT, _WITHOUT_EFFECT),
    Variable("lc_time", "C", _TEXT, _WITHOUT_EFFECT),
    Variable("lock_timeout", "0", duration("lock_timeout"), "Ends statements that wait longer for a lock."),
    Variable("max_identifier_length", "63", None, "The maximum identifier length, in bytes.", kind="integer"),
    Variable("max_index_keys", "32", None, "The maximum number of index keys.", kind="integer"),
    Variable(
        "max_prepared_transactions",
        "0",
        None,
        "The most transactions that may be prepared for two-phase commit at once.",
        kind="integer",
    ),
    Variable(
        "password_encryption",
        "scram-sha-256",
        ValueRule(_password_encryption, "enum", choices=("scram-sha-256",)),
        "Chooses the algorithm for encrypting passwords.",
    ),
    Variable(
        "max_staleness",
        "off",
        ValueRule(_staleness),
        "Lets reads answer from the freshest complete time within this bound, without waiting.",
    ),
    Variable(
        "mz_version", _MZ_VERSION, None, "The version of Materialize whose statements and relations are followed.", True
    ),
    *(
        Variable(name, default, real(name, 0, 1), "Sets the threshold of pg_trgm's operators.")
        for name, default in zip(SIMILARITY_THRESHOLDS, ("0.3", "0.6", "0.5"), strict=True)
    ),
    Variable("role", "none", None, "Sets the current role."),
    Variable("row_security", "on", boolean("row_security"), _WITHOUT_EFFECT),
    Variable(
        "search_path", '"$user", public', _TEXT, "Sets the schema search order for names that are not qualified.", False
    ),
    Variable("server_encoding", "UTF8", None, "The server's character set encoding.", True),
    Variable("server_version", SERVER_VERSION, None, "The PostgreSQL version that the server's answers follow.", True),
    Variable("server_version_num", SERVER_VERSION_NUM, None, "The server version as an integer.", kind="integer"),
    Variable("session_authorization", "headwater", None, "The session's user.", True),
    Variable(
        "standard_conforming_strings",
        "on",
        boolean("standard_conforming_strings"),
        "Backslashes in '...' are literal.",
        True,
    ),
    Variable("statement_timeout", "0", duration("statement_timeout"), "Ends statements that take longer."),
    Variable(
        "synchronous_commit",
        "on",
        choice("synchronous_commit", "local", "remote_write", "remote_apply", "on", "off"),
        "Commits are always durable.",
    ),
    Variable(
        "timezone",
        "UTC",
        ValueRule(canonical_time_zone),
        "Sets the time zone for displaying and interpreting time stamps.",
        True,
    ),
    Variable("transaction_isolation", _ISOLATION, _ISOLATION_RULE, "The current transaction's isolation level."),
    Variable(
        "transaction_read_only", "off", boolean("transaction_read_only"), "The current transaction's read-only status."
    ),
    Variable("transaction_deferrable", "off", boolean("transaction_deferrable"), "Accepted."),
    Variable("xmloption", "content", choice("xmloption", "content", "document"), _WITHOUT_EFFECT),
)

_TUNING = (
    *(Variable(name, "on", boolean(name), _WITHOUT_EFFECT) for name in ON),
    *(Variable(name, "off", boolean(name), _WITHOUT_EFFECT) for name in OFF),
    *(Variable(name, choices[0], choice(name, *choices), _WITHOUT_EFFECT) for name, choices in CHOICES.items()),
    *(Variable(name, default, check, _WITHOUT_EFFECT) for name, (default, check) in numbers().items()),
)

VARIABLES: Mapping[str, Variable] = {variable.name: variable for variable in (*_VARIABLES, *_TUNING)}

TRANSACTION_VARIABLES = ("transaction_isolation", "transaction_read_only", "transaction_deferrable")
"""Variables of the transaction alone: unless it sets them, they are what those named `default_…` say."""

DISPLAY_NAMES = {"datestyle": "DateStyle", "timezone": "TimeZone", "intervalstyle": "IntervalStyle"}
"""Variables whose name PostgreSQL spells with capitals."""


_OWN_PART = re.compile(r"[A-Za-z_\x80-\U0010ffff][\w$]*")


def variable_named(name: str) -> Variable:
    """Returns a variable of a user's own, whose name has two parts, if none of the server's; raises SqlError 42704,
    42602."""
    variable = VARIABLES.get(name.lower())
    if variable is None and "." in name:
        if not all(map(_OWN_PART.fullmatch, name.split("."))):
            detail = "Custom parameter names must be two or more simple identifiers separated by dots."
            message = f'invalid configuration parameter name "{name}"'
            raise SqlError(Sqlstate.INVALID_NAME, message, detail=detail)
        return Variable(name.lower(), "", _TEXT, "A variable of the user's own.")
    if variable is None:
        raise unknown_variable(name)
    return variable


def unknown_variable(name: str) -> SqlError:
    """Returns SqlError 42704 for a variable that does not exist."""
    return SqlError(Sqlstate.UNDEFINED_OBJECT, f'unrecognized configuration parameter "{name}"')


def canonical_value(name: str, value: str) -> str:
    """Returns the value as SHOW spells it; raises SqlError 22023 or 55P02 when it can't be set."""
    variable = variable_named(name)
    if variable.rule is None:
        raise SqlError(
            Sqlstate.CANT_CHANGE_RUNTIME_PARAM, f'parameter "{display_name(variable.name)}" cannot be changed'
        )
    return variable.rule.spell(value)


def display_name(name: str) -> str:
    return DISPLAY_NAMES.get(name, name)
