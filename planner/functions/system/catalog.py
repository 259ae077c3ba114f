"""System information: what psql, the drivers and other tools ask of the catalog and the session in functions.

Definitions of things that Headwater doesn't have (triggers, rules, partitions …) are NULL, as for an unknown oid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.integers import clamped
from model.types.scalar_type import (
    BOOL,
    INT2,
    INT4,
    INT8,
    NAME,
    NUMERIC,
    OID,
    REGCLASS,
    REGNAMESPACE,
    REGOPER,
    REGOPERATOR,
    REGPROC,
    REGPROCEDURE,
    REGROLE,
    REGTYPE,
    TEXT,
    VOID,
    ScalarType,
    TypeName,
    declared_oid,
    type_from_oid,
    type_text,
)
from planner.function_rules import FunctionPart
from planner.functions.rows import ANY, function
from planner.functions.signature import Function, ResultType, Volatility
from planner.functions.system.lookup import SystemLookup
from planner.functions.system.sizes import numeric_size_pretty, size_pretty
from planner.functions.system.waiting import call_large_object

_UTF8 = 6
_ENCODINGS = {0: "SQL_ASCII", _UTF8: "UTF8", 8: "LATIN1", 24: "WIN1252"}


def _asking(
    name: str,
    arguments: tuple[ScalarType, ...],
    result: ResultType,
    evaluate: Callable[..., Any],
    volatility: Volatility = Volatility.STABLE,
    strict: bool = True,
) -> Function:
    return function(
        name, arguments, result, evaluate, volatility=volatility, needs_system=True, fallible=True, strict=strict
    )


def _absent(name: str, *overloads: tuple[ScalarType, ...], result: ScalarType = TEXT) -> list[Function]:
    """Functions about things that don't exist here: NULL."""
    return [
        function(name, arguments, result, lambda *values: None, volatility=Volatility.STABLE) for arguments in overloads
    ]


_FUNCTION_TEXTS = (
    ("pg_get_functiondef", FunctionPart.DEFINITION),
    ("pg_get_function_arguments", FunctionPart.ARGUMENTS),
    ("pg_get_function_identity_arguments", FunctionPart.IDENTITY_ARGUMENTS),
    ("pg_get_function_result", FunctionPart.RESULT),
    ("pg_get_function_sqlbody", FunctionPart.BODY),
)


def _function_text(name: str, part: FunctionPart) -> Function:
    return _asking(name, (OID,), TEXT, lambda system, oid: system.function_text(oid, part))


_MODIFIED = frozenset(
    (
        TypeName.VARCHAR,
        TypeName.BPCHAR,
        TypeName.BIT,
        TypeName.VARBIT,
        TypeName.VECTOR,
        TypeName.NUMERIC,
        TypeName.TIME,
        TypeName.TIMETZ,
        TypeName.TIMESTAMP,
        TypeName.TIMESTAMPTZ,
        TypeName.INTERVAL,
    )
)
_NEVER_MODIFIED = frozenset(
    (TypeName.BOOL, TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.FLOAT4, TypeName.FLOAT8)
)


def format_type(system: SystemLookup, oid: int | None, modifier: int | None) -> str | None:
    """Formats a type: `-` for 0, `???` for an unknown oid; without a modifier char is bpchar, as PostgreSQL has it."""
    if oid is None:
        return None
    if oid == 0:
        return "-"
    type_ = type_from_oid(oid)
    if type_ is None:
        return system.names.name(TypeName.REGTYPE, oid) or "???"
    given = -1 if modifier is None else modifier
    if type_.element is not None:
        element = type_.element
        return _typed_text(ScalarType(element.name, given), modifier) + "[]"
    return _typed_text(ScalarType(type_.name, given), modifier)


def _typed_text(type_: ScalarType, modifier: int | None) -> str:
    if type_.name is TypeName.BPCHAR and modifier == -1:
        return "bpchar"
    text = type_text(type_)
    # PostgreSQL shows the modifier of a type that has none, where somebody gives one.
    odd = type_.modifier >= 0 and type_.name not in _MODIFIED and type_.name not in _NEVER_MODIFIED
    return f"{text}({type_.modifier})" if odd else text


