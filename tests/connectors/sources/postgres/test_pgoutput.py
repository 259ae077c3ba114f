"""The decoder and the assembly against the real server: random transactions, encoded by it, amount to its tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from connectors.postgres.source.assembly import Assembly, TableChanges
from connectors.postgres.source.pgoutput import (
    BeginMessage,
    CommitMessage,
    Message,
    StreamAbortMessage,
    StreamCommitMessage,
    StreamStartMessage,
    StreamStopMessage,
    UpdateMessage,
    decode_message,
    decode_streamed,
)
from connectors.postgres.source.publications import published_tables
from connectors.postgres.source.walsender import (
    Keepalive,
    PluginMessage,
    format_lsn,
    parse_frame,
    parse_lsn,
    status_frame,
)
from tests.connectors.sources.postgres.upstream import UpstreamDatabase, upstream_database
from tests.judge import Judge

_TABLES = ("a", "b")
_WHOLE, _STREAMED = "'proto_version', '1'", "'proto_version', '2', 'streaming', 'on'"


@pytest.fixture(scope="module")
def upstream(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "pgoutput") as database:
        database.run(
            "CREATE TABLE a (k int, v text)",
            "CREATE TABLE b (k int, v text, w numeric DEFAULT 1.50)",
            "ALTER TABLE a REPLICA IDENTITY FULL",
            "ALTER TABLE b REPLICA IDENTITY FULL",
            "CREATE PUBLICATION p FOR ALL TABLES",
            "SET logical_decoding_work_mem = '64kB'",
            "SELECT pg_create_logical_replication_slot('decoded', 'pgoutput')",
        )
        yield database


def _not_altered(_name: str, _xid: int) -> None:
    """All tables stand as they were."""


def _messages(upstream: UpstreamDatabase, options: str = _WHOLE) -> list[tuple[Message, int]]:
    """What the server says of all that was done since it was asked before, and of which subtransactions."""
    read = f"pg_logical_slot_get_binary_changes('decoded', NULL, NULL, 'publication_names', 'p', {options})"
    messages: list[tuple[Message, int]] = []
    streaming = False
    for (data,) in upstream.rows(f"SELECT data FROM {read}"):
        messages.append(decode_streamed(memoryview(data)) if streaming else (decode_message(memoryview(data)), 0))
        if isinstance(messages[-1][0], StreamStartMessage | StreamStopMessage):
            streaming = isinstance(messages[-1][0], StreamStartMessage)
    return messages


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
    assembly, bounds = Assembly(tables, 0, _not_altered), [0]
    for message, _ in _messages(upstream):
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


def _large_statement(source: random.Random, table: str) -> str:
    value, key = source.choice(["'x'", "NULL", "repeat('ab', 150)"]), source.randrange(400)
    match source.randrange(12):
        case 0 | 1 | 2 | 3 | 4:
            return f"INSERT INTO {table} (k, v) SELECT i, {value} FROM generate_series(1, {source.choice([3, 400])}) i"
        case 5 | 6:
            return f"UPDATE {table} SET v = {value} WHERE k % 7 = {key % 7}"
        case 7 | 8:
            return f"DELETE FROM {table} WHERE k > {key}"
        case 9:
            return f"TRUNCATE {table}"
        case 10:
            return f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS z{key % 40} int DEFAULT {key}"
        case _:
            return "SAVEPOINT kept"


@pytest.mark.parametrize("spilling", [False, True])
def test_large_transactions_come_in_portions_between_each_other(
    judge: Judge, upstream: UpstreamDatabase, spilling: bool
) -> None:
    """Each has a table of its own, so that they don't wait for each other; what is rolled back is left out."""
    source = random.Random(2 + spilling)
    upstream.run("TRUNCATE a, b")
    _messages(upstream)
    tables = {table.full_name: table for table in published_tables(upstream.connection, "p") if table.name in _TABLES}
    with judge.connect(upstream.name) as one, judge.connect(upstream.name) as two:
        for _ in range(25):
            for each in (one, two):
                each.execute("BEGIN")
            for _ in range(source.randint(4, 14)):
                each, table = source.choice([(one, "a"), (two, "b")])
                each.execute(_large_statement(source, table).encode())
                if source.random() < 0.3:
                    each.execute("SAVEPOINT t")
                    for _ in range(source.randint(1, 3)):
                        each.execute(_large_statement(source, table).encode())
                    each.execute("ROLLBACK TO t")
            for each in (one, two):
                each.execute(source.choice([b"COMMIT", b"COMMIT", b"COMMIT", b"ROLLBACK"]))
    held: dict[str, Counter[tuple[object, ...]]] = {name: Counter() for name in tables}
    assembly, bounds = Assembly(tables, 0, _not_altered), [0]
    messages = _messages(upstream, _STREAMED)
    for message, xid in messages:
        whole = assembly.handle(message, xid)
        if spilling and source.random() < 0.02:
            assembly.spill_streams()
        if whole is not None:
            assert not whole.stopped
            bounds.append(whole.bound)
            parts = {name: changes.columns(tables[name]) for name, changes in whole.changes.items() if changes.rows}
            emptied = {name for name, changes in whole.changes.items() if changes.emptied}
            if whole.spilled is not None:
                emptied, parts = whole.spilled.emptied, dict(whole.spilled.taken())
            for name in emptied:
                held[name].clear()
            for name, part in parts.items():
                known = len(tables[name].columns)
                for *row, error, diff in zip(*(column.to_pylist() for column in part.columns), strict=True):
                    assert error is None
                    # Behind the columns stand the decimals of numerics.
                    held[name][tuple(row[:known])] += diff
    assert bounds == sorted(set(bounds)), "each transaction has a bound of its own, in their order"
    kinds = Counter(type(message) for message, _ in messages)
    assert min(kinds[each] for each in (StreamCommitMessage, StreamAbortMessage, CommitMessage)) > 3, kinds
    for name, rows in held.items():
        columns = ", ".join(column.name for column in tables[name].columns)
        assert +rows == Counter(upstream.rows(f"SELECT {columns} FROM {name}")), name
        assert min(rows.values(), default=0) >= 0


