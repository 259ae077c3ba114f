"""What a role may do, as Materialize's relations and has_system_privilege tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.server.memory_server import memory_server

Session = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with memory_server() as server, server.connect() as connection:
        for statement in (
            "CREATE ROLE deployer CREATEDB",
            "CREATE ROLE team",
            "CREATE ROLE stranger",
            "GRANT team TO deployer",
            "GRANT CREATE ON DATABASE headwater TO team",
            "CREATE SCHEMA s",
            "GRANT USAGE ON SCHEMA s TO deployer",
            "CREATE TABLE s.t (a int)",
            "GRANT SELECT ON s.t TO team",
            "GRANT INSERT ON s.t TO stranger",
        ):
            connection.execute(statement)
        yield connection


def _as(session: Session, role: str, query: str) -> list[tuple[Any, ...]]:
    session.execute(f"SET ROLE {role}".encode())
    try:
        return session.execute(query.encode()).fetchall()
    finally:
        session.execute("RESET ROLE")


def test_a_role_sees_its_own_privileges_those_of_its_roles_and_everybodys(session: Session) -> None:
    databases = "SELECT grantee, privilege_type FROM mz_internal.mz_show_my_database_privileges ORDER BY 1, 2"
    public = [("PUBLIC", each) for each in ("CONNECT", "TEMPORARY", "USAGE")]
    assert _as(session, "deployer", databases) == [*public, ("team", "CREATE")]
    assert _as(session, "stranger", databases) == public
    schemas = "SELECT grantee, privilege_type FROM mz_internal.mz_show_my_schema_privileges WHERE name = 's'"
    assert _as(session, "deployer", schemas) == [("deployer", "USAGE")]
    assert _as(session, "stranger", schemas) == []
    objects = """SELECT grantor, grantee, database, schema, name, object_type, privilege_type
        FROM mz_internal.mz_show_my_object_privileges WHERE schema = 's'"""
    granted = ("headwater", "s", "t", "table")
    assert _as(session, "deployer", objects) == [("headwater", "team", *granted, "SELECT")]
    assert _as(session, "stranger", objects) == [("headwater", "stranger", *granted, "INSERT")]


def test_clusters_tell_their_privileges_and_when_they_run(session: Session) -> None:
    exploded = "SELECT mz_internal.mz_aclexplode(privileges).* FROM mz_clusters"
    named = (
        f"SELECT r.name, e.privilege_type FROM ({exploded}) e LEFT JOIN mz_roles r ON r.id = e.grantee ORDER BY 1, 2"
    )
    rights = ("CREATE", "USAGE")
    assert session.execute(named.encode()).fetchall() == [
        *(("headwater", each) for each in rights),
        *((None, each) for each in rights),
    ]
    mine = "SELECT grantee, name, privilege_type FROM mz_internal.mz_show_my_cluster_privileges ORDER BY 3"
    assert _as(session, "stranger", mine) == [("PUBLIC", "default", each) for each in rights]
    schedules = """SELECT c.name, s.type, s.refresh_hydration_time_estimate FROM mz_clusters c
        JOIN mz_internal.mz_cluster_schedules s ON s.cluster_id = c.id"""
    assert session.execute(schedules.encode()).fetchall() == [("default", "manual", None)]


def test_privileges_on_the_system_are_those_of_attributes(session: Session) -> None:
    asked = "SELECT " + ", ".join(
        f"has_system_privilege('{each}')" for each in ("CreateCluster", "CREATEDB", "CREATEROLE")
    )
    assert _as(session, "deployer", asked) == [(True, True, False)]
    assert _as(session, "stranger", asked) == [(False, False, False)]
    assert session.execute(asked.encode()).fetchall() == [(True, True, True)]
    of = "SELECT has_system_privilege('deployer', 'CREATEDB'), has_system_privilege(1::oid, 'CREATEDB')"
    assert session.execute(of.encode()).fetchall() == [(True, None)]
    with pytest.raises(psycopg.errors.InvalidParameterValue, match='unrecognized privilege type: "FLY"'):
        session.execute("SELECT has_system_privilege('FLY')")
