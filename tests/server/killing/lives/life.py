"""One kind of life on a server that is killed: what is written, what a look must find, and what clients are.

begin      clients write, each time until `end`
watch      looks once, while they write
doomed     the server will be killed now
killed     it has been, and nothing runs
end        clients end, with another server running or the same
look       waits until all is there that was written, and looks at it
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

import psycopg

from tests.polling import polls
from tests.server_process import ServerDatabase

Connection = psycopg.Connection[tuple[Any, ...]]
Work = Callable[[threading.Event], None]
PAUSE_MAX_S = 0.1
"""Of a client between two writes: others live on the server, too."""
_PATIENCE_S = 240.0


class Life:
    """A life that does nothing; `name` is its database's."""

    name = ""

    def set_up(self, connection: Connection) -> None:
        """Makes what is written and read."""

    def begin(self, database: ServerDatabase) -> None:
        """Begins to write."""

    def watch(self, connection: Connection) -> None:
        """Looks once, while others write."""

    @property
    def has_lived(self) -> bool:
        """Tells whether so much has been written since `begin` that a kill has something to destroy."""
        return True

    def doomed(self) -> None:
        """Hears that the server is killed next."""

    def killed(self) -> None:
        """Hears that the server was killed, and is not started yet."""

    def end(self) -> None:
        """Ends what `begin` began."""

    def look(self, database: ServerDatabase) -> None:
        """Finds all that was acknowledged, and nothing else, once nobody writes."""


class Clients:
    """Threads of one life. A failure of one fails the test, where they are stopped."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._failures: list[BaseException] = []

    def start(self, works: Iterable[Work]) -> None:
        """Has each of these go on until its event is set, or it ends by itself."""
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(work, self._stop)) for work in works]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive(), "a client hangs"
        self._threads.clear()
        assert not self._failures, self._failures

    def _run(self, work: Work, stop: threading.Event) -> None:
        try:
            work(stop)
        except BaseException as failure:  # noqa: BLE001  told where the clients are stopped
            self._failures.append(failure)


def one(connection: Connection, sql: str) -> tuple[Any, ...]:
    """Returns the first row of an answer."""
    row = connection.execute(sql.encode()).fetchone()
    assert row is not None, sql
    return tuple(row)


def await_rows(connection: Connection, sql: str, wanted: Callable[[list[tuple[Any, ...]]], bool]) -> None:
    """Asks until the answer is as wanted."""
    found: list[tuple[Any, ...]] = []
    for _ in polls(_PATIENCE_S):
        found = connection.execute(sql.encode()).fetchall()
        if wanted(found):
            return
    raise AssertionError(f"{sql}: {found}")