def _type_of(types: tuple[ScalarType, ...], value: Any) -> int:
    return declared_oid(types[0])


def _signal(*, end: bool) -> Callable[..., bool]:
    """Ends the statement of a session, or the session; whether there is one of that pid."""

    def evaluate(system: SystemLookup, pid: int, timeout_ms: int = 0) -> bool:
        if timeout_ms < 0:
            raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, '"timeout" must not be negative')
        return system.session.signal_session(pid, end)

    return evaluate


def _visibility(name: str, catalog: str) -> Function:
    return _asking(name, (OID,), BOOL, lambda system, oid: system.names.visible(catalog, oid))


def _role(system: SystemLookup, oid: int) -> str:
    return system.names.role_name(oid) or f"unknown (OID={oid})"


def _view(system: SystemLookup, view: int, *rest: Any) -> str | None:
    return system.view_definition(view)


def _view_by_name(system: SystemLookup, name: str, *rest: Any) -> str | None:
    return system.view_definition(system.names.oid(TypeName.REGCLASS, name))


_OID_MAX = 2**32 - 1


def _to_registered(kind: TypeName) -> Callable[[SystemLookup, str], int | None]:
    """Returns a function from a name to an object's oid, which gives NULL where the cast to the type would fail. An oid
    in digits is checked as PostgreSQL checks it."""

    def evaluate(system: SystemLookup, name: str) -> int | None:
        in_digits = name.isascii() and name.isdigit()
        if in_digits or name == "-":
            oid = clamped(name) if in_digits else 0
            return oid if oid <= _OID_MAX else None
        try:
            return system.names.oid(kind, name)
        except SqlError:
            return None

    return evaluate


def _setting(system: SystemLookup, name: str, missing_ok: bool = False) -> str | None:
    value = system.session.setting(name)
    if value is None and not missing_ok:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'unrecognized configuration parameter "{name}"')
    return value


def _set_config(system: SystemLookup, name: str | None, value: str | None, local: bool | None) -> str:
    if name is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "SET requires parameter name")
    return system.session.change_setting(name, value, bool(local))


def _privileges(name: str, catalog: str) -> list[Function]:
    """Lists the overloads (user, object, privilege) and (object, privilege), users and objects by name or oid."""

    def of_user(system: SystemLookup, user: str | int, item: str | int, privilege: str) -> bool | None:
        return system.privileges.has_privilege(catalog, user, item, privilege)

    def of_current(system: SystemLookup, item: str | int, privilege: str) -> bool | None:
        return system.privileges.has_privilege(catalog, None, item, privilege)

    objects = (TEXT, OID)
    return [
        *(_asking(name, (item, TEXT), BOOL, of_current) for item in objects),
        *(_asking(name, (user, item, TEXT), BOOL, of_user) for user in (NAME, OID) for item in objects),
    ]


def _is_others(system: SystemLookup, schema: int) -> bool:
    return schema != system.temporary_schema() and system.is_temporary_schema(schema)


def _description(system: SystemLookup, oid: int, catalog: str | None = None) -> str | None:
    if catalog == "pg_largeobject":
        found: str | None = call_large_object("obj_description", (oid,))
        return found
    return system.description(oid, catalog, 0)


def _sizes(name: str) -> Function:
    return _asking(name, (REGCLASS,), INT8, lambda system, oid: system.relation_size(oid))


