"""Attacks on SECURITY DEFINER functions, as statements in their order: each is executed on Headwater and on
PostgreSQL, by the role that the attack has become. What Headwater refuses by name, or takes otherwise (see
docs/users-functions.md), is left out."""

from __future__ import annotations

from dataclasses import dataclass

ROLES = ("d_alice", "d_bob", "d_carol", "d_owner", "d_reader", "d_mallory", "d_boss")


@dataclass(frozen=True, slots=True)
class Attack:
    """Statements apart by semicolons at the ends of lines; `setup` may not fail."""

    setup: str
    statements: str


ATTACKS = {
    "rights and settings": Attack(
        """
        CREATE ROLE d_alice;
        CREATE ROLE d_bob;
        CREATE ROLE d_carol login;
        GRANT CREATE ON SCHEMA public TO d_alice, d_bob;
        """,
        """
        SET ROLE d_alice;
        CREATE TABLE secret(a int, who text);
        INSERT INTO secret VALUES (1,'d_alice'),(2,'d_bob'),(3,'d_carol');
        CREATE FUNCTION sd_count() RETURNS bigint LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select count(*) from secret';
        CREATE FUNCTION inv_count() RETURNS bigint LANGUAGE SQL STABLE AS 'select count(*) from secret';
        CREATE FUNCTION sd_user() RETURNS text LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select current_user || '' '' || session_user';
        CREATE FUNCTION sd_rows(x int) RETURNS table(a int, who text) LANGUAGE SQL SECURITY DEFINER
            SET search_path = public, pg_temp
            AS 'select a, who from secret where a >= x';
        CREATE PROCEDURE sd_add(x int) LANGUAGE SQL SECURITY DEFINER
            AS 'insert into secret values (x, current_user)';
        CREATE FUNCTION sd_ins(x int) RETURNS text LANGUAGE SQL SECURITY DEFINER
            AS 'insert into secret values (x, current_user) returning who';
        CREATE FUNCTION sd_calls_inv() RETURNS bigint LANGUAGE SQL SECURITY DEFINER AS 'select inv_count()';
        CREATE FUNCTION sd_priv() RETURNS bool LANGUAGE SQL SECURITY DEFINER
            AS 'select has_table_privilege(''secret'', ''select'')';
        CREATE FUNCTION sd_path() RETURNS text LANGUAGE SQL SECURITY DEFINER SET search_path = pg_catalog, pg_temp
            AS 'select current_setting(''search_path'') || current_schemas(true)::text';
        CREATE FUNCTION sd_role() RETURNS text LANGUAGE SQL SECURITY DEFINER
            AS 'select current_setting(''role'') || current_user';
        CREATE PROCEDURE sd_setrole() LANGUAGE SQL SECURITY DEFINER AS 'set role d_bob';
        CREATE PROCEDURE sd_setauth() LANGUAGE SQL SECURITY DEFINER AS 'set session authorization d_bob';
        CREATE PROCEDURE sd_resetrole() LANGUAGE SQL SECURITY DEFINER AS 'reset role';
        CREATE PROCEDURE inv_setrole() LANGUAGE SQL AS 'set role d_carol';
        SET ROLE d_bob;
        SELECT count(*) FROM secret;
        SELECT sd_count();
        SELECT inv_count();
        SELECT sd_user(), current_user, session_user;
        SELECT * FROM sd_rows(2) ORDER BY 1;
        SELECT sd_rows(2);
        CALL sd_add(9);
        SELECT sd_ins(10);
        SELECT sd_calls_inv();
        SELECT sd_priv(), has_table_privilege('secret','select');
        SELECT sd_path();
        SELECT sd_role();
        CALL sd_setrole();
        CALL sd_setauth();
        CALL sd_resetrole();
        SELECT current_user, current_setting('search_path');
        CREATE VIEW bv AS SELECT sd_count() c, sd_user() u;
        SELECT * FROM bv;
        GRANT SELECT ON bv TO d_carol;
        SET ROLE d_carol;
        SELECT * FROM bv;
        SET ROLE d_alice;
        REVOKE EXECUTE ON FUNCTION sd_count() FROM public;
        SET ROLE d_bob;
        SELECT sd_count();
        SELECT * FROM bv;
        SET ROLE d_alice;
        GRANT EXECUTE ON FUNCTION sd_count() TO d_carol;
        SET ROLE d_carol;
        SELECT sd_count();
        SELECT * FROM bv;
        CREATE FUNCTION c_calls() RETURNS bigint LANGUAGE SQL SECURITY DEFINER AS 'select sd_count()';
        RESET ROLE;
        GRANT CREATE ON SCHEMA public TO d_carol;
        SET ROLE d_carol;
        CREATE FUNCTION c_calls() RETURNS bigint LANGUAGE SQL SECURITY DEFINER AS 'select sd_count()';
        SET ROLE d_bob;
        SELECT c_calls();
        SELECT sd_count();
        SELECT has_function_privilege('sd_count()', 'execute'), has_function_privilege('d_carol', 'sd_count()',
            'execute');
        ALTER FUNCTION sd_rows(int) SECURITY INVOKER;
        SET ROLE d_alice;
        ALTER FUNCTION sd_rows(int) SECURITY INVOKER;
        SET ROLE d_bob;
        SELECT * FROM sd_rows(2) ORDER BY 1;
        SET ROLE d_alice;
        ALTER FUNCTION sd_rows(int) SECURITY DEFINER COST 5 ROWS 7 STABLE PARALLEL safe STRICT RESET search_path;
        SELECT prosecdef, procost, prorows, provolatile, proparallel, proisstrict, proconfig, proleakproof
            FROM pg_proc WHERE proname = 'sd_rows';
        ALTER FUNCTION sd_rows(int) SET search_path FROM CURRENT;
        ALTER FUNCTION sd_rows(int) SET work_mem = '1MB';
        ALTER FUNCTION sd_rows(int) SET search_path TO a, "B c", '$user';
        SELECT proconfig FROM pg_proc WHERE proname='sd_rows';
        ALTER FUNCTION sd_rows(int) RESET ALL CALLED ON NULL INPUT VOLATILE;
        SELECT proconfig, proisstrict FROM pg_proc WHERE proname='sd_rows';
        ALTER FUNCTION sd_rows(int) LEAKPROOF;
        ALTER FUNCTION sd_rows(int) SET nosuch = 1;
        ALTER FUNCTION sd_rows(int) COST -1;
        ALTER FUNCTION sd_count() ROWS 5;
        ALTER PROCEDURE sd_add(int) STRICT;
        ALTER PROCEDURE sd_add(int) SECURITY INVOKER;
        ALTER FUNCTION nosuch() STRICT;
        ALTER FUNCTION sd_add(int) SECURITY DEFINER;
        ALTER routine sd_add(int) SECURITY DEFINER SET timezone = 'UTC';
        ALTER FUNCTION sd_rows(int) IMMUTABLE IMMUTABLE;
        ALTER FUNCTION sd_count() OWNER TO d_bob;
        RESET ROLE;
        ALTER FUNCTION sd_count() OWNER TO d_bob;
        SELECT sd_count();
        CREATE FUNCTION tz() RETURNS text LANGUAGE SQL SET timezone = 'America/New_York'
            AS 'select current_setting(''timezone'')';
        SELECT tz(), current_setting('timezone');
        CREATE FUNCTION tz2(timestamptz) RETURNS text LANGUAGE SQL SET timezone = 'America/New_York'
            AS 'select $1::text';
        SELECT tz2('2020-01-01 00:00+00'), '2020-01-01 00:00+00'::timestamptz;
        CREATE FUNCTION bad() RETURNS int LANGUAGE SQL SET nosuch = 1 AS 'select 1';
        CREATE FUNCTION bad() RETURNS int LANGUAGE SQL ROWS 4 AS 'select 1';
        CREATE FUNCTION lp() RETURNS int LANGUAGE SQL LEAKPROOF AS 'select 1';
        """,
    ),
    "row security": Attack(
        """
        CREATE ROLE d_owner;
        CREATE ROLE d_reader;
        CREATE ROLE d_mallory;
        CREATE ROLE d_boss SUPERUSER;
        GRANT CREATE ON SCHEMA public TO d_owner, d_reader, d_mallory;
        """,
        """
        SET ROLE d_owner;
        CREATE TABLE doc(id int, who text, body text);
        INSERT INTO doc VALUES (1,'d_reader','r'),(2,'d_mallory','m'),(3,'d_owner','o');
        ALTER TABLE doc ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own ON doc USING (who = current_user);
        GRANT SELECT ON doc TO d_reader, d_mallory;
        SET ROLE d_reader;
        CREATE FUNCTION my_docs() RETURNS SETOF text LANGUAGE SQL STABLE SECURITY DEFINER AS 'select body from doc';
        CREATE FUNCTION inv_docs() RETURNS SETOF text LANGUAGE SQL STABLE AS 'select body from doc';
        CREATE VIEW vdocs AS SELECT * FROM doc;
        CREATE VIEW vinv WITH (security_invoker) AS SELECT * FROM doc;
        GRANT SELECT ON vdocs, vinv TO d_mallory;
        CREATE FUNCTION def_inv() RETURNS SETOF text LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select body from vinv';
        CREATE FUNCTION def_def() RETURNS SETOF text LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select body from vdocs';
        CREATE FUNCTION nested() RETURNS SETOF text LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select * from inv_docs()';
        CREATE FUNCTION one(i int) RETURNS text LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select body from doc where id = i';
        CREATE PROCEDURE pr(OUT x text) LANGUAGE SQL SECURITY DEFINER AS 'select string_agg(body, '','') from doc';
        CREATE FUNCTION ins(i int) RETURNS text LANGUAGE SQL SECURITY DEFINER
            AS 'insert into doc values (i, ''d_reader'', ''new'') returning body';
        SELECT * FROM my_docs();
        SET ROLE d_mallory;
        SELECT * FROM doc;
        SELECT * FROM my_docs();
        SELECT * FROM inv_docs();
        SELECT * FROM def_inv();
        SELECT * FROM def_def();
        SELECT * FROM nested();
        SELECT one(1), one(2), one(3);
        CALL pr(NULL);
        SELECT body, (SELECT string_agg(x, ',') FROM my_docs() x) FROM doc;
        SELECT d.body, m FROM doc d, my_docs() m;
        SELECT d.body, m FROM my_docs() m, doc d;
        SELECT * FROM my_docs() UNION ALL SELECT body FROM doc ORDER BY 1;
        WITH x AS (SELECT * FROM my_docs()) SELECT * FROM x, doc;
        SELECT ins(5);
        CREATE VIEW mv1 AS SELECT * FROM my_docs();
        GRANT SELECT ON mv1 TO d_owner;
        SET ROLE d_owner;
        SELECT * FROM doc ORDER BY id;
        SELECT * FROM my_docs();
        SELECT * FROM mv1;
        GRANT INSERT ON doc TO d_reader;
        SET ROLE d_mallory;
        SELECT ins(5);
        SET ROLE d_owner;
        ALTER TABLE doc FORCE ROW LEVEL SECURITY;
        SELECT * FROM doc;
        SET ROLE d_mallory;
        SELECT * FROM my_docs();
        RESET ROLE;
        SET ROLE d_boss;
        SELECT * FROM my_docs();
        CREATE FUNCTION boss_docs() RETURNS SETOF text LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select body from doc order by id';
        SET ROLE d_mallory;
        SELECT * FROM boss_docs();
        SELECT body, (SELECT count(*) FROM boss_docs()) FROM doc;
        SET ROLE d_reader;
        SET ROLE d_owner;
        ALTER TABLE doc NO FORCE ROW LEVEL SECURITY;
        CREATE FUNCTION own_docs() RETURNS SETOF text LANGUAGE SQL SECURITY DEFINER
            AS 'select body from doc order by id';
        SET ROLE d_mallory;
        SELECT * FROM own_docs();
        SELECT * FROM own_docs();
        SELECT * FROM boss_docs();
        SELECT one(1), one(9);
        SELECT * FROM my_docs();
        SELECT * FROM own_docs();
        RESET ROLE;
        """,
    ),
    "errors, owners and default privileges": Attack(
        """
        CREATE ROLE d_owner;
        CREATE ROLE d_mallory;
        GRANT CREATE ON SCHEMA public TO d_owner, d_mallory;
        """,
        """
        SET ROLE d_owner;
        CREATE TABLE hid(id int, body text);
        INSERT INTO hid SELECT g, 'b' || g FROM generate_series(1, 5) g;
        CREATE FUNCTION vis() RETURNS table(id int, body text) LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select id, body from hid where id <> 3';
        CREATE FUNCTION vis1(i int) RETURNS text LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select body from hid where id = i and id <> 3';
        CREATE FUNCTION cnt(OUT n bigint, OUT who text) LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select count(*), current_user from hid';
        CREATE PROCEDURE p_err() LANGUAGE SQL SECURITY DEFINER AS 'insert into hid values (1/0, null)';
        CREATE PROCEDURE p_in(INOUT r text) LANGUAGE SQL AS 'select current_user::text';
        CREATE PROCEDURE p_out() LANGUAGE SQL SECURITY DEFINER AS 'insert into hid values (7, current_user)';
        CREATE PROCEDURE p_nest() LANGUAGE SQL SECURITY DEFINER
            AS 'call p_out(); insert into hid values (8, current_user)';
        CREATE TABLE con(id int PRIMARY KEY CHECK (id < 100), secret text);
        INSERT INTO con VALUES (1, 'top');
        CREATE FUNCTION p_dup(i int) RETURNS int LANGUAGE SQL SECURITY DEFINER
            AS 'insert into con values (i, ''leak'') returning id';
        SET ROLE d_mallory;
        SELECT * FROM vis() WHERE 1/(id-3) < 10 ORDER BY 1;
        SELECT * FROM vis() v WHERE body::text <> 'b3' AND (10/(id-3)) > -100 ORDER BY 1;
        SELECT v.id FROM vis() v JOIN generate_series(1,5) g ON 10/(v.id-3) IS NOT NULL AND g = v.id ORDER BY 1;
        SELECT CASE WHEN id = 3 THEN 1/0 ELSE id END FROM vis() ORDER BY 1;
        SELECT vis1(3), vis1(4);
        SELECT * FROM cnt();
        SELECT (cnt()).who, current_user;
        CALL p_err();
        SELECT current_user;
        CALL p_nest();
        SELECT current_setting('search_path'), current_user;
        SELECT current_setting('search_path'), current_user;
        SELECT current_setting('search_path');
        SELECT current_setting('search_path');
        SELECT p_dup(2);
        CREATE OR REPLACE FUNCTION vis() RETURNS table(id int, body text) LANGUAGE SQL STABLE SECURITY DEFINER
            AS 'select id, body from hid';
        ALTER FUNCTION vis() OWNER TO d_mallory;
        ALTER FUNCTION vis() RENAME TO vis9;
        DROP FUNCTION vis();
        ALTER FUNCTION vis() SET SCHEMA pg_temp;
        REVOKE EXECUTE ON FUNCTION vis() FROM public;
        GRANT EXECUTE ON FUNCTION vis() TO d_mallory;
        CREATE FUNCTION steal() RETURNS table(id int, body text) LANGUAGE SQL SECURITY DEFINER
            AS 'select id, body from hid';
        SELECT * FROM steal();
        ALTER FUNCTION steal() OWNER TO d_owner;
        CREATE FUNCTION up() RETURNS text LANGUAGE SQL SECURITY DEFINER AS 'select current_user::text';
        GRANT d_owner TO d_mallory;
        RESET ROLE;
        SET ROLE d_owner;
        SELECT * FROM hid ORDER BY id;
        ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM public;
        CREATE FUNCTION priv() RETURNS int LANGUAGE SQL SECURITY DEFINER AS 'select 1';
        SET ROLE d_mallory;
        SELECT priv();
        SELECT has_function_privilege('priv()', 'execute'), has_function_privilege('vis()', 'execute');
        SET ROLE d_owner;
        REVOKE EXECUTE ON FUNCTION vis() FROM public;
        SET ROLE d_mallory;
        SELECT * FROM vis();
        SELECT has_function_privilege('vis()', 'execute');
        CREATE VIEW stealing AS SELECT * FROM vis();
        SELECT * FROM stealing;
        SET ROLE d_owner;
        CREATE VIEW owned AS SELECT * FROM vis();
        GRANT SELECT ON owned TO d_mallory;
        SET ROLE d_mallory;
        SELECT * FROM owned;
        CREATE FUNCTION use_owned() RETURNS bigint LANGUAGE SQL SECURITY DEFINER AS 'select count(*) from owned';
        SET ROLE d_owner;
        SELECT use_owned();
        SELECT * FROM owned ORDER BY 1;
        """,
    ),
}
