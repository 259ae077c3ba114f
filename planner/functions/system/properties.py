"""Functions that tools call about texts, types, tables and the server, with answers that are the same for every
session, or need no catalog."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.addresses.networks import parse_inet
from model.text.dispatch import parser
from model.types.datum import Inet
from model.types.scalar_type import (
    BOOL,
    FLOAT8,
    INET,
    INT4,
    INT8,
    NAME,
    OID,
    OIDVECTOR,
    REGCLASS,
    TEXT,
    TIMESTAMPTZ,
    ScalarType,
    TypeName,
    array_of,
    bare_text,
    type_from_oid,
)
from planner.functions.failures import invalid_parameter, out_of_range
from planner.functions.rows import ANY, function
from planner.functions.signature import Function, ResultType, Volatility
from planner.functions.system.lookup import SystemLookup
from planner.ir.scalar import SessionName

_SIZE = re.compile(r"\s*([+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?)\s*(\S.*?)?\s*", re.DOTALL)
_UNITS = {"": 0, "b": 0, "bytes": 0, "kb": 1, "mb": 2, "gb": 3, "tb": 4, "pb": 5}
_ENCODING_WIDTHS = {0: 1, 6: 4, 8: 1, 24: 1}
_FORKS = ("main", "fsm", "vm", "init")
_COLLATABLE = frozenset((TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR))


def size_bytes(text: str) -> int:
    """Reads `1.5 MB` as bytes, rounded half away from zero; raises 22023 for what isn't a size."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise invalid_parameter(f'invalid size: "{text}"')
    unit = match[2] or ""
    if unit.lower() not in _UNITS:
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            f'invalid size: "{text}"',
            detail=f'Invalid size unit: "{unit}".',
            hint='Valid units are "bytes", "B", "kB", "MB", "GB", "TB", and "PB".',
        )
    exact = Decimal(match[1]) * 1024 ** _UNITS[unit.lower()]
    size = int(exact.to_integral_value("ROUND_HALF_UP"))
    if not -(1 << 63) <= size < 1 << 63:
        raise out_of_range("bigint")
    return size


def input_error(system: SystemLookup, text: str, type_name: str) -> SqlError | None:
    """Returns the error of `text` as input of the type; raises 42704 when there is no such type."""
    type_ = type_from_oid(system.names.oid(TypeName.REGTYPE, type_name))
    if type_ is None:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"type {type_name} is not supported")
    try:
        parser(type_)(text)
    except SqlError as error:
        return error
    return None


def _valid(system: SystemLookup, text: str, type_name: str) -> bool:
    return input_error(system, text, type_name) is None


def _collation(types: tuple[ScalarType, ...], value: Any) -> str | None:
    type_ = types[0]
    innermost = type_.element or type_
    if innermost.name is TypeName.NAME:
        return '"C"'
    if innermost.name not in _COLLATABLE:
        message = f"collations are not supported by type {bare_text(type_)}"
        raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)
    return '"default"'


def _fork_size(system: SystemLookup, relation: int, fork: str) -> int | None:
    """Returns the size of a fork: everything is in the main fork."""
    if fork not in _FORKS:
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            "invalid fork name",
            hint='Valid fork names are "main", "fsm", "vm", and "init".',
        )
    size = system.relation_size(relation)
    return size if fork == "main" or size is None else 0


def _row_security(system: SystemLookup, relation: int | str) -> bool | None:
    """Returns whether policies bind the current role in a table; NULL for an unknown oid."""
    oid = system.names.oid(TypeName.REGCLASS, relation) if isinstance(relation, str) else relation
    return None if system.names.name(TypeName.REGCLASS, oid) is None else system.privileges.row_security_active(oid)


def _type_list(system: SystemLookup, oids: tuple[int, ...]) -> str:
    return ", ".join(system.names.name(TypeName.REGTYPE, oid) or "???" for oid in oids)


