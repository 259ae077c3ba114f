"""What functions ask of the catalog, beside PostgreSQL's answers where both have the object."""

from __future__ import annotations

import datetime

import psycopg
import pytest

from catalog.lookup.system_lookup import CatalogLookup
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.scalar_type import TypeName
from planner.functions.system.lock_lookup import LockLookup
from planner.functions.system.lookup import SystemLookup
from planner.functions.system.sequence_lookup import SequenceLookup
from tests.catalog.catalogs import Catalog

Connection = psycopg.Connection[tuple[object, ...]]


class _Facts:
    def setting(self, name: str) -> str | None:
        return "UTC" if name == "TimeZone" else None

    def signal_session(self, pid: int, end: bool) -> bool:
        return False

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        raise AssertionError("nothing here is counted")

    def reload_configuration(self) -> bool:
        return True

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        return value or ""

    def notify(self, channel: str, payload: str) -> None:
        return

    def listening_channels(self) -> tuple[str, ...]:
        return ()

    def transaction_id(self) -> int:
        return 5

    def server_version(self) -> str:
        return "PostgreSQL 16.0"

    def started(self) -> datetime.datetime:
        return datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)

    @property
    def sequences(self) -> SequenceLookup:
        raise AssertionError("nothing counts here")

    @property
    def locks(self) -> LockLookup:
        raise AssertionError("nothing locks here")

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        return "", None, "", None

    def stored_bytes(self, id: GlobalId) -> int:
        return 1000 + id.number


def _lookup(catalog: Catalog, *path: str) -> SystemLookup:
    return CatalogLookup(catalog.state, "headwater", path or ("public",), "headwater", _Facts())


@pytest.fixture(scope="module")
def lookup() -> SystemLookup:
    return _lookup(Catalog())


_REG = {
    TypeName.REGCLASS: ["pg_class", "pg_catalog.pg_class", "information_schema.tables", "nope", "no.pg_class"],
    TypeName.REGTYPE: [
        "int4",
        "integer",
        "pg_catalog.int4",
        "_int4",
        "int4[]",
        "inet",
        "timetz",
        "character varying",
        "name",
        "nope",
    ],
    TypeName.REGPROC: ["array_in", "pg_catalog.textout", "sum", "nope", "int4in"],
    TypeName.REGPROCEDURE: [
        "abs(int)",
        "now()",
        "pg_catalog.upper(text)",
        "array_agg(anynonarray)",
        "to_char(timestamp with time zone,text)",
        "abs",
        "abs(int",
        "abs(nope)",
        "abs(text)",
        "nope(int)",
        "abs(int,)",
    ],
    TypeName.REGOPER: ["||/", "+", "nope", "pg_catalog.||/", "!~~*"],
    TypeName.REGOPERATOR: [
        "+(int,int)",
        "-(none,int4)",
        "pg_catalog.=(text, text)",
        "+(int)",
        "+(int,int,int)",
        "+(int,box)",
        "+(int,text)",
        "+",
    ],
    TypeName.REGNAMESPACE: ["pg_catalog", "public", "nope", "information_schema"],
    TypeName.REGROLE: ["headwater", "pg_database_owner", "nope"],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in _REG.items() for text in texts])
def test_reg_names_read_and_print_as_in_postgres(
    postgres: Connection, lookup: SystemLookup, kind: TypeName, text: str
) -> None:
    theirs = _asked(postgres, kind, text)
    if isinstance(theirs, psycopg.Error):
        with pytest.raises(SqlError) as caught:
            lookup.names.oid(kind, text)
        assert (caught.value.sqlstate, caught.value.message) == (theirs.diag.sqlstate, theirs.diag.message_primary)
        return
    oid = lookup.names.oid(kind, text)
    assert lookup.names.name(kind, oid) == theirs[1]
    if text != "information_schema":
        assert oid == theirs[0]


def _asked(postgres: Connection, kind: TypeName, text: str) -> tuple[object, ...] | psycopg.Error:
    try:
        row = postgres.execute(f"SELECT %s::{kind.value}::oid::int8, %s::{kind.value}::text", (text, text)).fetchone()
    except psycopg.Error as error:
        return error
    assert row is not None
    return row


def test_every_type_prints_as_format_type_prints_it(postgres: Connection, lookup: SystemLookup) -> None:
    rows = postgres.execute(
        "SELECT oid::int8, format_type(oid, NULL) FROM pg_type WHERE typrelid = 0 AND oid < 10000"
    ).fetchall()
    printed = {oid: lookup.names.name(TypeName.REGTYPE, oid) for oid, _ in rows if isinstance(oid, int)}
    for oid, theirs in rows:
        assert isinstance(oid, int) and printed[oid] in (theirs, None)
    assert sum(name is not None for name in printed.values()) > 150


def test_names_are_qualified_when_they_are_not_visible() -> None:
    catalog = Catalog()
    catalog.schema("My s")
    hidden, shadowed = catalog.table("t", schema="My s"), catalog.table("pg_class")
    plain = catalog.table("Plain")
    lookup = _lookup(catalog)
    assert lookup.names.name(TypeName.REGCLASS, hidden.oid) == '"My s".t'
    assert lookup.names.name(TypeName.REGCLASS, shadowed.oid) == "public.pg_class"
    assert lookup.names.name(TypeName.REGCLASS, plain.oid) == '"Plain"'
    assert lookup.names.name(TypeName.REGCLASS, 1) is None
    assert lookup.names.oid(TypeName.REGCLASS, '"My s".t') == hidden.oid
    assert lookup.names.oid(TypeName.REGCLASS, '"Plain"') == plain.oid
    assert [lookup.names.visible("pg_class", oid) for oid in (hidden.oid, shadowed.oid, plain.oid, 1259, 1)] == [
        False,
        False,
        True,
        True,
        None,
    ]
    assert _lookup(catalog, "My s").names.visible("pg_class", hidden.oid) is True


def test_view_definitions_are_their_queries() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    view = catalog.view("As AS")
    lookup = _lookup(catalog)
    assert lookup.view_definition(view.oid) == " SELECT 1;"
    assert lookup.view_definition(table.oid) is None


def test_sizes_come_from_storage() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    view = catalog.view("v", table)
    lookup = _lookup(catalog)
    assert lookup.relation_size(table.oid) == 1000 + table.id.number
    assert lookup.relation_size(view.oid) == lookup.relation_size(1259) == 0
    assert lookup.relation_size(1) is None
    assert lookup.database_size("headwater") == 1000 + table.id.number
    with pytest.raises(SqlError) as caught:
        lookup.database_size("nope")
    assert caught.value.sqlstate is Sqlstate.INVALID_CATALOG_NAME


def test_owners_may_everything_and_words_are_checked() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    lookup = _lookup(catalog)
    assert lookup.privileges.has_privilege("pg_class", None, "t", "SELECT, insert WITH GRANT OPTION") is True
    assert lookup.privileges.has_privilege("pg_class", "headwater", table.oid, "select") is True
    assert lookup.privileges.has_privilege("pg_class", "pg_monitor", table.oid, "select") is False
    assert lookup.privileges.has_privilege("pg_class", "pg_monitor", "pg_class", "select") is True
    assert lookup.privileges.has_privilege("pg_class", None, 1, "select") is None
    for item, privilege, sqlstate in [
        ("t", "fly", Sqlstate.INVALID_PARAMETER_VALUE),
        ("nope", "select", Sqlstate.UNDEFINED_TABLE),
    ]:
        with pytest.raises(SqlError) as caught:
            lookup.privileges.has_privilege("pg_class", None, item, privilege)
        assert caught.value.sqlstate is sqlstate
