"""The decoder and the assembly against the real server: random transactions, encoded by it, amount to its tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from storage.sources.postgres.assembly import Assembly, TableChanges
from storage.sources.postgres.pgoutput import (
    BeginMessage,
    CommitMessage,
    Message,
    UpdateMessage,
    decode_message,
)
from storage.sources.postgres.publications import published_tables
from storage.sources.postgres.walsender import (
    Keepalive,
    PluginMessage,
    format_lsn,
    parse_frame,
    parse_lsn,
    status_frame,
)
from tests.judge import Judge
from tests.storage.sources.postgres.upstream import UpstreamDatabase, upstream_database

_TABLES = ("a", "b")
_OPTIONS = "'proto_version', '1', 'publication_names', 'p'"
_READ = f"SELECT data FROM pg_logical_slot_get_binary_changes('decoded', NULL, NULL, {_OPTIONS})"


@pytest.fixture(scope="module")
def upstream(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "pgoutput") as database:
        database.run(
            "CREATE TABLE a (k int, v text)",
            "CREATE TABLE b (k int, v text, w numeric DEFAULT 1.50)",
            "ALTER TABLE a REPLICA IDENTITY FULL",
            "ALTER TABLE b REPLICA IDENTITY FULL",
            "CREATE PUBLICATION p FOR ALL TABLES",
            "SELECT pg_create_logical_replication_slot('decoded', 'pgoutput')",
        )
        yield database


def _messages(upstream: UpstreamDatabase) -> list[Message]:
    """What the server says of all that was done since it was asked before."""
    return [decode_message(memoryview(data)) for (data,) in upstream.rows(_READ)]


def _statement(source: random.Random) -> str:
    table, key = source.choice(_TABLES), source.randrange(20)
    value = source.choice(["NULL", "''", "'x'", "'é,\"\\'", f"repeat('{key}', {source.choice([3, 9000])})"])
    match source.randrange(10):
        case 0 | 1 | 2 | 3:
            return f"INSERT INTO {table} (k, v) SELECT {key} + i, {value} FROM generate_series(1, {key}) i"
        case 4 | 5:
            return f"UPDATE {table} SET v = {value} WHERE k % 5 = {key % 5}"
        case 6:
            return f"UPDATE {table} SET k = k + 1 WHERE k > {key}"
        case 7:
            return f"DELETE FROM {table} WHERE k % 3 = {key % 3}"
        case 8:
            return "SAVEPOINT s"
        case _:
            return source.choice(
                [f"TRUNCATE {table}", "TRUNCATE a, b", f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS z{key} int"]
            )


def test_random_transactions_amount_to_the_tables(upstream: UpstreamDatabase) -> None:
    source = random.Random(1)
    tables = {table.full_name: table for table in published_tables(upstream.connection, "p")}
    for _ in range(60):
        upstream.run("BEGIN")
        for _ in range(source.randint(1, 6)):
            upstream.run(_statement(source))
            if source.random() < 0.15:
                upstream.run("SAVEPOINT t", _statement(source), "ROLLBACK TO t")
        upstream.run(source.choice(["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"]))
    held: dict[str, Counter[tuple[object, ...]]] = {name: Counter() for name in tables}
    assembly, bounds = Assembly(tables, 0), [0]
    for message in _messages(upstream):
        whole = assembly.handle(message)
        if whole is not None:
            bounds.append(whole.bound)
            for name, changes in whole.changes.items():
                _apply(held[name], changes)
    assert bounds == sorted(set(bounds)), "each transaction has a bound of its own, in their order"
    for name, rows in held.items():
        expected = Counter(
            tuple(None if value is None else value.encode() for value in row)
            for row in upstream.rows(f"SELECT {', '.join(f'{c.name}::text' for c in tables[name].columns)} FROM {name}")
        )
        assert +rows == expected
        assert min(rows.values(), default=0) >= 0


def _apply(held: Counter[tuple[object, ...]], changes: TableChanges) -> None:
    if changes.emptied:
        held.clear()
    for row, diff in zip(changes.rows, changes.diffs, strict=True):
        held[tuple(row)] += diff


def test_transactions_below_the_bound_are_passed_over(upstream: UpstreamDatabase) -> None:
    upstream.run("INSERT INTO a VALUES (1)", "INSERT INTO a VALUES (2)")
    tables = {table.full_name: table for table in published_tables(upstream.connection, "p")}
    messages = _messages(upstream)
    begun = [message.commit_lsn for message in messages if isinstance(message, BeginMessage)]
    assert begun == [message.commit_lsn for message in messages if isinstance(message, CommitMessage)]
    assembly = Assembly(tables, begun[-1])
    units = [whole for message in messages if (whole := assembly.handle(message)) is not None]
    assert [(unit.bound, list(unit.changes)) for unit in units] == [(begun[-1] + 1, ["public.a"])]


def test_old_rows_are_told_only_with_their_identity(upstream: UpstreamDatabase) -> None:
    upstream.run("CREATE TABLE c (k int PRIMARY KEY, v text)", "INSERT INTO c VALUES (1)", "UPDATE c SET k = 2")
    updates = [message for message in _messages(upstream) if isinstance(message, UpdateMessage)]
    assert updates[-1].old is None and updates[-1].new[0] == b"2"


def test_positions_and_frames_are_what_they_were() -> None:
    for lsn in (0, 1, (1 << 32) - 1, 1 << 32, (1 << 64) - 1):
        assert parse_lsn(format_lsn(lsn)) == lsn
    assert format_lsn(parse_lsn("16/B374D848")) == "16/B374D848"
    assert parse_frame(memoryview(b"w" + bytes(24) + b"B")) == PluginMessage(memoryview(b"B"))
    assert parse_frame(memoryview(b"k" + (77).to_bytes(8, "big") + bytes(8) + b"\1")) == Keepalive(77, True)
    frame = status_frame(5, 3, 946_684_800_000_009)
    assert [int.from_bytes(frame[at : at + 8], "big") for at in range(1, 33, 8)] == [5, 3, 3, 9]
    assert len(frame) == 34


def test_what_is_no_message_is_refused() -> None:
    with pytest.raises(ValueError, match="no message"):
        decode_message(memoryview(b"?"))
