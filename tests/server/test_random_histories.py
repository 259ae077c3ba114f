"""Random views over random histories on a real server, with kills in between, and PostgreSQL as the judge.

After each transaction PostgreSQL is asked what each view holds. At every one of these times, in the end and after all
kills, the same comes of the materialized view, of the index, and of the definition computed from scratch.
`--random-histories N` runs N histories instead of CI's one.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from tests.judge import Judge
from tests.planner.query.judged_queries import Answer, judged
from tests.random_queries import COLUMN_KINDS, TABLES, Kind, Queries, literal
from tests.server_process import ServerProcess, start_server

_VIEWS = 6
_TRANSACTIONS = 14
_RETAIN = "RETAIN HISTORY FOR '2 h'"
_PATIENCE_S = 240.0
_DATABASE = "histories"
Connection = psycopg.Connection[tuple[object, ...]]


@dataclass
class _Course:
    """The views' definitions, and what PostgreSQL said of each after each transaction, by Headwater's time."""

    views: tuple[str, ...]
    said: dict[int, tuple[Answer, ...]] = field(default_factory=dict)


def _changes(dice: random.Random) -> Iterator[str]:
    """The statements of one transaction."""
    for _ in range(dice.randint(1, 3)):
        table = dice.choice("lr")
        match dice.randrange(6):
            case 0 | 1 | 2:
                rows = (", ".join(literal(dice, kind) for kind in COLUMN_KINDS) for _ in range(dice.randint(1, 6)))
                yield f"INSERT INTO {table} VALUES {', '.join(f'({row})' for row in rows)}"
            case 3:
                yield f"DELETE FROM {table} WHERE k = {literal(dice, Kind.NUMBER)}"
            case 4:
                yield f"UPDATE {table} SET v = v + 1, s = {literal(dice, Kind.TEXT)} WHERE k > {dice.randrange(3)}"
            case _:
                yield f"INSERT INTO {table} SELECT k, v, id, s FROM {dice.choice('lr')} WHERE id = {dice.randrange(4)}"


@contextmanager
def _both(judge: Judge, server: ServerProcess) -> Iterator[tuple[Connection, Connection]]:
    with judge.connect(_DATABASE) as theirs, server.connect() as ours:
        yield theirs, ours


def _set_up(theirs: Connection, ours: Connection, views: tuple[str, ...]) -> None:
    for table in TABLES:
        theirs.execute(table.encode())
        ours.execute(f"{table} WITH ({_RETAIN})".encode())
    for number, view in enumerate(views):
        ours.execute(f"CREATE MATERIALIZED VIEW m{number} WITH ({_RETAIN}) AS {view}".encode())
        ours.execute(f"CREATE VIEW v{number} AS {view}".encode())
        ours.execute(f"CREATE INDEX ON v{number} (c0) WITH ({_RETAIN})".encode())


def _live(theirs: Connection, ours: Connection, dice: random.Random, course: _Course) -> None:
    """One transaction in both; then PostgreSQL is asked."""
    changes = list(_changes(dice))
    for connection in (theirs, ours):
        with connection.transaction():
            for change in changes:
                connection.execute(change.encode())
    (now,) = ours.execute("SELECT mz_now()::text::int8").fetchone() or (None,)
    assert isinstance(now, int)
    course.said[now] = tuple(judged(theirs, view) for view in course.views)


def _kill(server: ServerProcess, data_dir: Path, dice: random.Random) -> ServerProcess:
    """kill -9 of the replica, of the server, or of both; the server that runs then."""
    which = dice.choice(("replica", "server", "both"))
    if which != "server":
        replica = data_dir / "replica.json"
        if replica.exists():
            os.kill(int(json.loads(replica.read_text())["pid"]), signal.SIGKILL)
    if which == "replica":
        return server
    server.kill()
    return start_server(data_dir)


def _indexed(ours: Connection, view: int) -> None:
    """Waits until the index answers, and so all reads of it are reads of its arrangement."""
    deadline = time.monotonic() + _PATIENCE_S
    query = f"EXPLAIN PHYSICAL PLAN FOR SELECT * FROM v{view}"
    while "Index" not in (plan := "\n".join(str(line) for (line,) in ours.execute(query.encode()).fetchall())):
        assert time.monotonic() < deadline, plan
        time.sleep(0.5)


_PAIRS = """
SELECT m.name, coalesce(of_view.dataflow_id = of_index.dataflow_id, false) FROM mz_catalog.mz_materialized_views m
JOIN mz_catalog.mz_views v ON v.name = 'v' || substr(m.name, 2) JOIN mz_catalog.mz_indexes i ON i.on_id = v.id
LEFT JOIN mz_internal.mz_shared_dataflows of_view ON of_view.object_id = m.id
LEFT JOIN mz_internal.mz_shared_dataflows of_index ON of_index.object_id = i.id
"""
_FAILING = """
SELECT o.name FROM mz_internal.mz_compute_error_counts e JOIN mz_catalog.mz_objects o ON o.id = e.object_id
WHERE e.count > 0
"""


def _await_sharing(ours: Connection) -> None:
    """Waits until each materialized view and the index of the same query are one dataflow; those with errors are not
    asked for it."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        pairs: dict[object, object] = dict(ours.execute(_PAIRS.encode()).fetchall())  # type: ignore[arg-type]
        assert len(pairs) == _VIEWS
        failing = {name for (name,) in ours.execute(_FAILING.encode())}
        apart = {name for name, shared in pairs.items() if not shared} - failing
        if not apart:
            return
        assert time.monotonic() < deadline, f"{apart} are apart from the indexes of the same queries"
        time.sleep(0.5)


