"""Functions that ask the catalog and the session: what they pass on, and what they make of the answer."""

from __future__ import annotations

import datetime

import pytest

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.datum import Datum
from model.types.scalar_type import (
    BOOL,
    INT4,
    INT8,
    NAME,
    OID,
    REGCLASS,
    TEXT,
    ScalarType,
    TypeName,
    array_of,
    type_from_oid,
    type_text,
)
from planner.function_rules import FunctionPart
from planner.functions.registry import FUNCTIONS
from planner.functions.system.lock_lookup import LockLookup
from planner.functions.system.sequence_lookup import SequenceLookup
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_scalar
from planner.ir.scalar import Call, Literal

_TABLE = 16400
_TEMPORARY, _OTHER_TEMPORARY = 30000, 30001


class _Names:
    def name(self, kind: TypeName, oid: int) -> str | None:
        if kind is TypeName.REGTYPE:
            type_ = type_from_oid(oid)
            return None if type_ is None else type_text(type_)
        return "t" if (kind, oid) == (TypeName.REGCLASS, _TABLE) else None

    def oid(self, kind: TypeName, name: str) -> int:
        if (kind, name) == (TypeName.REGCLASS, "t"):
            return _TABLE
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{name}" does not exist')

    def visible(self, catalog: str, oid: int) -> bool | None:
        return True if (catalog, oid) == ("pg_class", _TABLE) else None

    def role_name(self, oid: int) -> str | None:
        return "headwater" if oid == 10 else None

    def role_named(self, name: str) -> int:
        return 10


