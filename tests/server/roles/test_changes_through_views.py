"""Rows that are changed unread, through views whose queries read other tables and call functions: who is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.judge import Judge
from tests.server.roles.outcomes import Connection, on_both, outcome

_ROLES = ("w_maker", "w_writer", "w_caller")
_SETUP = """
CREATE ROLE w_maker;
CREATE ROLE w_writer;
CREATE ROLE w_caller;
CREATE SCHEMA s;
GRANT ALL ON SCHEMA s TO PUBLIC;
CREATE TABLE s.t (a int, b text);
CREATE TABLE s.other (x int);
INSERT INTO s.t VALUES (1, 'one'), (2, 'two');
INSERT INTO s.other VALUES (1);
GRANT ALL ON s.t TO w_maker;
GRANT SELECT ON s.other TO w_caller;
CREATE FUNCTION s.most() RETURNS int LANGUAGE sql STABLE AS 'SELECT max(x) FROM s.other';
CREATE FUNCTION s.shut() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';
REVOKE EXECUTE ON FUNCTION s.shut() FROM PUBLIC;
SET ROLE w_maker;
CREATE VIEW s.plain AS SELECT a, b FROM s.t WHERE a = 1;
CREATE VIEW s.other_read AS SELECT a, b FROM s.t WHERE a IN (SELECT x FROM s.other);
CREATE VIEW s.called AS SELECT a, b FROM s.t WHERE a = s.most();
CREATE VIEW s.over_called AS SELECT a, b FROM s.called;
CREATE VIEW s.uncallable AS SELECT a, b FROM s.t WHERE a = s.shut();
GRANT INSERT, UPDATE, DELETE ON s.plain, s.other_read, s.called, s.over_called, s.uncallable TO w_writer, w_caller;
RESET ROLE;
"""
_STATEMENTS = ("DELETE FROM s.{}", "UPDATE s.{} SET b = 'new'", "INSERT INTO s.{} VALUES (1, 'more')")


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[tuple[Connection, Connection]]:
    with on_both(judge, _SETUP, _ROLES) as connections:
        yield connections


@pytest.mark.parametrize("view", ["plain", "other_read", "called", "over_called", "uncallable"])
def test_each_role_may_what_postgres_lets_it(both: tuple[Connection, Connection], view: str) -> None:
    ours, theirs = both
    for statement in _STATEMENTS:
        for role in _ROLES:
            sql, seen = statement.format(view), "SELECT * FROM s.t ORDER BY a, b"
            assert outcome(ours, role, sql, seen=seen) == outcome(theirs, role, sql, seen=seen), (role, sql)
