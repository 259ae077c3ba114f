"""What the catalogs, functions and psql tell of roles and privileges, on Headwater and on PostgreSQL."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from tests.judge import Judge, psql
from tests.server.memory_server import memory_server
from tests.server.roles.cells import CLEANUP, ROLES, SETUP

Connection = psycopg.Connection[tuple[Any, ...]]
_TYPED = """
SET ROLE x_owner;
CREATE TABLE open.typed (a open.d NOT NULL, b open.e[], c text CHECK (c <> ''), d int DEFAULT 4, UNIQUE (d));
CREATE VIEW open.typed_v AS SELECT a, b, d FROM open.typed;
GRANT SELECT (a), INSERT (b), UPDATE (d) ON open.typed TO x_columns;
GRANT REFERENCES (a) ON open.p, open.child TO x_columns;
GRANT INSERT ON open.child TO x_write;
RESET ROLE
"""
_INFORMATION = {
    "schemata": "schema_name, schema_owner FROM {} WHERE schema_name IN ('open', 'shut', 'public', 'pg_catalog')",
    "tables": "table_schema, table_name, table_type FROM {} WHERE table_schema IN ('open', 'shut')",
    "columns": (
        "table_schema, table_name, column_name, column_default IS NULL, is_nullable, udt_name FROM {}"
        " WHERE table_schema IN ('open', 'shut')"
    ),
    "views": "table_schema, table_name, view_definition IS NULL FROM {} WHERE table_schema IN ('open', 'shut')",
    "sequences": "sequence_schema, sequence_name FROM {}",
    "table_constraints": (
        "table_name, constraint_type, constraint_name FROM {}"
        " WHERE constraint_name NOT LIKE '%not_null' AND table_schema = 'open'"
    ),
    "key_column_usage": "table_name, constraint_name, column_name FROM {} WHERE table_schema IN ('open', 'shut')",
    "constraint_column_usage": "table_name, constraint_name, column_name FROM {} WHERE table_schema = 'open'",
    "check_constraints": (
        "constraint_name FROM {} WHERE constraint_name NOT LIKE '%not_null' AND constraint_schema = 'open'"
    ),
    "referential_constraints": "constraint_name, unique_constraint_name FROM {}",
    "view_table_usage": "view_name, table_name FROM {} WHERE view_schema IN ('open', 'shut')",
    "domains": "domain_schema, domain_name FROM {} WHERE domain_schema IN ('open', 'shut')",
    "domain_constraints": "domain_name FROM {} WHERE domain_schema IN ('open', 'shut')",
    "domain_udt_usage": "domain_name, udt_name FROM {} WHERE domain_schema IN ('open', 'shut')",
    "column_domain_usage": "table_name, column_name, domain_name FROM {} WHERE domain_schema IN ('open', 'shut')",
    "column_udt_usage": "table_name, column_name, udt_name FROM {} WHERE table_schema IN ('open', 'shut')",
}
"""Columns to compare, and which rows, by the name of the view."""
_OURS = "nspname IN ('open', 'shut', 'public')"


@dataclass(frozen=True, slots=True)
class _Both:
    ours: Connection
    theirs: Connection
    our_dsn: str
    their_dsn: str

    def answers(self, sql: str) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        return self.ours.execute(sql).fetchall(), self.theirs.execute(sql).fetchall()


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[_Both]:
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        for connection in (ours, theirs):
            for statement in filter(None, map(str.strip, (SETUP + _TYPED).split(";\n"))):
                connection.execute(statement)
            connection.execute(
                "ALTER DEFAULT PRIVILEGES FOR ROLE x_owner IN SCHEMA open GRANT SELECT ON TABLES TO x_none"
            )
            connection.execute("ALTER DEFAULT PRIVILEGES FOR ROLE x_owner REVOKE USAGE ON TYPES FROM PUBLIC")
            connection.execute("ALTER ROLE x_none CONNECTION LIMIT 3 VALID UNTIL '2030-01-02 03:04:05+00'")
            connection.execute("ALTER ROLE x_none SET search_path TO open, shut")
            connection.execute("ALTER ROLE x_select VALID UNTIL 'infinity'; ALTER ROLE x_group VALID UNTIL '-infinity'")
        try:
            yield _Both(ours, theirs, server.dsn(), judge.dsn())
        finally:
            judge.empty()
            with judge.connect("postgres") as cleaning:
                cleaning.execute(CLEANUP)


@pytest.mark.parametrize(
    "sql",
    [
        (
            f"SELECT relname, relacl FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE {_OURS}"
            " AND relkind IN ('r', 'v', 'm', 'S') ORDER BY nspname, relname"
        ),
        (
            "SELECT attname, attacl FROM pg_attribute WHERE attacl IS NOT NULL AND attrelid > 16383"
            " ORDER BY attrelid::regclass::text, 1"
        ),
        f"SELECT nspname, nspacl FROM pg_namespace WHERE {_OURS} ORDER BY 1",
        "SELECT datname, datacl FROM pg_database WHERE datname = 'headwater'",
        "SELECT typname, typacl FROM pg_type WHERE typname IN ('e', 'd') ORDER BY 1",
        "SELECT defaclrole::regrole::text, defaclobjtype, defaclacl FROM pg_default_acl ORDER BY 1, 2",
        (
            "SELECT roleid::regrole::text, member::regrole::text, grantor::regrole::text, admin_option, inherit_option,"
            " set_option FROM pg_auth_members ORDER BY 1, 2"
        ),
        (
            "SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,"
            " rolconnlimit, rolvaliduntil::text, rolbypassrls, rolconfig FROM pg_roles"
            " WHERE rolname LIKE 'x%' ORDER BY 1"
        ),
        "SELECT groname FROM pg_group ORDER BY 1",
        (
            "SELECT (aclexplode(relacl)).privilege_type, (aclexplode(relacl)).is_grantable FROM pg_class"
            " WHERE oid = 'open.t'::regclass"
        ),
        "SELECT acldefault('r', 10), acldefault('n', 10), acldefault('T', 10), acldefault('s', 10)",
        "SELECT makeaclitem(0, 10, 'SELECT, INSERT', true)::text",
        "SELECT acldefault('L', 10)::text, acldefault('r', 10)::varchar, NULL::aclitem[]::text",
        (
            "SELECT grantor, grantee, table_schema, table_name, privilege_type, is_grantable, with_hierarchy"
            " FROM information_schema.table_privileges WHERE table_schema IN ('open', 'shut') ORDER BY 1, 2, 3, 4, 5"
        ),
        (
            "SELECT grantee, column_name, privilege_type, is_grantable FROM information_schema.column_privileges"
            " WHERE table_schema = 'open' AND table_name = 't' ORDER BY 1, 2, 3, 4"
        ),
        (
            "SELECT grantee, object_name, object_type, privilege_type, is_grantable"
            " FROM information_schema.usage_privileges"
            " WHERE object_schema = 'open' ORDER BY 1, 2, 3, 4"
        ),
        "SELECT role_name FROM information_schema.enabled_roles ORDER BY 1",
        (
            "SELECT grantee, role_name, is_grantable FROM information_schema.applicable_roles WHERE role_name LIKE 'x%'"
            " ORDER BY 1, 2"
        ),
    ],
)
def test_the_catalogs_tell_what_postgres_tells(both: _Both, sql: str) -> None:
    ours, theirs = both.answers(sql)
    assert ours == theirs


@pytest.mark.parametrize("role", (*ROLES, "public"))
def test_functions_tell_of_each_role_what_postgres_tells(both: _Both, role: str) -> None:
    calls = [
        f"has_table_privilege('{role}', '{relation}', '{right}')"
        for relation in ("open.t", "open.v", "shut.t", "pg_class", "pg_authid")
        for right in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "SELECT WITH GRANT OPTION")
    ]
    calls += [
        f"has_column_privilege('{role}', 'open.t', '{column}', '{right}')"
        for column in "abc"
        for right in ("SELECT", "INSERT", "UPDATE", "REFERENCES")
    ]
    calls += [f"has_any_column_privilege('{role}', 'open.t', '{right}')" for right in ("SELECT", "UPDATE")]
    calls += [
        f"has_schema_privilege('{role}', '{name}', '{r}')" for name in ("open", "shut") for r in ("USAGE", "CREATE")
    ]
    calls += [f"has_sequence_privilege('{role}', 'open.s', '{right}')" for right in ("USAGE", "SELECT", "UPDATE")]
    calls += [f"has_type_privilege('{role}', '{name}', 'USAGE')" for name in ("open.e", "open.d", "int4")]
    calls += [f"has_database_privilege('{role}', 'headwater', '{right}')" for right in ("CREATE", "CONNECT", "TEMP")]
    if role != "public":
        calls += [
            f"pg_has_role('{role}', '{other}', '{word}')"
            for other in ("x_group", "x_owner", "pg_read_all_data")
            for word in ("USAGE", "MEMBER", "SET", "MEMBER WITH ADMIN OPTION")
        ]
    ours, theirs = both.answers(f"SELECT {', '.join(calls)}")
    differing = [call for call, one, other in zip(calls, ours[0], theirs[0], strict=True) if one != other]
    assert not differing


@pytest.mark.parametrize("role", ROLES)
def test_information_schema_shows_each_role_what_postgres_shows(both: _Both, role: str) -> None:
    differing: dict[str, object] = {}
    for connection in (both.ours, both.theirs):
        connection.execute(f"SET ROLE {role}".encode())
    try:
        for view, wanted in _INFORMATION.items():
            ours, theirs = both.answers(f"SELECT {wanted.format(f'information_schema.{view}')}")
            if sorted(map(repr, ours)) != sorted(map(repr, theirs)):
                differing[view] = set(ours) - set(theirs), set(theirs) - set(ours)
    finally:
        for connection in (both.ours, both.theirs):
            connection.execute("RESET ROLE")
    assert differing == {}


@pytest.mark.parametrize(
    "command", (r"\dp open.*", r"\du x_*", r"\drg x_*", r"\ddp", r"\dn+ open|shut", r"\dT+ open.*")
)
def test_psql_shows_what_it_shows_of_postgres(both: _Both, command: str) -> None:
    def said(dsn: str) -> str:
        done = subprocess.run([psql(), "-X", "-c", command, dsn], capture_output=True, text=True, timeout=60)
        return done.stdout + done.stderr

    assert said(both.our_dsn) == said(both.their_dsn)