class _Privileges:
    """The privileges of an owner; `asked` remembers what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | int | None, str | int, str]] = []

    def has_privilege(self, catalog: str, user: str | int | None, item: str | int, privilege: str) -> bool | None:
        self.asked.append((catalog, user, item, privilege))
        return True

    def has_column_privilege(
        self, user: str | int | None, item: str | int, column: str | int | None, privilege: str
    ) -> bool | None:
        self.asked.append((f"column {column}", user, item, privilege))
        return True

    def has_system_privilege(self, user: str | int | None, privilege: str) -> bool | None:
        self.asked.append(("system", user, "", privilege))
        return True

    def has_parameter_privilege(self, user: str | int | None, parameter: str, privilege: str) -> bool | None:
        self.asked.append(("parameter", user, parameter, privilege))
        return True

    def row_security_active(self, relation: int) -> bool:
        return False

    def is_superuser(self) -> bool:
        return True


class _Session:
    def __init__(self) -> None:
        self.settings = {"search_path": "public"}

    @property
    def sequences(self) -> SequenceLookup:
        raise AssertionError("there is no sequence")

    @property
    def locks(self) -> LockLookup:
        raise AssertionError("there is no lock")

    def setting(self, name: str) -> str | None:
        return self.settings.get(name)

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        self.settings[name] = value or ""
        return value or ""

    def signal_session(self, pid: int, end: bool) -> bool:
        return False

    def reload_configuration(self) -> bool:
        return True

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        raise AssertionError("nothing here is counted")

    def notify(self, channel: str, payload: str) -> None:
        return

    def listening_channels(self) -> tuple[str, ...]:
        return ()

    def transaction_id(self) -> int:
        return 7

    def server_version(self) -> str:
        return "PostgreSQL 16.0"

    def started(self) -> datetime.datetime:
        return datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        return "", None, "", None

    def stored_bytes(self, id: GlobalId) -> int:
        raise AssertionError("the catalog asks, and functions ask the catalog")


class OneTable:
    """A catalog with the table `public.t`, seen by its owner."""

    def __init__(self) -> None:
        self.names = _Names()
        self.privileges = _Privileges()
        self.session = _Session()

    def temporary_schema(self) -> int:
        return _TEMPORARY

    def is_temporary_schema(self, oid: int) -> bool:
        return oid in (_TEMPORARY, _OTHER_TEMPORARY)

    def view_definition(self, oid: int) -> str | None:
        return None

    def updatable_events(self, oid: int) -> int:
        return 28 if oid == _TABLE else 0

    def column_updatable(self, oid: int, number: int) -> bool:
        return oid == _TABLE and number == 1

    def expression_text(self, kept: str) -> str:
        return f"shown {kept}"

    def serial_sequence(self, table: str, column: str) -> str | None:
        return "public.t_a_seq" if (table, column) == ("t", "a") else None

    def constraint_definition(self, oid: int, pretty: bool) -> str | None:
        return None

    def function_text(self, oid: int, part: FunctionPart) -> str | None:
        return None

    def index_definition(self, oid: int, column: int, pretty: bool) -> str | None:
        return None

    def description(self, oid: int, catalog: str | None, column: int) -> str | None:
        return f"{catalog} {oid} {column}"

    def relation_size(self, oid: int) -> int | None:
        return 8192 if oid == _TABLE else None

    def database_size(self, name: str) -> int:
        return 1


def _call(system: OneTable | None, function: str, *arguments: tuple[Datum, ScalarType]) -> Datum:
    literals = tuple(Literal(value, type_) for value, type_ in arguments)
    return evaluate_scalar(Call(function, literals, TEXT), EvaluationContext(system=system))


def test_names_and_oids_go_both_ways() -> None:
    system = OneTable()
    assert _call(system, "cast_text_regclass", ("t", TEXT)) == _TABLE
    assert _call(system, "cast_regclass_text", (_TABLE, REGCLASS)) == "t"
    assert _call(system, "cast_regclass_text", (5, REGCLASS)) == "5"
    assert _call(system, "cast_regclass_text", (0, REGCLASS)) == "-"
    assert _call(system, "cast_text_regclass", ("123", TEXT)) == 123
    assert _call(system, "to_regclass_text", ("t", TEXT)) == _TABLE
    assert _call(system, "to_regclass_text", ("nothing", TEXT)) is None
    with pytest.raises(SqlError) as caught:
        _call(system, "cast_text_regclass", ("nothing", TEXT))
    assert caught.value.sqlstate is Sqlstate.UNDEFINED_TABLE


def test_a_list_of_names_becomes_a_list_of_oids() -> None:
    names = (("t", None), array_of(TEXT))
    assert _call(OneTable(), "cast__text__regclass", names) == (_TABLE, None)


def test_visibility_is_null_for_what_does_not_exist() -> None:
    assert _call(OneTable(), "pg_table_is_visible_oid", (_TABLE, OID)) is True
    assert _call(OneTable(), "pg_table_is_visible_oid", (5, OID)) is None
    assert _call(OneTable(), "pg_table_is_visible_oid", (None, OID)) is None


def test_another_sessions_temporary_schema_is_one_that_is_not_ones_own() -> None:
    system = OneTable()
    assert _call(system, "pg_my_temp_schema") == _TEMPORARY
    assert _call(system, "pg_is_other_temp_schema_oid", (_TEMPORARY, OID)) is False
    assert _call(system, "pg_is_other_temp_schema_oid", (_OTHER_TEMPORARY, OID)) is True
    assert _call(system, "pg_is_other_temp_schema_oid", (_TABLE, OID)) is False


def test_roles_comments_and_sizes() -> None:
    system = OneTable()
    assert _call(system, "pg_get_userbyid_oid", (10, OID)) == "headwater"
    assert _call(system, "pg_get_userbyid_oid", (11, OID)) == "unknown (OID=11)"
    assert _call(system, "obj_description_oid_name", (1, OID), ("pg_type", NAME)) == "pg_type 1 0"
    assert _call(system, "col_description_oid_int4", (1, OID), (2, INT4)) == "pg_class 1 2"
    assert _call(system, "pg_table_size_regclass", (_TABLE, REGCLASS)) == 8192
    assert _call(system, "pg_size_pretty_int8", (8192, INT8)) == "8192 bytes"


def test_settings_are_read_and_changed() -> None:
    system = OneTable()
    assert _call(system, "current_setting_text", ("search_path", TEXT)) == "public"
    assert _call(system, "current_setting_text_bool", ("nothing", TEXT), (True, BOOL)) is None
    with pytest.raises(SqlError) as caught:
        _call(system, "current_setting_text", ("nothing", TEXT))
    assert caught.value.sqlstate is Sqlstate.UNDEFINED_OBJECT
    assert _call(system, "set_config_text_text_bool", ("search_path", TEXT), ("a", TEXT), (False, BOOL)) == "a"
    assert system.session.settings == {"search_path": "a"}


def test_privileges_are_asked_of_the_named_user_or_of_the_current_one() -> None:
    system = OneTable()
    _call(system, "has_table_privilege_text_text", ("t", TEXT), ("SELECT", TEXT))
    _call(system, "has_table_privilege_oid_oid_text", (10, OID), (_TABLE, OID), ("INSERT", TEXT))
    assert system.privileges.asked == [("pg_class", None, "t", "SELECT"), ("pg_class", 10, _TABLE, "INSERT")]


def test_functions_of_the_system_are_refused_where_there_is_none() -> None:
    with pytest.raises(NotSupported):
        _call(None, "pg_table_is_visible_oid", (_TABLE, OID))
    assert all(row.volatility != "immutable" for row in FUNCTIONS.values() if row.needs_system)


def test_the_server_says_since_when_it_runs() -> None:
    started = datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)
    assert _call(OneTable(), "pg_postmaster_start_time") == _call(OneTable(), "pg_conf_load_time") == started
