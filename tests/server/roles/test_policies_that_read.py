"""Policies that read other tables, and what becomes of them when these are altered or dropped: statements that follow
each other, on Headwater and on PostgreSQL."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.roles.outcomes import Connection, on_both

_ROLES = ("r_keeper", "r_ann", "r_ben")
_SETUP = """
CREATE ROLE r_keeper;
CREATE ROLE r_ann;
CREATE ROLE r_ben;
GRANT ALL ON SCHEMA public TO PUBLIC;
SET ROLE r_keeper;
CREATE TABLE members (team int, who text, secret int, PRIMARY KEY (team, who));
CREATE TABLE t (id int PRIMARY KEY, team int, body text);
INSERT INTO members VALUES (1, 'r_ann', 1), (2, 'r_ben', 1), (3, 'r_ann', 1), (3, 'r_ben', 1);
INSERT INTO t VALUES (10, 1, 'one'), (20, 2, 'two'), (30, 3, 'three'), (40, 4, 'four'), (50, NULL, 'none');
GRANT ALL ON t TO r_ann, r_ben;
ALTER TABLE t ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON t USING (EXISTS (SELECT FROM members AS m WHERE m.team = t.team AND m.who = current_user));
CREATE FUNCTION is_open(team int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT team < 3';
RESET ROLE;
"""

_SCRIPTS = {
    "rights on what is read": """
        SET ROLE r_ann
        SELECT * FROM t
        RESET ROLE
        GRANT SELECT (team) ON members TO r_ann
        SET ROLE r_ann
        UPDATE t SET body = 'x'
        RESET ROLE
        GRANT SELECT (who) ON members TO r_ann
        SET ROLE r_ann
        SELECT * FROM t ORDER BY id
        SELECT id FROM t WHERE 1 / (id - 20) < 10 ORDER BY id
        SELECT id FROM t WHERE (SELECT 1 / (id - 20)) < 10 ORDER BY id
        SELECT id FROM t WHERE id = 20
        UPDATE t SET team = 2 WHERE id = 10
        INSERT INTO t VALUES (60, 1, 'six'), (70, 2, 'seven')
        INSERT INTO t VALUES (60, 1, 'six'), (70, 3, 'seven') RETURNING id
        INSERT INTO t VALUES (20, 1, 'c') ON CONFLICT (id) DO UPDATE SET body = 'changed'
        INSERT INTO t VALUES (10, 1, 'c') ON CONFLICT (id) DO UPDATE SET team = 2
        DELETE FROM t RETURNING id
    """,
    "renamed and altered": """
        GRANT SELECT ON members TO r_ben
        ALTER TABLE members RENAME COLUMN who TO whom
        ALTER TABLE members RENAME TO teammates
        ALTER TABLE t RENAME COLUMN team TO gang
        ALTER TABLE t RENAME TO notes
        ALTER TABLE notes ADD COLUMN more int
        SET ROLE r_ben
        SELECT * FROM notes ORDER BY id
        INSERT INTO notes VALUES (80, 2, 'eighty', 1), (90, 1, 'ninety', 1)
        RESET ROLE
        ALTER TABLE teammates ALTER COLUMN team TYPE bigint
        ALTER TABLE teammates ALTER COLUMN secret TYPE bigint
        ALTER TABLE notes ALTER COLUMN gang TYPE bigint
        ALTER TABLE notes DROP COLUMN gang
        ALTER TABLE teammates DROP COLUMN secret
        ALTER TABLE teammates DROP COLUMN whom CASCADE
        SELECT polname FROM pg_policy
    """,
    "dropped": """
        CREATE POLICY q ON members USING (is_open(team))
        DROP FUNCTION is_open(int)
        DROP TABLE members
        DROP TABLE members CASCADE
        SELECT polname FROM pg_policy
        DROP FUNCTION is_open(int)
        SET ROLE r_ben
        SELECT * FROM t
    """,
    "secured in turn": """
        GRANT SELECT ON members TO r_ann, r_ben
        ALTER TABLE members ENABLE ROW LEVEL SECURITY
        CREATE POLICY q ON members USING (is_open(team))
        SET ROLE r_ben
        SELECT * FROM t ORDER BY id
        SELECT * FROM members ORDER BY team, who
        INSERT INTO t VALUES (80, 3, 'eighty')
        RESET ROLE
        ALTER POLICY q ON members USING (team IN (SELECT team FROM t))
        SET ROLE r_ben
        SELECT * FROM t
        SELECT * FROM members
        PREPARE asked AS SELECT * FROM t
        DELETE FROM t
        INSERT INTO t VALUES (80, 2, 'eighty')
        SET ROLE r_keeper
        SELECT count(*) FROM t
    """,
    "not to be had": """
        CREATE POLICY q ON t USING ((SELECT 1))
        CREATE POLICY q ON t USING (EXISTS (SELECT FROM missing))
        CREATE POLICY q ON t USING (EXISTS (SELECT FROM members WHERE missing = 1))
        CREATE POLICY q ON t USING (id IN (SELECT team, who FROM members))
        CREATE POLICY q ON t USING (sum(id) > 0)
    """,
}


@pytest.mark.parametrize("script", _SCRIPTS)
def test_they_follow_what_they_read(judge: Judge, script: str) -> None:
    with on_both(judge, _SETUP, _ROLES) as (ours, theirs):
        for statement in filter(None, map(str.strip, _SCRIPTS[script].splitlines())):
            assert _told(ours, statement) == _told(theirs, statement), statement


def _told(connection: Connection, statement: str) -> Any:
    try:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else cursor.statusmessage
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary, error.diag.message_detail
    finally:
        connection.commit()