_VISIBLE = (
    ("pg_table_is_visible", "pg_class"),
    ("pg_type_is_visible", "pg_type"),
    ("pg_function_is_visible", "pg_proc"),
    ("pg_operator_is_visible", "pg_operator"),
    ("pg_opclass_is_visible", "pg_opclass"),
    ("pg_opfamily_is_visible", "pg_opfamily"),
    ("pg_conversion_is_visible", "pg_conversion"),
    ("pg_collation_is_visible", "pg_collation"),
    ("pg_statistics_obj_is_visible", "pg_statistic_ext"),
    ("pg_ts_parser_is_visible", "pg_ts_parser"),
    ("pg_ts_dict_is_visible", "pg_ts_dict"),
    ("pg_ts_template_is_visible", "pg_ts_template"),
    ("pg_ts_config_is_visible", "pg_ts_config"),
)
_REGISTERED = (
    ("to_regclass", REGCLASS),
    ("to_regtype", REGTYPE),
    ("to_regproc", REGPROC),
    ("to_regprocedure", REGPROCEDURE),
    ("to_regoper", REGOPER),
    ("to_regoperator", REGOPERATOR),
    ("to_regnamespace", REGNAMESPACE),
    ("to_regrole", REGROLE),
)
_PG_NODE_TREE = ScalarType(TypeName.PG_NODE_TREE)

