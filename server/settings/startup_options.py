"""Reads the variables that a client sets when it connects: start-up parameters, and `options=-c name=value`.

Others of the switches that a server process of PostgreSQL's takes (`-e`, `-S 5`) are read and passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.addresses.networks import parse_inet
from model.types.datum import Inet

_NOT_VARIABLES = ("options", "replication")
_SETTING = frozenset("c-")
_WITH_VALUE = _SETTING | frozenset("BCDdfhkNprStvW")
_SWITCHES = _WITH_VALUE | frozenset("bEeFijlnOPsT")
_OF_UPKEEP = ("debug_", "jit_", "log_", "tcp_", "track_", "vacuum_", "wal_")
"""Beginnings of variables about PostgreSQL's logs, statistics, sockets and upkeep."""
_OF_OTHERS = frozenset(
    (
        # PostgreSQL's
        *("array_nulls", "client_connection_check_interval", "commit_delay", "compute_query_id"),
        *("deadlock_timeout", "local_preload_libraries", "password_encryption"),
        *("quote_all_identifiers", "restrict_nonsystem_relation_kind", "session_replication_role"),
        *("transform_null_equals", "xmlbinary"),
        # Materialize's, which its adapter of dbt always sends
        *("auto_route_catalog_queries", "current_object_missing_warnings", "welcome_message"),
    )
)
_SPLIT = re.compile(r"(?:\\.|\S)+")


def startup_settings(options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields (name, value) in the order in which they apply; `--name=value` and `-cname=value` are accepted too."""
    yield from _switches([re.sub(r"\\(.)", r"\1", word) for word in _SPLIT.findall(options.get("options", ""))])
    for name, value in options.items():
        if name not in _NOT_VARIABLES and not name.startswith("_pq_."):
            yield name, value


def _switches(words: list[str]) -> Iterator[tuple[str, str]]:
    """Yields the variables of a server's switches; raises SqlError 42601 for words that are none."""
    while words:
        word = words.pop(0)
        switch = word[1:2] if word.startswith("-") else ""
        if word == "--":
            break
        if switch not in _SWITCHES or (switch in _WITH_VALUE and len(word) == 2 and not words):
            raise _no_switch(word)
        if switch not in _WITH_VALUE:
            if word[2:]:
                words.insert(0, f"-{word[2:]}")
            continue
        given = word[2:] or words.pop(0)
        if switch in _SETTING:
            name, equals, value = given.partition("=")
            if not equals:
                raise SqlError(Sqlstate.SYNTAX_ERROR, f"{'--' if switch == '-' else '-c '}{given} requires a value")
            yield name.replace("-", "_"), value
    if words:
        raise _no_switch(words[0])


def _no_switch(word: str) -> SqlError:
    message = f"invalid command-line argument for server process: {word}"
    return SqlError(Sqlstate.SYNTAX_ERROR, message)


def is_passed_over(name: str) -> bool:
    """Tells whether a variable of PostgreSQL or Materialize is one that Headwater has not, and nobody misses."""
    return name.startswith(_OF_UPKEEP) or name in _OF_OTHERS


def client_inet(address: str) -> Inet | None:
    """Returns a client's address; None for a client without one, and for an address with a zone, which inet can't
    hold."""
    return None if not address or "%" in address else parse_inet(address)