def _look(ours: Connection, course: _Course, dice: random.Random) -> list[str]:
    """What differs from PostgreSQL's answers; from scratch only at some times, for these are whole queries on Spark."""
    wrong = []
    _await_sharing(ours)
    for number, view in enumerate(course.views):
        _indexed(ours, number)
        scratched = dice.sample(sorted(course.said), 3)
        for time_, answers in course.said.items():
            ways = [f"m{number}", f"v{number}", *[f"({view}) q"] * (time_ in scratched)]
            for way in ways:
                if (found := judged(ours, f"SELECT * FROM {way} AS OF {time_}")) != answers[number]:
                    wrong.append(
                        f"{way[:3]} {view} AS OF {time_}: {found!s:.300}; PostgreSQL: {answers[number]!s:.300}"
                    )
    return wrong


def _drawn(dice: random.Random) -> tuple[str, ...]:
    return tuple(Queries(dice).relation(dice.randint(1, 3)).sql for _ in range(_VIEWS))


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--random-histories", 600)
def test_views_keep_to_postgresql_at_every_time(request: pytest.FixtureRequest, judge: Judge, tmp_path: Path) -> None:
    histories = int(request.config.getoption("--random-histories"))
    first = int(os.environ.get("HEADWATER_HISTORY_SEED", "1"))
    for seed in range(first, first + histories):
        print(f"HEADWATER_HISTORY_SEED={seed}")
        wrong = _history(judge, tmp_path / str(seed), random.Random(seed))
        assert not wrong, "\n".join(wrong)


def _history(judge: Judge, data_dir: Path, dice: random.Random) -> list[str]:
    course = _Course(_drawn(dice))
    server = start_server(data_dir)
    try:
        with judge.connect() as anew:
            anew.execute(f"DROP DATABASE IF EXISTS {_DATABASE}".encode())
            anew.execute(f"CREATE DATABASE {_DATABASE}".encode())
        with _both(judge, server) as (theirs, ours):
            _set_up(theirs, ours, course.views)
        for number in range(_TRANSACTIONS):
            with _both(judge, server) as (theirs, ours):
                _live(theirs, ours, dice, course)
            if number in (_TRANSACTIONS // 3, 2 * _TRANSACTIONS // 3):
                server = _kill(server, data_dir, dice)
        answers = Counter(bool(answer) for said in course.said.values() for answer in said)
        print(f"{len(course.said)} times, {answers[True]} answers with rows, {answers[False]} without")
        with server.connect() as ours:
            return _look(ours, course, dice)
    finally:
        server.stop()
