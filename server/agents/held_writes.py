"""Transactions of writes in two calls: the first runs the statements and tells what they would change, the second
commits. A transaction whose second call does not come within a minute is rolled back.

No row is locked between the calls: COMMIT is refused (40001) where what the transaction has read has changed since.
Tables are locked as by every open transaction: what reads and writes rows goes on, and what changes or drops the tables
waits.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Randomness
from server.agents.asking import AgentSession, AgentSessions, Caller, anything, require_change
from server.agents.changes import told_changes
from server.api.sql_requests import SqlQuery

HELD_S = 60.0
OF_USER_MAX, ALL_MAX = 4, 50


@dataclass(slots=True)
class _Held:
    """A transaction between its two calls."""

    user: str
    session: AgentSession
    places: contextlib.ExitStack
    timer: asyncio.TimerHandle


class HeldWrites:
    """The transactions that wait for their second call, by a name that nobody can guess."""

    def __init__(self, sessions: AgentSessions, randomness: Randomness, held_s: float = HELD_S) -> None:
        self._sessions = sessions
        self._randomness = randomness
        self._held_s = held_s
        self._held: dict[str, _Held] = {}
        self._lost: dict[str, tuple[str, SqlError]] = {}
        """The users of transactions that were ended from outside, the last of them, and why they were."""
        self._running: Counter[str] = Counter()
        self._ending: set[asyncio.Task[None]] = set()

    async def preview(
        self, caller: Caller, statements: Sequence[str], rows_max: int, timeout_ms: int
    ) -> dict[str, Any]:
        """Runs statements in a transaction, within a time for all of them, and keeps it open. Returns the results, the
        changes, and the name under which it is committed. Raises SqlError of the first statement that fails, after
        rolling back."""
        self._require_room(caller.user)
        with contextlib.ExitStack() as places, self._counted(caller.user):
            # What ends the session later must not end this call's connection, which may serve others by then.
            held = replace(caller, abort=lambda: None)
            options = {"statement_timeout": str(timeout_ms), "default_transaction_isolation": "serializable"}
            session = await self._sessions.opened(held, places, options, reads_only=False)
            try:
                told = await _run_within(timeout_ms, session, statements, rows_max)
                if session.ended is not None:
                    raise session.ended
            except BaseException:
                await session.close()
                raise
            name = self._randomness.token()
            timer = asyncio.get_running_loop().call_later(self._held_s, self._give_up, name)
            self._held[name] = _Held(caller.user, session, places.pop_all(), timer)
            session.when_ended(lambda: self._lose(name))
        return told | {"transaction": name, "given_up_after_s": self._held_s}

    def _require_room(self, user: str) -> None:
        """Raises SqlError 53300 where too many transactions wait, or run for the first time."""
        of_user = sum(each.user == user for each in self._held.values()) + self._running[user]
        if of_user >= OF_USER_MAX or len(self._held) + self._running.total() >= ALL_MAX:
            message = "too many transactions wait for their commit"
            raise SqlError(Sqlstate.TOO_MANY_CONNECTIONS, message, hint="Commit or discard one of them.")

    @contextlib.contextmanager
    def _counted(self, user: str) -> Iterator[None]:
        """Counts a transaction while its statements run."""
        self._running[user] += 1
        try:
            yield
        finally:
            self._running[user] -= 1
            if not self._running[user]:
                del self._running[user]

    async def commit(self, caller: Caller, name: str) -> dict[str, Any]:
        """Commits a transaction of the same user. Raises SqlError 40001 where what it has read has changed; it is over
        in any case."""
        return await self._ended(self._taken(caller, name), "COMMIT")

    async def discard(self, caller: Caller, name: str) -> dict[str, Any]:
        """Rolls back a transaction of the same user."""
        return await self._ended(self._taken(caller, name), "ROLLBACK")

    async def close(self) -> None:
        """Rolls back all transactions that wait: the server ends."""
        for name in tuple(self._held):
            self._give_up(name)
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _taken(self, caller: Caller, name: str) -> _Held:
        """Removes a waiting transaction and returns it. Raises SqlError 25P01 if the user has none of this name, or the
        error that ended the transaction from outside.
        """
        held = self._held.get(name)
        user, why = self._lost.get(name, (None, None))
        if why is not None and user == caller.user:
            del self._lost[name]
            raise why
        if held is None or held.user != caller.user:
            message = "there is no such transaction"
            hint = f"A transaction waits {self._held_s:g} seconds for its commit."
            raise SqlError(Sqlstate.NO_ACTIVE_SQL_TRANSACTION, message, hint=hint)
        held.timer.cancel()
        return self._held.pop(name)

    async def _ended(self, held: _Held, statement: str) -> dict[str, Any]:
        with held.places:
            try:
                if held.session.ended is not None:
                    raise held.session.ended
                answer = await held.session.run((SqlQuery(statement),), 1, anything)
                if answer.error is not None:
                    raise answer.error
                return {"ok": answer.results[0]["ok"]}
            finally:
                await held.session.close()

    def _lose(self, name: str) -> None:
        """Gives up a transaction whose session was ended from outside, if it still waits."""
        held = self._held.get(name)
        if held is None or held.session.ended is None:
            return
        self._lost[name] = held.user, held.session.ended
        if len(self._lost) > ALL_MAX:
            del self._lost[next(iter(self._lost))]
        self._give_up(name)

    def _give_up(self, name: str) -> None:
        held = self._held.pop(name)
        held.timer.cancel()
        task = asyncio.create_task(self._close(held), name="give up an agent's transaction")
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _close(self, held: _Held) -> None:
        with held.places:
            await held.session.close()


async def _run_within(
    timeout_ms: int, session: AgentSession, statements: Sequence[str], rows_max: int
) -> dict[str, Any]:
    """Runs statements. Raises SqlError 57014 where they take longer together."""
    try:
        async with asyncio.timeout(timeout_ms / 1000) as limit:
            return await _run(session, statements, rows_max)
    except TimeoutError:
        if not limit.expired():
            raise
        message = f"canceling the transaction: its statements have taken {timeout_ms} ms together"
        raise SqlError(Sqlstate.QUERY_CANCELED, message) from None


async def _run(session: AgentSession, statements: Sequence[str], rows_max: int) -> dict[str, Any]:
    begun = await session.run((SqlQuery("BEGIN"),), 1, anything)
    answer = begun
    if begun.error is None:
        answer = await session.run([SqlQuery(each) for each in statements], rows_max, require_change, whole=True)
    if answer.error is not None:
        raise answer.error
    transaction = session.session.transactions.current
    assert transaction is not None, "BEGIN has begun one, and nothing has ended it"
    newest, role = session.session.environment.catalog.state, session.session.asker.role
    context = session.session.text_context
    changes = await told_changes(transaction, newest, role, context, rows_max, answer.bytes_left)
    return {"results": answer.results, "changes": changes}