FUNCTIONS: tuple[Function, ...] = (
    _asking("format_type", (OID, INT4), TEXT, format_type, strict=False),
    function("pg_typeof", (ANY,), REGTYPE, _type_of, strict=False, typed=True, volatility=Volatility.STABLE),
    *(_visibility(name, catalog) for name, catalog in _VISIBLE),
    *(_asking(name, (TEXT,), type_, _to_registered(type_.name)) for name, type_ in _REGISTERED),
    _asking("pg_get_userbyid", (OID,), NAME, _role),
    _asking("pg_get_viewdef", (OID,), TEXT, _view),
    _asking("pg_get_viewdef", (OID, BOOL), TEXT, _view),
    _asking("pg_get_viewdef", (OID, INT4), TEXT, _view),
    _asking("pg_get_viewdef", (TEXT,), TEXT, _view_by_name),
    _asking("pg_get_viewdef", (TEXT, BOOL), TEXT, _view_by_name),
    _asking("pg_get_expr", (_PG_NODE_TREE, OID), TEXT, lambda system, tree, oid: system.expression_text(tree)),
    _asking("pg_get_expr", (_PG_NODE_TREE, OID, BOOL), TEXT, lambda system, tree, *_: system.expression_text(tree)),
    _asking("pg_get_constraintdef", (OID,), TEXT, lambda system, oid: system.constraint_definition(oid, False)),
    _asking(
        "pg_get_constraintdef", (OID, BOOL), TEXT, lambda system, oid, pretty: system.constraint_definition(oid, pretty)
    ),
    _asking("pg_get_indexdef", (OID,), TEXT, lambda system, oid: system.index_definition(oid, 0, False)),
    _asking(
        "pg_get_indexdef",
        (OID, INT4, BOOL),
        TEXT,
        lambda system, oid, column, pretty: system.index_definition(oid, column, pretty),
    ),
    _asking("obj_description", (OID,), TEXT, _description),
    _asking("obj_description", (OID, NAME), TEXT, _description),
    _asking("shobj_description", (OID, NAME), TEXT, _description),
    _asking(
        "col_description", (OID, INT4), TEXT, lambda system, oid, column: system.description(oid, "pg_class", column)
    ),
    *(_sizes(name) for name in ("pg_relation_size", "pg_table_size", "pg_total_relation_size", "pg_indexes_size")),
    _asking("pg_database_size", (NAME,), INT8, lambda system, name: system.database_size(name)),
    _asking("pg_database_size", (OID,), INT8, lambda system, oid: system.database_size(str(oid))),
    *_absent("pg_tablespace_size", (OID,), (NAME,), result=INT8),
    function("pg_size_pretty", (INT8,), TEXT, size_pretty),
    function("pg_size_pretty", (NUMERIC,), TEXT, numeric_size_pretty),
    _asking("current_setting", (TEXT,), TEXT, _setting),
    _asking("current_setting", (TEXT, BOOL), TEXT, _setting),
    _asking(
        "set_config",
        (TEXT, TEXT, BOOL),
        TEXT,
        _set_config,
        volatility=Volatility.VOLATILE,
        strict=False,
    ),
    *(
        _asking(name, types, BOOL, _signal(end=end), volatility=Volatility.VOLATILE)
        for name, types, end in (
            ("pg_cancel_backend", (INT4,), False),
            ("pg_terminate_backend", (INT4,), True),
            ("pg_terminate_backend", (INT4, INT8), True),
        )
    ),
    _asking(
        "pg_reload_conf",
        (),
        BOOL,
        lambda system: system.session.reload_configuration(),
        volatility=Volatility.VOLATILE,
    ),
    *(
        _asking(
            "pg_stat_statements_reset",
            types,
            VOID,
            lambda system, role=0, database=0, query=0: system.session.reset_statistics(role, database, query) or "",
            volatility=Volatility.VOLATILE,
        )
        for types in ((), (OID,), (OID, OID), (OID, OID, INT8))
    ),
    _asking(
        "pg_notify",
        (TEXT, TEXT),
        VOID,
        lambda system, channel, payload: system.session.notify(channel or "", payload or "") or "",
        volatility=Volatility.VOLATILE,
        strict=False,
    ),
    _asking("version", (), TEXT, lambda system: system.session.server_version()),
    _asking("mz_version", (), TEXT, lambda system: _setting(system, "mz_version")),
    _asking("txid_current", (), INT8, lambda system: system.session.transaction_id()),
    *(
        row
        for name, catalog in (
            ("has_table_privilege", "pg_class"),
            ("has_sequence_privilege", "pg_sequence"),
            ("has_schema_privilege", "pg_namespace"),
            ("has_database_privilege", "pg_database"),
            ("has_function_privilege", "pg_proc"),
            ("has_type_privilege", "pg_type"),
            ("has_language_privilege", "pg_language"),
            ("has_tablespace_privilege", "pg_tablespace"),
            ("pg_has_role", "pg_authid"),
        )
        for row in _privileges(name, catalog)
    ),
    function("pg_encoding_to_char", (INT4,), NAME, lambda number: _ENCODINGS.get(number, "")),
    function("pg_char_to_encoding", (NAME,), INT4, lambda name: _UTF8 if name.lower() in ("utf8", "utf-8") else -1),
    function("getdatabaseencoding", (), NAME, lambda: "UTF8"),
    function("pg_client_encoding", (), NAME, lambda: "UTF8"),
    function("pg_is_in_recovery", (), BOOL, lambda: False, volatility=Volatility.VOLATILE),
    function("pg_relation_is_publishable", (REGCLASS,), BOOL, lambda oid: False, volatility=Volatility.STABLE),
    _asking("pg_is_other_temp_schema", (OID,), BOOL, _is_others),
    _asking("pg_my_temp_schema", (), OID, lambda system: system.temporary_schema()),
    _asking(
        "pg_column_is_updatable",
        (REGCLASS, INT2, BOOL),
        BOOL,
        lambda system, oid, number, _triggers: system.column_updatable(oid, number),
    ),
    _asking(
        "pg_relation_is_updatable", (REGCLASS, BOOL), INT4, lambda system, oid, _triggers: system.updatable_events(oid)
    ),
    *_absent("pg_get_triggerdef", (OID,), (OID, BOOL)),
    *_absent("pg_get_ruledef", (OID,), (OID, BOOL)),
    *_absent("pg_get_partkeydef", (OID,)),
    *_absent("pg_get_partition_constraintdef", (OID,)),
    *_absent("pg_get_statisticsobjdef", (OID,)),
    *_absent("pg_get_statisticsobjdef_columns", (OID,)),
    *(_function_text(name, part) for name, part in _FUNCTION_TEXTS),
    function("pg_tablespace_location", (OID,), TEXT, lambda oid: "", volatility=Volatility.STABLE),
    *_absent("pg_describe_object", (OID, OID, INT4)),
    *_absent("pg_relation_filenode", (REGCLASS,), result=OID),
    *_absent("pg_get_replica_identity_index", (REGCLASS,), result=REGCLASS),
)
