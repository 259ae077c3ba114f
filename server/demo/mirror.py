"""`headwater demo --postgres`: a PostgreSQL database is mirrored, and whatever is killed, no transaction of it is torn,
lost or doubled."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

from model.time.clock import SystemRandomness
from server.demo.postgres import DemoPostgres, postgres_programs
from server.demo.server import DemoServer
from server.demo.show import Connection, ask, clock, console, say, scene, since

_BALANCE = 1_000
_SIGHTS = 10
_PAUSE_S = 0.005
_PATIENCE_S = 300.0
_UPSTREAM = """
CREATE TABLE accounts (id int PRIMARY KEY, branch text, balance numeric(12, 2));
CREATE TABLE transfers (id int PRIMARY KEY, payer int, payee int, amount numeric(12, 2), at timestamptz DEFAULT now());
INSERT INTO accounts SELECT n, (ARRAY['Oslo', 'Turin', 'Quito', 'Kyoto'])[n % 4 + 1], {balance}
    FROM generate_series(1, {accounts}) n;
ALTER TABLE accounts REPLICA IDENTITY FULL;
ALTER TABLE transfers REPLICA IDENTITY FULL;
CREATE PUBLICATION bank FOR TABLE accounts, transfers
"""
_SETUP = """
CREATE CONNECTION pg TO POSTGRES (HOST '{host}', PORT {port}, DATABASE postgres, USER headwater, SSL MODE disable);
CREATE SOURCE bank FROM POSTGRES CONNECTION pg (PUBLICATION 'bank') FOR ALL TABLES;
CREATE MATERIALIZED VIEW branches AS
    SELECT branch, count(*) AS accounts, sum(balance) AS balance, min(balance) AS poorest FROM accounts GROUP BY branch
"""
_BRANCHES = "SELECT * FROM branches ORDER BY branch"
_PAYERS = (
    "SELECT a.branch, count(*) AS transfers, sum(t.amount) AS paid FROM transfers t JOIN accounts a ON a.id = t.payer"
    " GROUP BY a.branch ORDER BY a.branch"
)
_PROGRESS = "SELECT * FROM bank_progress"
_TOTAL = "SELECT coalesce(sum(balance), 0)::int8, coalesce(sum(accounts), 0)::int8 FROM branches"


class _Transfers:
    """Moves money upstream, each time in one transaction, until it is told to stop."""

    def __init__(self, upstream: DemoPostgres, accounts: int) -> None:
        self._upstream = upstream
        self._accounts = accounts
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.made = 0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the transfers, and waits until the last transaction is committed."""
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        randomness = SystemRandomness()
        with self._upstream.connect() as connection:
            while not self._ending.wait(_PAUSE_S):
                payer, payee = 1 + randomness.below(self._accounts), 1 + randomness.below(self._accounts)
                amount = 1 + randomness.below(20)
                with connection.transaction():
                    change = "UPDATE accounts SET balance = balance + %s WHERE id = %s"
                    connection.execute(change, (-amount, payer))
                    connection.execute(change, (amount, payee))
                    told = "INSERT INTO transfers (id, payer, payee, amount) VALUES (%s, %s, %s, %s)"
                    connection.execute(told, (self.made + 1, payer, payee, amount))
                self.made += 1


def run_mirror(data_dir: Path, accounts: int = 20_000) -> int:
    """Runs it on a fresh data directory; 0, or 1 when Headwater has other rows than upstream, or PostgreSQL is not to
    be had."""
    try:
        upstream = DemoPostgres(postgres_programs())
    except FileNotFoundError as error:
        say(str(error))
        return 1
    shutil.rmtree(data_dir, ignore_errors=True)
    server = DemoServer(data_dir)
    try:
        return 0 if _mirror(server, upstream, accounts) else 1
    finally:
        server.stop()
        upstream.stop()


def _mirror(server: DemoServer, upstream: DemoPostgres, accounts: int) -> bool:
    scene(f"1. A PostgreSQL server with {accounts:,} accounts, and Headwater beside it")
    upstream.start()
    with upstream.connect() as connection:
        _run_all(connection, _UPSTREAM.format(accounts=accounts, balance=_BALANCE))
    server.start()
    say(f"PostgreSQL answers at {upstream.host}:{upstream.port}; psql {server.url} talks to Headwater")
    with server.connect() as ours:
        _copy(ours, upstream, accounts)
        transfers = _Transfers(upstream, accounts)
        whole = _follow(ours, transfers, accounts)
    try:
        _kill(server, transfers)
        with server.connect() as ours:
            transfers.stop()
            return _compare(ours, upstream, transfers.made) and whole
    finally:
        transfers.stop()


def _copy(ours: Connection, upstream: DemoPostgres, accounts: int) -> None:
    scene("2. Two statements, and its tables are here")
    began = clock.now_ms()
    _run_all(ours, _SETUP.format(host=upstream.host, port=upstream.port))
    _await(ours, _TOTAL, [(accounts * _BALANCE, accounts)])
    say(f"all rows are here after {since(began):.1f} s; a materialized view is over them already")
    ask(ours, "By branch", _BRANCHES)


def _follow(ours: Connection, transfers: _Transfers, accounts: int) -> bool:
    """Tells whether the sum was one whenever it was looked at."""
    scene("3. Money moves there, and each transaction is here at one time, or not at all")
    transfers.start()
    sums = set()
    for _ in range(_SIGHTS):
        ((total, count),) = ours.execute(_TOTAL.encode()).fetchall()
        sums.add((total, count))
    ask(ours, "Who paid, by a join of two mirrored tables", _PAYERS)
    ask(ours, "All transactions that commit before this place of upstream's log are here", _PROGRESS)
    say(f"the sum of all balances at {_SIGHTS} times: {', '.join(f'{total:,}' for total, _ in sorted(sums))}")
    return sums == {(accounts * _BALANCE, accounts)}


def _kill(server: DemoServer, transfers: _Transfers) -> None:
    scene("4. kill -9 of every process of Headwater, while money moves")
    before = transfers.made
    say(f"killed {', '.join(str(pid) for pid in server.kill_everything())}")
    began = clock.now_ms()
    server.start()
    say(f"started again after {since(began):.1f} s; {transfers.made - before:,} transfers were made meanwhile")


def _compare(ours: Connection, upstream: DemoPostgres, made: int) -> bool:
    _await(ours, "SELECT count(*) FROM transfers", [(made,)])
    ask(ours, "By branch, after all that", _BRANCHES)
    same = True
    with upstream.connect() as connection:
        for table in ("accounts", "transfers"):
            rows = f"SELECT * FROM {table} ORDER BY id".encode()
            same = same and ours.execute(rows).fetchall() == connection.execute(rows).fetchall()
    told = f"{made:,} transfers were made there, each is here once"
    console.print(
        f"\n[bold green]{told}, and every row is upstream's.[/]"
        if same
        else f"\n[bold red]{told}, and rows differ from upstream's![/]"
    )
    return same


def _run_all(connection: Connection, statements: str) -> None:
    for statement in statements.strip().split(";\n"):
        connection.execute(statement.encode())


def _await(ours: Connection, query: str, wanted: list[tuple[int, ...]]) -> None:
    """Returns once that is the answer; raises TimeoutError when it doesn't come."""
    began = clock.now_ms()
    while (found := ours.execute(query.encode()).fetchall()) != wanted:
        if since(began) > _PATIENCE_S:
            raise TimeoutError(f"{query}: {found}, not {wanted}")
