"""`headwater sql`: a script's statements one by one, results as tables, psql's exit codes.

0  every statement succeeded        2  no connection, or it was lost
1  the script can't be read         3  a statement failed (the rest is not run unless told to keep going)
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import ExecStatus
from rich import box
from rich.console import Console
from rich.table import Table

from model.errors.sql_error import SqlError
from planner.syntax.parse import parse

EXIT_DONE = 0
EXIT_NO_SCRIPT = 1
EXIT_NO_CONNECTION = 2
EXIT_FAILED = 3


def run_script(
    url: str, file: Path | None, command: str | None, *, keep_going: bool, password: str | None = None
) -> int:
    """Runs `command`, or the script in `file` (default: standard input); returns the exit code. `password` is for a
    URL without one."""
    try:
        text = command if command is not None else sys.stdin.read() if file is None else file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        print(f"headwater sql: {file}: {error}", file=sys.stderr)
        return EXIT_NO_SCRIPT
    name = "<command>" if command is not None else "<stdin>" if file is None else str(file)
    try:
        statements = parse(text)
    except SqlError as error:
        _complain(name, _line_of(text, error.position), f"ERROR:  {error.message}")
        return EXIT_FAILED
    try:
        with psycopg.connect(url, autocommit=True, **_login(url, password)) as connection:
            connection.add_notice_handler(lambda d: print(f"{d.severity}:  {d.message_primary}", file=sys.stderr))
            failed = False
            for statement in statements:
                line = _line_of(text, statement.offset + 1)
                failed = not _run(connection, statement.text, name, line) or failed
                if failed and not keep_going:
                    return EXIT_FAILED
            return EXIT_FAILED if failed else EXIT_DONE
    except psycopg.OperationalError as error:
        print(f"headwater sql: {str(error).strip()}", file=sys.stderr)
        return EXIT_NO_CONNECTION


def _login(url: str, password: str | None) -> dict[str, Any]:
    return {} if password is None or "password" in conninfo_to_dict(url) else {"password": password}


def _run(connection: psycopg.Connection, statement: str, name: str, line: int) -> bool:
    """Runs one statement and prints its result; tells whether it succeeded."""
    result = connection.pgconn.exec_(statement.encode())
    if result.status == ExecStatus.FATAL_ERROR:
        if connection.pgconn.status != psycopg.pq.ConnStatus.OK:
            raise psycopg.OperationalError(result.get_error_message())
        _complain(name, line, result.get_error_message().strip())
        return False
    if result.status == ExecStatus.TUPLES_OK:
        _print_rows(result)
    else:
        print((result.command_status or b"").decode())
    return True


def _print_rows(result: psycopg.pq.abc.PGresult) -> None:
    table = Table(box=box.ASCII2, show_edge=False)
    for column in range(result.nfields):
        table.add_column((result.fname(column) or b"?").decode(), overflow="fold")
    for row in range(result.ntuples):
        values = (result.get_value(row, column) for column in range(result.nfields))
        table.add_row(*("" if value is None else value.decode().replace("[", r"\[") for value in values))
    Console(width=None if sys.stdout.isatty() else 10_000).print(table)
    print(f"({result.ntuples} row{'' if result.ntuples == 1 else 's'})")


def _complain(name: str, line: int, message: str) -> None:
    print(f"headwater sql: {name}:{line}: {message}", file=sys.stderr)


def _line_of(text: str, position: int | None) -> int:
    return text.count("\n", 0, max((position or 1) - 1, 0)) + 1
