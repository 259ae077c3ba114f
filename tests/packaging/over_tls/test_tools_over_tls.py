"""Alembic, Django, pgcli, psql and pgbench over TLS, as a role that is no superuser: what they come to is what they
come to on PostgreSQL."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.judge import Judge
from tests.packaging.over_tls.served import Place, judged_place, run_place, run_tool, told_by, tool, with_tls
from tests.server.tls.authority import Authority

_HERE = Path(__file__).parent
_COMPARED = ("by_alembic", "by_django", "by_pgcli", "by_psql")
_SHOP = """
CREATE TABLE parent (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE child (id int PRIMARY KEY, parent_id int REFERENCES parent ON DELETE CASCADE, n int);
CREATE INDEX child_parent ON child (parent_id);
CREATE TYPE size AS ENUM ('small', 'large');
CREATE SEQUENCE numbers;
CREATE VIEW names AS SELECT name FROM parent;
CREATE FUNCTION total_of(int) RETURNS int LANGUAGE sql STABLE AS 'SELECT 2 * $1';
COMMENT ON TABLE parent IS 'of children';
"""
_LISTED = (r"\d", r"\dt", r"\d child", r"\d parent", r"\di", r"\dv", r"\dT", r"\ds", r"\df", r"\dp", r"\dm", r"\dD")
_STATEMENTS = (
    "INSERT INTO parent VALUES (1, 'ann'), (2, 'bob')",
    "SELECT id, name, NULL AS nothing FROM parent ORDER BY id",
    "INSERT INTO parent VALUES (1, 'eve')",
    "SELECT 1 / 0",
    "SELECT rolname, rolsuper FROM pg_roles WHERE rolname = current_user",
)
_BEGUN = (
    "SELECT * FROM par",
    "SELECT * FROM child c JOIN ",
    "SELECT * FROM child JOIN parent ON ",
    "INSERT INTO chi",
    "ALTER TABLE public.par",
    "SELECT total_",
    "SELECT 1::siz",
)
_EXPRESSIONS_TEXT = re.compile(r"::[a-z_]+|[()]")
"""What PostgreSQL adds to the text of an expression."""
_ACCOUNTS = 1000
_CLIENTS, _TRANSACTIONS = 4, 25
_TPCB = """\\set aid random(1, :accounts)
\\set bid random(1, 1 * :scale)
\\set tid random(1, 10 * :scale)
\\set delta random(-5000, 5000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
END;
"""
_SUMS = """SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(tbalance) FROM pgbench_tellers),
    (SELECT sum(bbalance) FROM pgbench_branches), (SELECT sum(delta) FROM pgbench_history)"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with run_place(Authority(tmp_path_factory.mktemp("authority")), *_COMPARED, "by_pgbench") as place:
        yield place


@pytest.fixture(scope="module")
def places(place: Place, judge: Judge) -> Iterator[Mapping[str, Place]]:
    with judged_place(judge, *_COMPARED) as judged:
        yield {"Headwater": place, "PostgreSQL": judged}


def _as_on_postgres(places: Mapping[str, Place], database: str, folder: Path, stdin: str = "") -> tuple[Any, Any]:
    """Runs a tool's script on both servers, each in a copy of this folder, and returns what it tells."""
    told = []
    for name, place in places.items():
        shutil.copytree(_HERE, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        told.append(told_by(f"{database.removeprefix('by_')}_session.py", place, database, folder / name, stdin))
    ours, theirs = told
    return ours, theirs


def test_alembic_writes_the_migrations_that_models_ask_for_and_goes_up_and_down(
    places: Mapping[str, Place], tmp_path: Path
) -> None:
    ours, theirs = _as_on_postgres(places, "by_alembic", tmp_path)
    assert ours["used"]["as"] == ["shop", "off"]
    assert ours["used"]["rows"] == [["ann", "14.00", "1"], ["bob", "14.00", "2"]]
    assert ours["left"] == ["alembic_version"]
    for step in ("after second", "after downgrade"):
        ours[step], theirs[step] = (_EXPRESSIONS_TEXT.sub("", json.dumps(told[step])) for told in (ours, theirs))
    assert ours == theirs


def test_a_project_of_django_migrates_asks_and_is_read_back(places: Mapping[str, Place], tmp_path: Path) -> None:
    ours, theirs = _as_on_postgres(places, "by_django", tmp_path)
    assert ours["as"] == ["shop", "off"]
    assert "Create model Order" in ours["migrated"]["made"] and "shop.0001_initial... OK" in ours["migrated"]["done"]
    assert "class ShopOrder(models.Model):" in ours["inspected"] and "Unable to inspect" not in ours["inspected"]
    assert ours == theirs


def test_pgcli_completes_lists_and_runs(places: Mapping[str, Place], tmp_path: Path) -> None:
    told = {}
    for name, place in places.items():
        with place.connect("by_pgcli") as connection:
            connection.execute(_SHOP.encode())
        words = [part for text in (*_LISTED, r"\sf total_of", *_STATEMENTS) for part in ("-c", text)]
        command: list[str | Path] = [tool("pgcli"), "--no-password", "--less-chatty", "--yes", *words]
        done = run_tool([*command, "-d", "dbname=by_pgcli"], place, "by_pgcli", tmp_path)
        told[name] = re.sub("Time: .*", "", done.stdout + done.stderr)
        assert done.returncode == 0, done.stderr
    assert "child_parent_id_fkey" in told["Headwater"] and "| 1  | ann  | <null>" in told["Headwater"]
    assert told["Headwater"] == told["PostgreSQL"]
    completed, as_there = _as_on_postgres(places, "by_pgcli", tmp_path, json.dumps(_BEGUN))
    assert completed[0] == "parent" and None not in completed
    assert completed == as_there


def test_psql_lists_and_runs(places: Mapping[str, Place], tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    rows.write_text("3,cid\n")
    copied = rf"\copy parent FROM '{rows}' CSV"
    told = {}
    for name, place in places.items():
        with place.connect("by_psql") as connection:
            connection.execute(_SHOP.encode())
        script = "\n".join((*_LISTED, *(f"{each};" for each in _STATEMENTS), copied, r"\crosstabview"))
        command = [*with_tls("psql"), "-X", "-q"]
        done = run_tool(command, place, "by_psql", tmp_path, f"{script}\nTABLE names \\g\n")
        told[name] = done.stdout + done.stderr
        assert done.returncode == 0, done.stderr
        told[f"{name} by"] = run_tool([*command, "-c", r"\conninfo"], place, "by_psql", tmp_path).stdout
    assert "SSL connection (protocol: TLSv1.3" in told["Headwater by"], told["Headwater by"]
    assert told["Headwater"] == told["PostgreSQL"]


def test_pgbench_fills_its_tables_and_keeps_their_sums(place: Place, tmp_path: Path) -> None:
    """Its script of a bank, over fewer accounts: in memory, without Spark, an update reads all of them."""
    pgbench = with_tls("pgbench")
    filled = run_tool([*pgbench, "-i", "-q", "-I", "dtgvpf"], place, "by_pgbench", tmp_path)
    assert filled.returncode == 0, filled.stderr
    (tmp_path / "bank.sql").write_text(_TPCB)
    with place.connect("by_pgbench") as connection:
        counted = "SELECT count(*), min(aid), max(aid) FROM pgbench_accounts"
        assert connection.execute(counted).fetchall() == [(100_000, 1, 100_000)]
        connection.execute(b"DELETE FROM pgbench_accounts WHERE aid > %d" % _ACCOUNTS)
        for mode in ("simple", "prepared"):
            words = ["-n", "-M", mode, "-c", str(_CLIENTS), "-t", str(_TRANSACTIONS), "--max-tries=1000"]
            words += ["-D", f"accounts={_ACCOUNTS}", "-f", "bank.sql"]
            done = run_tool([*pgbench, *words], place, "by_pgbench", tmp_path)
            assert done.returncode == 0, done.stderr
            assert "number of failed transactions: 0 " in done.stdout, done.stdout
        ((accounts, tellers, branches, history),) = connection.execute(_SUMS).fetchall()
        assert accounts == tellers == branches == history
        kept = connection.execute("SELECT count(*) FROM pgbench_history").fetchall()
        assert kept == [(2 * _CLIENTS * _TRANSACTIONS,)]
