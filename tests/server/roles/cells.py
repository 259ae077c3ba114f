"""Roles, objects and statements: every statement is tried by every role, on Headwater and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

ROLES = (
    "x_owner",
    "x_none",
    "x_select",
    "x_columns",
    "x_write",
    "x_truncate",
    "x_member",
    "x_without",
    "x_reader",
    "x_writer",
    "x_granting",
    "x_creator",
    "x_schema",
    "x_admin",
    "x_super",
)

SETUP = """
CREATE ROLE x_owner;
CREATE ROLE x_none;
CREATE ROLE x_select;
CREATE ROLE x_columns;
CREATE ROLE x_write;
CREATE ROLE x_truncate;
CREATE ROLE x_group;
CREATE ROLE x_member IN ROLE x_group;
CREATE ROLE x_without;
GRANT x_group TO x_without WITH INHERIT FALSE;
CREATE ROLE x_reader IN ROLE pg_read_all_data;
CREATE ROLE x_writer IN ROLE pg_write_all_data;
CREATE ROLE x_granting;
CREATE ROLE x_creator CREATEROLE CREATEDB;
CREATE ROLE x_schema;
CREATE ROLE x_admin;
GRANT x_group TO x_admin WITH ADMIN TRUE, INHERIT FALSE, SET FALSE;
CREATE ROLE x_super SUPERUSER;
CREATE SCHEMA open AUTHORIZATION x_owner;
CREATE SCHEMA shut AUTHORIZATION x_owner;
GRANT USAGE ON SCHEMA open TO PUBLIC;
GRANT USAGE, CREATE ON SCHEMA open TO x_schema;
GRANT CREATE ON DATABASE headwater TO x_schema;
SET ROLE x_owner;
CREATE TABLE open.t (a int PRIMARY KEY, b text, c int);
CREATE TABLE open.u (a int, b text DEFAULT 'u');
CREATE TABLE shut.t (a int, b text);
CREATE SEQUENCE open.s;
CREATE VIEW open.v AS SELECT a, b FROM open.t;
CREATE MATERIALIZED VIEW open.m AS SELECT a, c FROM open.t;
CREATE TYPE open.e AS ENUM ('one', 'two');
CREATE DOMAIN open.d AS int CHECK (VALUE > 0);
CREATE TABLE open.p (a int PRIMARY KEY DEFAULT 7);
CREATE TABLE open.child (a int REFERENCES open.p);
REVOKE USAGE ON TYPE open.e FROM PUBLIC;
REVOKE USAGE ON TYPE open.d FROM PUBLIC;
INSERT INTO open.t VALUES (1, 'one', 10), (2, 'two', 20);
INSERT INTO open.u VALUES (1, 'one');
GRANT SELECT ON open.t, open.u, open.v, open.m, open.s, shut.t TO x_select;
GRANT SELECT (a, b), INSERT (a, b), UPDATE (b), REFERENCES (a) ON open.t TO x_columns;
GRANT SELECT (a) ON open.v, open.u TO x_columns;
GRANT INSERT, UPDATE, DELETE ON open.t, open.u TO x_write;
GRANT USAGE, UPDATE ON SEQUENCE open.s TO x_write;
GRANT USAGE ON TYPE open.e TO x_write;
GRANT USAGE ON DOMAIN open.d TO x_schema;
GRANT TRUNCATE, REFERENCES, TRIGGER ON open.t, open.u TO x_truncate;
GRANT TRUNCATE ON open.p TO x_truncate;
GRANT TRUNCATE ON open.p, open.child TO x_granting;
GRANT SELECT, UPDATE ON open.t TO x_group;
GRANT SELECT ON open.v TO x_group;
GRANT SELECT, INSERT, UPDATE (b) ON open.t TO x_granting WITH GRANT OPTION;
GRANT USAGE ON SEQUENCE open.s TO x_granting WITH GRANT OPTION;
GRANT REFERENCES (a) ON open.t TO x_schema;
GRANT INSERT, UPDATE, DELETE ON open.v TO x_write;
GRANT SELECT (a, b), INSERT (a), UPDATE (b) ON open.t TO x_schema;
SET ROLE x_schema;
CREATE VIEW open.thin AS SELECT b, a FROM open.t;
CREATE VIEW open.by_reader WITH (security_invoker) AS SELECT a, b FROM open.thin WHERE b IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON open.thin, open.by_reader TO x_write;
GRANT UPDATE (b) ON open.thin, open.by_reader TO x_columns;
GRANT SELECT ON open.thin TO x_columns;
GRANT ALL ON open.by_reader TO x_select;
RESET ROLE;
CREATE TABLE open.w (a int);
ALTER TABLE open.w OWNER TO x_group;
"""

CLEANUP = "; ".join(f"DROP ROLE IF EXISTS {role}" for role in (*ROLES, "x_group"))

_READS = (
    "SELECT * FROM {0}",
    "SELECT a FROM {0}",
    "SELECT count(*) FROM {0}",
    "SELECT 1 FROM {0} WHERE a = 1",
    "SELECT max(a) FROM {0} GROUP BY a",
    "SELECT x FROM {0} AS x",
    "WITH q AS (SELECT a FROM {0}) SELECT * FROM q",
    "SELECT (SELECT min(a) FROM {0})",
    "SELECT 1 WHERE EXISTS (SELECT FROM {0})",
    "SELECT a FROM {0} ORDER BY a LIMIT 1",
    "SELECT 1 FROM {0} NATURAL JOIN (VALUES (1)) AS w (a)",
    "SELECT y.a FROM {0} AS x JOIN open.u AS y USING (a)",
    "EXPLAIN SELECT * FROM {0}",
    "CREATE TEMPORARY TABLE made AS SELECT a FROM {0}",
    "COPY (SELECT a FROM {0}) TO STDOUT",
    "DECLARE c CURSOR FOR SELECT a FROM {0}",
    "PREPARE p AS SELECT a FROM {0}",
)
_CHANGES = (
    "INSERT INTO {0} (a) VALUES (7)",
    "INSERT INTO {0} (a, b) VALUES (7, 'x')",
    "INSERT INTO {0} (a, b) VALUES (7, 'x') RETURNING a",
    "INSERT INTO {0} (a, b) VALUES (7, 'x') RETURNING b",
    "INSERT INTO {0} (a) SELECT 8",
    "INSERT INTO {0} (a) SELECT a + 100 FROM open.u",
    "UPDATE {0} SET b = 'y'",
    "UPDATE {0} SET a = 9 WHERE a = 1",
    "UPDATE {0} SET b = 'y' WHERE a = 1",
    "UPDATE {0} SET b = b || 'y'",
    "UPDATE {0} SET b = 'y' RETURNING a",
    "UPDATE {0} AS x SET b = y.b FROM open.u AS y WHERE x.a = y.a",
    "DELETE FROM {0}",
    "DELETE FROM {0} WHERE a = 1",
    "DELETE FROM {0} USING open.u AS y WHERE {0}.a = y.a",
    "WITH gone AS (DELETE FROM {0} RETURNING a) SELECT * FROM gone",
    "TRUNCATE {0}",
    "SELECT a FROM {0} FOR UPDATE",
    "SELECT a FROM {0} FOR SHARE",
    "LOCK TABLE {0} IN ACCESS EXCLUSIVE MODE",
)
_OWNING = (
    "ALTER TABLE {0} ADD COLUMN z int",
    "ALTER TABLE {0} RENAME COLUMN a TO z",
    "ALTER TABLE {0} RENAME TO z",
    "ALTER TABLE {0} OWNER TO x_none",
    "ALTER TABLE {0} OWNER TO x_owner",
    "ALTER TABLE {0} ALTER COLUMN b SET DEFAULT 'z'",
    "ALTER TABLE {0} ADD CHECK (a > 0)",
    "CREATE INDEX ON {0} (b)",
    "COMMENT ON TABLE {0} IS 'z'",
    "COMMENT ON COLUMN {0}.a IS 'z'",
    "DROP TABLE {0} CASCADE",
    "GRANT SELECT ON {0} TO x_none",
    "GRANT SELECT, DELETE ON {0} TO x_none",
    "GRANT ALL ON {0} TO x_none",
    "GRANT UPDATE (b) ON {0} TO x_none",
    "REVOKE SELECT ON {0} FROM x_select",
    "REVOKE ALL ON {0} FROM PUBLIC CASCADE",
)
_SINGLE = (
    "MERGE INTO open.t USING open.u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 'y'",
    "MERGE INTO open.t USING open.u ON t.a = u.a WHEN MATCHED THEN UPDATE SET c = 3",
    "MERGE INTO open.t USING open.u ON t.a = u.a WHEN MATCHED THEN DELETE",
    "MERGE INTO open.t USING open.u ON t.a = u.a WHEN MATCHED AND t.c > 1 THEN DO NOTHING",
    "MERGE INTO open.t USING open.u ON t.a = u.a + 6 WHEN NOT MATCHED THEN INSERT (a, b) VALUES (u.a + 6, 'x')",
    "MERGE INTO open.t USING open.u ON t.a = u.a + 6 WHEN NOT MATCHED THEN INSERT VALUES (u.a + 6, 'x', 1)",
    "MERGE INTO open.t USING (VALUES (7)) AS q (a) ON false WHEN NOT MATCHED THEN INSERT (a) VALUES (q.a)",
    "MERGE INTO open.t USING (VALUES (7)) AS q (a) ON true WHEN MATCHED THEN DO NOTHING",
    "MERGE INTO open.t USING (VALUES (7)) AS q (a) ON true WHEN MATCHED AND q.a = 8 THEN DELETE",
    "MERGE INTO open.u USING open.t ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = t.b WHEN NOT MATCHED THEN DO NOTHING",
    "INSERT INTO open.t (a, b) VALUES (1, 'x') ON CONFLICT (a) DO NOTHING",
    "INSERT INTO open.t (a, b) VALUES (1, 'x') ON CONFLICT DO NOTHING",
    "INSERT INTO open.t (a, b) VALUES (1, 'x') ON CONFLICT (a) DO UPDATE SET b = 'y'",
    "INSERT INTO open.t (a, b) VALUES (1, 'x') ON CONFLICT (a) DO UPDATE SET c = 3",
    "INSERT INTO open.t (a, b) VALUES (1, 'x') ON CONFLICT (a) DO UPDATE SET b = excluded.b",
    "SELECT b FROM open.t",
    "SELECT c FROM open.t",
    "SELECT t.b, t.c FROM open.t",
    "SELECT t.* FROM open.t",
    "SELECT 1 FROM open.t WHERE c = 10",
    "SELECT 1 FROM (SELECT c FROM open.t) AS q",
    "SELECT q.a FROM (SELECT * FROM open.t) AS q",
    "SELECT b FROM open.v",
    "SELECT c FROM open.m",
    "SELECT a FROM open.t UNION SELECT a FROM open.u",
    "SELECT row_number() OVER (ORDER BY c) FROM open.t",
    "SELECT a FROM open.t ORDER BY c",
    "SELECT a FROM open.t GROUP BY a HAVING max(c) > 1",
    "UPDATE open.t SET c = 1",
    "UPDATE open.t SET b = 'x' WHERE c = 1",
    "INSERT INTO open.t (a, b, c) VALUES (5, 'x', 1)",
    "INSERT INTO open.u VALUES (5)",
    "INSERT INTO open.u DEFAULT VALUES",
    "COPY open.t TO STDOUT",
    "COPY open.t (a, b) TO STDOUT",
    "REFRESH MATERIALIZED VIEW open.m",
    "DROP VIEW open.v",
    "DROP MATERIALIZED VIEW open.m",
    "CREATE OR REPLACE VIEW open.v AS SELECT a, b FROM open.t",
    "ALTER VIEW open.v RENAME TO z",
    "ALTER VIEW open.v OWNER TO x_owner",
    "CREATE VIEW open.z AS SELECT * FROM open.t",
    "CREATE VIEW open.z AS SELECT * FROM shut.t",
    "CREATE MATERIALIZED VIEW open.z AS SELECT a FROM open.t",
    "CREATE TABLE open.z (a int)",
    "CREATE TABLE open.z (a int REFERENCES open.t (a))",
    "CREATE TABLE open.z (a open.e)",
    "CREATE TABLE open.z (a open.d)",
    "CREATE TABLE open.z AS SELECT a FROM open.t",
    "CREATE TABLE shut.z (a int)",
    "CREATE TEMPORARY TABLE z (LIKE open.t)",
    "CREATE TEMPORARY TABLE z (LIKE open.v)",
    "CREATE TEMPORARY TABLE z (LIKE open.p INCLUDING DEFAULTS)",
    "ALTER TABLE open.w ADD COLUMN y open.e",
    "ALTER TABLE open.w ADD COLUMN y open.e[]",
    "ALTER TABLE open.w ADD COLUMN y open.d",
    "ALTER TABLE open.w ALTER COLUMN a TYPE open.d",
    "TRUNCATE open.p CASCADE",
    "TRUNCATE open.p, open.child",
    "COMMENT ON CONSTRAINT t_pkey ON open.t IS 'z'",
    "COMMENT ON CONSTRAINT d_check ON DOMAIN open.d IS 'z'",
    "CREATE TABLE public.z (a int)",
    "CREATE TEMPORARY TABLE z (a int)",
    "CREATE SEQUENCE open.z",
    "CREATE TYPE open.z AS ENUM ('one')",
    "CREATE DOMAIN open.z AS int",
    "CREATE SCHEMA z",
    "CREATE SCHEMA z AUTHORIZATION x_owner",
    "CREATE SCHEMA AUTHORIZATION x_none",
    "ALTER SCHEMA open RENAME TO z",
    "ALTER SCHEMA open OWNER TO x_none",
    "DROP SCHEMA shut CASCADE",
    "GRANT USAGE ON SCHEMA open TO x_none",
    "GRANT CREATE ON SCHEMA shut TO x_none",
    "REVOKE USAGE ON SCHEMA open FROM PUBLIC",
    "GRANT CONNECT ON DATABASE headwater TO x_none",
    "ALTER TYPE open.e ADD VALUE 'three'",
    "ALTER TYPE open.e RENAME TO z",
    "ALTER TYPE open.e OWNER TO x_none",
    "DROP TYPE open.e",
    "ALTER DOMAIN open.d SET NOT NULL",
    "DROP DOMAIN open.d",
    "GRANT USAGE ON TYPE open.e TO x_none",
    "REVOKE USAGE ON TYPE open.e FROM x_write",
    "SELECT 'one'::open.e",
    "SELECT 1::open.d",
    "SELECT nextval('open.s')",
    "SELECT setval('open.s', 5)",
    "SELECT last_value FROM open.s",
    "ALTER SEQUENCE open.s RESTART",
    "DROP SEQUENCE open.s",
    "GRANT USAGE ON SEQUENCE open.s TO x_none",
    "GRANT SELECT ON SEQUENCE open.s TO x_none",
    "GRANT ALL ON SEQUENCE open.s TO x_none",
    "GRANT SELECT ON ALL TABLES IN SCHEMA open TO x_none",
    "REVOKE ALL ON ALL TABLES IN SCHEMA open FROM x_select",
    "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO x_none",
    "ALTER DEFAULT PRIVILEGES FOR ROLE x_owner GRANT SELECT ON TABLES TO x_none",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA open GRANT SELECT ON TABLES TO x_none",
    "CREATE ROLE z",
    "CREATE ROLE z SUPERUSER",
    "CREATE ROLE z CREATEDB CREATEROLE",
    "CREATE ROLE z REPLICATION",
    "CREATE ROLE z BYPASSRLS",
    "CREATE ROLE z IN ROLE x_group",
    "CREATE ROLE z ROLE x_none",
    "CREATE ROLE pg_z",
    "CREATE ROLE x_none",
    "ALTER ROLE x_none CREATEDB",
    "ALTER ROLE x_none SUPERUSER",
    "ALTER ROLE x_none CONNECTION LIMIT 5",
    "ALTER ROLE x_super NOLOGIN",
    "ALTER ROLE CURRENT_USER PASSWORD NULL",
    "ALTER ROLE CURRENT_USER CREATEDB",
    "ALTER ROLE x_none RENAME TO z",
    "ALTER ROLE x_none SET search_path TO open",
    "ALTER ROLE CURRENT_USER SET search_path TO open",
    "ALTER ROLE ALL SET search_path TO open",
    "ALTER DATABASE headwater SET search_path TO open",
    "ALTER ROLE pg_monitor NOLOGIN",
    "DROP ROLE x_none",
    "DROP ROLE x_owner",
    "DROP ROLE x_super",
    "DROP ROLE IF EXISTS z",
    "DROP ROLE z",
    "GRANT x_group TO x_none",
    "GRANT x_group TO x_none WITH ADMIN OPTION",
    "REVOKE x_group FROM x_member",
    "REVOKE ADMIN OPTION FOR x_group FROM x_admin",
    "GRANT x_super TO x_none",
    "GRANT pg_read_all_data TO x_none",
    "GRANT x_none TO x_none",
    "GRANT x_member TO x_group",
    "REASSIGN OWNED BY x_owner TO x_none",
    "REASSIGN OWNED BY CURRENT_USER TO x_owner",
    "DROP OWNED BY x_owner CASCADE",
    "DROP OWNED BY x_owner",
    "DROP OWNED BY x_none",
    "SET ROLE x_none",
    "SET ROLE x_group",
    "SET ROLE x_nobody",
    "SET ROLE NONE",
    "SET SESSION AUTHORIZATION DEFAULT",
    "COMMENT ON SCHEMA open IS 'z'",
    "COMMENT ON TYPE open.e IS 'z'",
    "SELECT rolname FROM pg_authid",
    "SELECT rolname FROM pg_roles",
    "SELECT * FROM pg_shadow",
    "SELECT pg_cancel_backend(0)",
)
"""What is no table's alone. Each role tries it in a transaction of its own, which is rolled back."""


_TABLES = ("open.t", "open.u", "shut.t")


def statements() -> Iterator[str]:
    for relation in ("open.t", "open.u", "open.v", "open.m", "shut.t"):
        yield from (template.format(relation) for template in _READS)
    for relation in (*_TABLES, "open.v", "open.thin", "open.by_reader"):
        for template in _CHANGES:
            # Locks on a view are locks on what it reads, which is no part of writing through it.
            if relation in _TABLES or not template.startswith("LOCK"):
                yield template.format(relation)
    for relation in _TABLES:
        yield from (template.format(relation) for template in _OWNING)
    yield from _SINGLE


def cells() -> list[tuple[str, str]]:
    """Every role with every statement, a role of PostgreSQL's own among them."""
    return [(role, statement) for statement in statements() for role in (*ROLES, "pg_monitor")]
