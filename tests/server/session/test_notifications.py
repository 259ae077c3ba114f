"""LISTEN and NOTIFY, beside PostgreSQL's: what is told, in which order, how often, and when."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from model.errors.sql_error import SqlError
from server.ledgers.notifications import Listener, Listeners, ListeningChange, Note, PendingNotes, checked_note
from server.pgwire.messages import NoticeResponse, NotificationResponse
from tests.judge import Judge
from tests.server.memory_server import memory_server

_Connect = Callable[[], "psycopg.Connection[Any]"]
_Told = list[tuple[int, str, str]]


@pytest.fixture(scope="module")
def ours() -> Iterator[_Connect]:
    with memory_server() as server:
        yield server.connect


class _Sessions:
    """Sessions by number on one of the servers, and what each of them is told."""

    def __init__(self, connect: _Connect, stack: contextlib.ExitStack) -> None:
        self._opened = [stack.enter_context(contextlib.closing(connect())) for _ in range(3)]
        self._pids = [each.info.backend_pid for each in self._opened]
        self._told: list[_Told] = [[] for _ in self._opened]
        for number, each in enumerate(self._opened):
            each.autocommit = True
            each.add_notify_handler(lambda note, number=number: self._hear(number, note))  # type: ignore[misc]

    def _hear(self, number: int, note: psycopg.Notify) -> None:
        self._told[number].append((self._pids.index(note.pid), note.channel, note.payload))

    def run(self, script: str) -> list[object]:
        """Returns the answers of a script's statements, each behind its session's number, and what was told."""
        answers: list[object] = []
        for line in script.strip().splitlines():
            number, _, sql = line.strip().partition(" ")
            try:
                cursor = self._opened[int(number)].execute(sql.encode())
                answers.append((cursor.statusmessage, cursor.fetchall() if cursor.description else None))
            except psycopg.Error as error:
                answers.append((error.sqlstate, error.diag.message_primary))
        return answers

    def told(self) -> list[_Told]:
        """Returns what the sessions have been told, once each has answered a last statement outside transactions."""
        for each in self._opened:
            each.execute("ROLLBACK")
            each.execute("SELECT 1")
        return self._told


_SCRIPTS = {
    "to others and to oneself": """
        0 LISTEN news
        1 LISTEN news
        1 LISTEN other
        2 NOTIFY news, 'one'
        1 NOTIFY news
        0 NOTIFY "News", 'to nobody'
        2 NOTIFY other, 'ä'
        0 SELECT pg_notify('news', 'by a function')
        1 SELECT * FROM pg_listening_channels() ORDER BY 1
    """,
    "at commit, once, in order": """
        0 LISTEN a
        0 LISTEN b
        1 BEGIN
        1 NOTIFY b, '1'
        1 NOTIFY a, '2'
        1 NOTIFY b, '1'
        1 SELECT pg_notify('a', i::text) FROM generate_series(1, 5) AS i
        2 NOTIFY a, 'between'
        0 SELECT 1
        1 COMMIT
        0 SELECT 1
    """,
    "rolled back": """
        0 LISTEN a
        1 BEGIN
        1 NOTIFY a, 'gone'
        1 ROLLBACK
        1 BEGIN
        1 NOTIFY a, 'kept'
        1 SAVEPOINT s
        1 NOTIFY a, 'gone too'
        1 LISTEN a
        1 NOTIFY a, 'kept'
        1 ROLLBACK TO s
        1 NOTIFY a, 'after'
        1 COMMIT
        1 BEGIN
        1 NOTIFY a, 'failed'
        1 SELECT 1 / 0
        1 COMMIT
        1 SELECT * FROM pg_listening_channels()
    """,
    "listening begins and ends at commit": """
        0 BEGIN
        0 LISTEN a
        0 SELECT * FROM pg_listening_channels()
        1 NOTIFY a, 'too early'
        0 NOTIFY a, 'own'
        0 COMMIT
        0 BEGIN
        0 UNLISTEN a
        0 NOTIFY a, 'no longer'
        1 NOTIFY a, 'still'
        0 COMMIT
        1 NOTIFY a, 'too late'
        0 LISTEN a
        0 LISTEN b
        0 LISTEN a
        0 UNLISTEN nothing
        0 UNLISTEN *
        0 SELECT * FROM pg_listening_channels()
        0 LISTEN c
        0 DISCARD ALL
        1 NOTIFY c
    """,
    "within a transaction nothing is told": """
        0 LISTEN a
        0 BEGIN
        0 SELECT 1
        1 NOTIFY a, 'first'
        0 SELECT 1
        1 NOTIFY a, 'second'
        0 COMMIT
        0 SELECT 1
    """,
    "what cannot be": """
        0 SELECT pg_notify('', 'x')
        0 SELECT pg_notify(NULL, 'x')
        0 SELECT pg_notify('a', NULL)
        0 SELECT pg_notify(repeat('x', 63), 'x')
        0 SELECT pg_notify(repeat('x', 64), 'x')
        0 SELECT pg_notify('a', repeat('x', 7999))
        0 SELECT pg_notify('a', repeat('x', 8000))
        0 SELECT pg_notify('a', repeat('ä', 4000))
        0 LISTEN 'a'
        0 LISTEN a.b
        0 BEGIN READ ONLY
        0 NOTIFY a, 'may be told'
        0 COMMIT
    """,
}


@pytest.mark.parametrize("script", _SCRIPTS)
def test_sessions_are_told_as_by_postgresql(script: str, ours: _Connect, judge: Judge) -> None:
    with contextlib.ExitStack() as stack:
        one, theirs = _Sessions(ours, stack), _Sessions(judge.connect, stack)
        assert one.run(_SCRIPTS[script]) == theirs.run(_SCRIPTS[script])
        assert one.told() == theirs.told()


def test_a_session_is_told_while_it_is_idle_and_no_longer_once_it_has_gone(ours: _Connect) -> None:
    with contextlib.closing(ours()) as listening, contextlib.closing(ours()) as other:
        listening.execute("LISTEN news")
        with contextlib.closing(ours()) as gone:
            gone.execute("LISTEN news")
        other.execute("NOTIFY news, 'now'")
        (note,) = listening.notifies(timeout=20, stop_after=1)
        assert (note.channel, note.payload, note.pid) == ("news", "now", other.info.backend_pid)


class _Client:
    def __init__(self) -> None:
        self.told: list[str] = []
        self.ended: SqlError | None = None
        self.taking = True
        self.sent_bytes = 0

    def set_parameter(self, name: str, value: str) -> None: ...

    def notify(self, message: NoticeResponse | NotificationResponse) -> None:
        assert isinstance(message, NotificationResponse)
        self.told.append(message.payload)

    def terminate(self, error: SqlError) -> None:
        self.ended = error


def _pending(*notes: Note, listen: str | None = None) -> PendingNotes:
    made = PendingNotes()
    for note in notes:
        made.add(note)
    if listen is not None:
        made.changes.append(ListeningChange(listen, begins=True))
    return made


def _many(name: str) -> list[Note]:
    return [checked_note("news", f"{name} {number}".ljust(5_000)) for number in range(100)]


async def test_who_does_not_read_or_stays_in_a_transaction_is_ended_and_delays_nobody() -> None:
    everybody = Listeners()
    deaf, busy, awake = _Client(), _Client(), _Client()
    deaf.taking = False
    listeners = [Listener(deaf, lambda: True), Listener(busy, lambda: False), Listener(awake, lambda: True)]
    for listener in listeners:
        await everybody.publish(1, listener, _pending(listen="news"))
    for round_ in range(20):
        await everybody.publish(1, listeners[2], _pending(*_many(str(round_))))
    assert len(awake.told) == 2_000 and awake.ended is None
    for client in (deaf, busy):
        assert client.ended is not None and client.ended.sqlstate == "54000"
    assert not busy.told and len(deaf.told) < 2_000


async def test_transactions_are_told_one_after_the_other_though_others_have_their_turn() -> None:
    everybody = Listeners()
    clients = [_Client() for _ in range(100)]
    listeners = [Listener(client, lambda: True) for client in clients]
    for listener in listeners:
        await everybody.publish(1, listener, _pending(listen="news"))
    first = asyncio.create_task(everybody.publish(1, listeners[0], _pending(*_many("a"))))
    await asyncio.sleep(0)
    second = asyncio.create_task(everybody.publish(2, listeners[0], _pending(*_many("b"))))
    await asyncio.sleep(0)
    # The client of the first is gone; its transaction has been committed all the same.
    first.cancel()
    await second
    assert first.cancelled()
    expected = [note.payload for note in (*_many("a"), *_many("b"))]
    assert all(client.told == expected for client in clients)


def test_the_notes_of_a_transaction_are_bounded() -> None:
    pending = PendingNotes()
    with pytest.raises(SqlError) as raised:
        for number in range(10_000):
            pending.add(checked_note("news", f"{number}".ljust(7_000)))
    assert raised.value.sqlstate == "54000"
    held = len(pending.notes)
    assert 1_000 < held < 10_000
    pending.cut((0, 0))
    for number in range(held):
        pending.add(checked_note("news", f"{number}".ljust(7_000)))