def _constant(
    name: str, arguments: tuple[ScalarType, ...], result: ResultType, value: object, *, immutable: bool = False
) -> Function:
    volatility = Volatility.IMMUTABLE if immutable else Volatility.STABLE
    return function(name, arguments, result, lambda *values: value, volatility=volatility)


def _asking(name: str, arguments: tuple[ScalarType, ...], result: ResultType, evaluate: Callable[..., Any]) -> Function:
    return function(name, arguments, result, evaluate, volatility=Volatility.STABLE, needs_system=True, fallible=True)


def _address(at: int) -> Callable[[SystemLookup], Inet | None]:
    """Returns the function of one of a session's addresses; NULL for one with a zone, which inet can't hold."""

    def evaluate(system: SystemLookup) -> Inet | None:
        found = str(system.session.addresses()[at])
        return None if not found or "%" in found else parse_inet(found)

    return evaluate


def _port(at: int) -> Callable[[SystemLookup], int | None]:
    def evaluate(system: SystemLookup) -> int | None:
        found = system.session.addresses()[at]
        return None if found is None else int(found)

    return evaluate


def _of_nothing(*arguments: Any) -> None:
    """Returns NULL, because foreign servers and foreign data wrappers don't exist. Raises 22023 for a last argument
    without the names of privileges on foreign servers."""
    for word in arguments[-1].split(","):
        if " ".join(word.lower().split()) not in ("usage", "usage with grant option"):
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'unrecognized privilege type: "{word.strip()}"')


FUNCTIONS: tuple[Function, ...] = (
    function("pg_size_bytes", (TEXT,), INT8, size_bytes, fallible=True),
    _asking("pg_input_is_valid", (TEXT, TEXT), BOOL, _valid),
    function("pg_collation_for", (ANY,), TEXT, _collation, typed=True, fallible=True, volatility=Volatility.STABLE),
    function("pg_encoding_max_length", (INT4,), INT4, _ENCODING_WIDTHS.get),
    _asking("pg_relation_size", (REGCLASS, TEXT), INT8, _fork_size),
    _asking("pg_postmaster_start_time", (), TIMESTAMPTZ, lambda system: system.session.started()),
    _asking("pg_conf_load_time", (), TIMESTAMPTZ, lambda system: system.session.started()),
    *(_asking(name, (), INET, _address(at)) for name, at in (("inet_client_addr", 0), ("inet_server_addr", 2))),
    *(_asking(name, (), INT4, _port(at)) for name, at in (("inet_client_port", 1), ("inet_server_port", 3))),
    _constant("system_user", (), TEXT, None),
    *(_constant("pg_current_logfile", types, TEXT, None) for types in ((), (TEXT,))),
    _constant("pg_relation_filepath", (REGCLASS,), TEXT, None),
    _constant("pg_column_compression", (ANY,), TEXT, None),
    *(
        function(name, types, BOOL, _of_nothing, volatility=Volatility.STABLE, fallible=True)
        for name in ("has_server_privilege", "has_foreign_data_wrapper_privilege")
        for types in ((OID, TEXT), (NAME, OID, TEXT), (OID, OID, TEXT))
    ),
    _asking("oidvectortypes", (OIDVECTOR,), TEXT, _type_list),
    *(_asking("row_security_active", (relation,), BOOL, _row_security) for relation in (OID, TEXT)),
    _constant("pg_jit_available", (), BOOL, False),
    _constant("pg_trigger_depth", (), INT4, 0),
    _constant("pg_notification_queue_usage", (), FLOAT8, 0.0),
    _constant("pg_partition_root", (REGCLASS,), REGCLASS, None),
    _constant("pg_get_function_arg_default", (OID, INT4), TEXT, None),
    _constant("pg_settings_get_flags", (TEXT,), array_of(TEXT), ()),
    _constant("txid_current_if_assigned", (), INT8, None),
    function(
        "getpgusername",
        (),
        NAME,
        lambda user: user,
        session=(SessionName.CURRENT_USER,),
        volatility=Volatility.STABLE,
    ),
)