def test_a_large_transaction_stops_a_table_only_when_it_counts(judge: Judge, upstream: UpstreamDatabase) -> None:
    upstream.run("CREATE TABLE d (k int, v text)", "ALTER TABLE d REPLICA IDENTITY FULL")
    _messages(upstream)
    tables = {table.full_name: table for table in published_tables(upstream.connection, "p") if table.name == "d"}
    many = "INSERT INTO d SELECT i, repeat('x', 300) FROM generate_series(1, 1000) i"
    dropped = ("ALTER TABLE d DROP COLUMN v", "INSERT INTO d SELECT generate_series(1, 5000)")
    upstream.run("BEGIN", many, "SAVEPOINT s", *dropped, "ROLLBACK TO s", many, "COMMIT")
    upstream.run("BEGIN", many, *dropped, "ROLLBACK")
    upstream.run("INSERT INTO d VALUES (7, 'seven')")
    upstream.run("BEGIN", many, *dropped, "COMMIT", "INSERT INTO d VALUES (8)")
    assembly = Assembly(tables, 0, _not_altered)
    units = [
        whole for message, xid in _messages(upstream, _STREAMED) if (whole := assembly.handle(message, xid)) is not None
    ]
    counted = [
        sum(len(each.diffs) for each in unit.changes.values())
        + (0 if unit.spilled is None else sum(part.num_rows for part in unit.spilled.taken().values()))
        for unit in units
    ]
    assert [
        (count, list(unit.stopped)) for count, unit in zip(counted, units, strict=True) if count or unit.stopped
    ] == [
        (2000, []),
        (1, []),
        (0, ["public.d"]),
    ]


def test_transactions_below_the_bound_are_passed_over(upstream: UpstreamDatabase) -> None:
    upstream.run("INSERT INTO a VALUES (1)", "INSERT INTO a VALUES (2)")
    tables = {table.full_name: table for table in published_tables(upstream.connection, "p")}
    messages = [message for message, _ in _messages(upstream)]
    begun = [message.commit_lsn for message in messages if isinstance(message, BeginMessage)]
    assert begun == [message.commit_lsn for message in messages if isinstance(message, CommitMessage)]
    assembly = Assembly(tables, begun[-1], _not_altered)
    units = [whole for message in messages if (whole := assembly.handle(message)) is not None]
    assert [(unit.bound, list(unit.changes)) for unit in units] == [(begun[-1] + 1, ["public.a"])]


def test_old_rows_are_told_only_with_their_identity(upstream: UpstreamDatabase) -> None:
    upstream.run("CREATE TABLE c (k int PRIMARY KEY, v text)", "INSERT INTO c VALUES (1)", "UPDATE c SET k = 2")
    updates = [message for message, _ in _messages(upstream) if isinstance(message, UpdateMessage)]
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
