"""set_config() of `role` and `session_authorization`, by which poolers and PostgREST change the role: on Headwater and
on PostgreSQL."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.roles.outcomes import Connection, on_both

_ROLES = ("r_ann", "r_ben")
_SETUP = """
CREATE ROLE r_ann;
CREATE ROLE r_ben;
GRANT r_ann TO r_ben;
CREATE FUNCTION becomes() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT set_config(''role'', ''r_ann'', false)';
"""

_SCRIPTS = (
    ("SELECT set_config('role', 'r_ann', false)", "SELECT current_user", "SHOW role"),
    ("SELECT set_config('ROLE', 'r_ann', true)", "SELECT current_user", "SELECT set_config('role', 'none', true)"),
    ("SELECT set_config('role', 'r_ann', true)", "COMMIT", "SELECT current_user = session_user"),
    ("SELECT set_config('role', 'r_ann', false)", "ROLLBACK", "SELECT current_user = session_user"),
    ("SELECT set_config('role', NULL, false)", "SELECT current_user = session_user"),
    ("SELECT set_config('role', 'nobody_here', false)",),
    ("SELECT set_config('session_authorization', 'r_ben', false)", "SELECT current_user, session_user")
    + ("SELECT set_config('role', 'r_ann', false)", "SELECT current_user, session_user"),
    ("SET SESSION AUTHORIZATION r_ann", "SELECT set_config('role', 'r_ben', false)"),
    ("SELECT becomes()",),
)


@pytest.mark.parametrize("script", _SCRIPTS, ids=" ".join)
def test_it_becomes_whom_set_role_would(judge: Judge, script: tuple[str, ...]) -> None:
    with on_both(judge, _SETUP, _ROLES) as (ours, theirs):
        assert [_told(ours, each) for each in script] == [_told(theirs, each) for each in script]


def _told(connection: Connection, statement: str) -> Any:
    try:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else cursor.statusmessage
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary
