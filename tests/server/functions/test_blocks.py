"""Blocks of PL/pgSQL do and say what PostgreSQL's do and say."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server

_SET_UP = """
CREATE TABLE f (a int, b text);
INSERT INTO f SELECT k, 'b' || k FROM generate_series(1, 4) k;
CREATE TYPE mood AS ENUM ('sad', 'ok');
"""
_STATEMENTS = [
    "do $$ begin raise notice 'hello'; end $$",
    "do $$ begin raise warning 'w % %', 1, null; end $$ language plpgsql",
    "do $$ begin raise exception 'bad %%'; end $$",
    "do $$ begin raise exception 'bad' using errcode = '22012', detail = 'd', hint = 'h'; end $$",
    "do $$ begin raise division_by_zero; end $$",
    "do $$ begin raise sqlstate '22012' using message = 'm'; end $$",
    (
        "do $$ declare n int; begin select count(*) into n from f; raise notice 'n=%', n; if n > 3 then "
        "raise notice 'many'; elsif n = 1 then raise notice 'one'; else raise notice 'few'; end if; end "
        "$$"
    ),
    "do $$ begin create type mood as enum ('a', 'b'); exception when duplicate_object then null; end $$",
    (
        "do $$ begin create type mood as enum ('a', 'b'); exception when duplicate_object then raise "
        "notice '% %', sqlstate, sqlerrm; end $$"
    ),
    (
        "do $$ declare r record; begin for r in select * from f where a < 3 order by a loop raise notice "
        "'% %', r.a, r.b; end loop; end $$"
    ),
    (
        "do $$ declare s int := 0; begin for i in 1..10 by 2 loop continue when i = 3; exit when i > 7; "
        "s := s + i; end loop; raise notice '%', s; for i in reverse 3..1 loop raise notice '%', i; end "
        "loop; end $$"
    ),
    (
        "do $$ declare i int := 0; begin while i < 3 loop i := i + 1; end loop; raise notice '%', i; "
        "loop i := i + 1; exit when i > 5; end loop; raise notice '%', i; end $$"
    ),
    (
        "do $$ declare x int; begin execute 'select $1 + 1' into x using 41; raise notice '%', x; "
        "execute format('create table %I (a int)', 'Dyn'); end $$"
    ),
    (
        "do $$ declare m mood := 'b'; v varchar(3); q f.b%type := 'q'; rr f%rowtype; begin select * into "
        "rr from f where a = 1; raise notice '% % % %', m, q, rr.a, rr; end $$"
    ),
    "do $$ begin perform 1/0; exception when division_by_zero then raise notice 'caught'; end $$",
    (
        "do $$ begin insert into f values (100, 'gone'); perform 1/0; exception when others then raise "
        "notice 'others %', sqlerrm; end $$"
    ),
    "do $$ begin begin perform 1/0; exception when others then raise; end; end $$",
    (
        "do $$ declare n int; begin update f set b = 'u' where a < 3; get diagnostics n = row_count; "
        "raise notice '% %', n, found; delete from f where a = 77; raise notice '%', found; end $$"
    ),
    "do $$ declare x int; begin select a into strict x from f where a = 77; end $$",
    "do $$ declare x int; begin select a into strict x from f; end $$",
    "do $$ begin select 1; end $$",
    "do $$ begin syntax error; end $$",
    "do $$ declare c constant int := 1; begin c := 2; end $$",
    "do $$ declare a int := 1; begin update f set b = 'all' where a = a; end $$",
    "do $$ declare a int := 1; begin update f set b = 'one' where f.a = a; end $$",
    "do $$ declare b text := 'x'; begin update f set b = 'one' where f.a = 1; end $$",
    "do $$ declare b text := 'x'; begin insert into f (a, b) values (5, b); end $$",
    "do $$ declare r record; begin select 1 as x into r; perform r.a from f r; end $$",
    "do $$ declare r record; begin select 1 as a into r; perform r.a from f r; end $$",
    "do $$ declare r record; begin select 1 as a into r; raise notice '%', r.b; end $$",
    "do $$ declare n int; begin select f.a as n into n from f order by n limit 1; raise notice '%', n; end $$",
    "do $$ declare n int; begin perform (select n from (select 1) s) from f; perform 1 from f group by n; end $$",
    "do $$ declare a int; begin create view fv as select a from f; create table ft as select a from f; end $$",
    "do $$ declare q int; begin create view fw as select q; end $$",
    "do $$ declare a int; begin perform a from (select 2 as a) s; end $$",
    "do $$ declare c int not null := 1; begin c := null; end $$",
    (
        "do $$ declare i text := 'z'; begin case i when 'a', 'z' then raise notice 'az'; else raise "
        "notice 'no'; end case; case when i = 'q' then null; end case; end $$"
    ),
    "do $$ begin assert 1 = 2, 'oh'; end $$",
    "do $$ begin return; raise notice 'never'; end $$",
    (
        "do $$ <<o>> declare i int := 1; begin declare i int := 2; begin raise notice '%', i; end; raise "
        "notice '%', i; loop loop exit o; end loop; end loop; end $$"
    ),
    (
        "do $$ begin if exists (select 1 from pg_class where relname = 'f') then alter table f add "
        "column if not exists z int; end if; end $$"
    ),
    "do $$ begin perform nope(); end $$",
    "do $$ declare v varchar(3) := 'abcdef'; begin null; end $$",
    "do $$ declare i int := 'abc'; begin null; end $$",
    "do $$ begin foo := 1; end $$",
    "do language plpgsql $$ begin raise info 'i'; raise log 'l'; raise debug 'd'; end $$",
    "do language nope 'x'",
    "do $$ begin insert into f values (5, 'tx'); end $$",
    (
        "do $$ declare a int[] := array[1,2]; begin raise notice '%', a[2]; a := a || 3; raise notice "
        "'%', array_length(a, 1); end $$"
    ),
    "do $$ declare r record; begin r := (1, 'x'); raise notice '%', r; end $$",
    "do $$ begin call nope(); end $$",
    (
        "do $$ declare x int; y text; begin for x, y in select a, b from f where a = 4 loop raise notice "
        "'% %', x, y; end loop; end $$"
    ),
    (
        "do $$ declare r f; begin select a, b into r from f; raise notice '% %', r, r.b; r := (7, 'k'); "
        "raise notice '%', r.a; end $$"
    ),
    ("do $$ declare r f; begin for r in select * from f loop insert into f values (r.a + 1, r.b); end loop; end $$"),
    "do $$ declare v varchar(3) := 'ab   '; begin raise notice '[%]', v; v := 'abcd'; end $$",
    "do $$ declare v char(3) := 'a'; begin raise notice '[%]', v; end $$",
    "do $$ declare v numeric(5,2) := 1.239; begin raise notice '%', v; end $$",
    ("do $$ begin raise notice '%', row(1,true,null); raise notice '%', true; raise notice '%', array[true]; end $$"),
    "do $$ declare x int; begin select a into x from f where a = 99; raise notice '% %', x, found; end $$",
    (
        "do $$ begin raise exception using message = 'a', errcode = 'unique_violation', table = 't', "
        "constraint = 'c'; end $$"
    ),
    "do $$ begin execute null; end $$",
    "do $$ begin for i in 1..null loop null; end loop; end $$",
    "do $$ begin for i in 1..3 by 0 loop null; end loop; end $$",
    "do $$ declare i int; begin i := (select a from f); end $$",
    "do $$ begin raise notice '%'; end $$",
    "do $$ begin raise; end $$",
    "do $$ begin exit; end $$",
    "do $$ begin raise unknown_thing; end $$",
    "do $$ begin null; exception when nope then null; end $$",
    "do $$ declare x text; begin x := 'a' || chr(10) || 'b'; raise notice '%', x; end $$",
    (
        "do $$ begin create table k (a int primary key); insert into k values (1); begin insert into k "
        "values (1); exception when unique_violation then raise notice 'dup %', sqlerrm; end; insert "
        "into k values (2); end $$"
    ),
    "do 'begin end'",
    "do $$ begin perform pg_sleep(0); end; $$",
    (
        "do $$ declare\n  -- a comment; with; semicolons\n  i int := 1; /* begin */\nbegin\n  raise notice "
        "'x%', i; -- declare\nend $$"
    ),
    'do $$ declare "Odd" int := 3; begin "Odd" := "Odd" + 1; raise notice \'%\', "Odd"; end $$',
    "SELECT * FROM f ORDER BY a, b",
    "SELECT count(*) FROM pg_class WHERE relname IN ('Dyn', 'k')",
]


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


def _told(connection: psycopg.Connection[tuple[object, ...]], sql: str) -> tuple[object, ...]:
    """The rows or the tag of a statement, with its notices; or its error."""
    notices: list[tuple[str | None, ...]] = []

    def notice(said: psycopg.errors.Diagnostic) -> None:
        notices.append((said.severity, said.sqlstate, said.message_primary, said.message_detail, said.message_hint))

    connection.add_notice_handler(notice)
    try:
        cursor = connection.execute(sql.encode())
        return cursor.statusmessage, cursor.fetchall() if cursor.description else None, notices
    except psycopg.Error as error:
        said = error.diag
        where = said.table_name, said.constraint_name
        return said.sqlstate, said.message_primary, said.message_detail, said.message_hint, where, notices
    finally:
        connection.remove_notice_handler(notice)


def test_blocks_do_and_say_what_postgresqls_do(server: MemoryServer, judge: Judge) -> None:
    with server.connect() as ours, judge.connect() as theirs:
        ours.autocommit = True
        for connection in (ours, theirs):
            connection.execute(_SET_UP.encode())
        for sql in _STATEMENTS:
            assert _told(ours, sql) == _told(theirs, sql), sql


@pytest.mark.parametrize(
    "code",
    [
        "begin commit; end",
        "begin rollback; end",
        "declare j jsonb := '{}'; begin j['a'] := '1'; end",
        "<<b>> declare i int; begin declare i int; begin b.i := 1; end; end",
        "declare a f[] := '{}'; begin a[1].a := 1; end",
    ],
)
def test_what_is_not_there_is_refused_by_name(server: MemoryServer, code: str) -> None:
    with server.connect() as connection, pytest.raises(psycopg.errors.FeatureNotSupported, match="PL/pgSQL"):
        connection.execute(f"DO $code$ {code} $code$".encode())


def test_a_block_that_fails_leaves_nothing(server: MemoryServer) -> None:
    with server.connect() as connection:
        connection.autocommit = True
        connection.execute("CREATE TABLE left_nothing (a int)")
        with pytest.raises(psycopg.errors.DivisionByZero):
            connection.execute("DO $$ BEGIN INSERT INTO left_nothing VALUES (1); PERFORM 1 / 0; END $$")
        assert connection.execute("SELECT count(*) FROM left_nothing").fetchone() == (0,)


def test_a_loop_without_end_can_be_ended(server: MemoryServer) -> None:
    with server.connect() as connection:
        connection.autocommit = True
        connection.execute("SET statement_timeout = 100")
        with pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute("DO $$ BEGIN LOOP NULL; END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END $$")
        assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize(
    "code",
    [
        "begin " * 20_000 + "null; " + "end; " * 20_000,
        "begin " + "if true then " * 20_000 + "null; " + "end if; " * 20_000 + "end",
        "begin perform " + "(" * 20_000 + "1" + ")" * 20_000 + "; end",
    ],
    ids=["blocks", "choices", "parentheses"],
)
def test_what_is_too_deep_is_refused(server: MemoryServer, code: str) -> None:
    with server.connect() as connection:
        connection.autocommit = True
        with pytest.raises(psycopg.Error):
            connection.execute(f"DO $code$ {code} $code$".encode())
        assert connection.execute("SELECT 1").fetchone() == (1,)
