"""Prepares results for the wire: rows that can be interrupted, and end after the commit.

An implicit transaction commits before the end of its last statement is sent: before a command's tag, after the last
batch of rows, at the end of COPY's input.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace

from model.text.context import ObjectNames
from model.types.datum import Row
from server.environment.environment import Environment
from server.ledgers.counting.session_counters import SessionCounters
from server.pgwire.backend import CopyIn, CopyOut, Rows, StatementResult
from server.session.copying import CommittingReceiver
from server.session.interruption import Interruption
from server.settings.object_names import names_objects
from server.writes.committing import cover


class WireResults:
    """Prepares one session's results. `end_implicit` commits its implicit transaction; `names` prints names of
    objects."""

    def __init__(
        self,
        environment: Environment,
        counters: SessionCounters,
        interruption: Interruption,
        names: ObjectNames,
        end_implicit: Callable[[], Awaitable[None]],
    ) -> None:
        self._environment = environment
        self._counters = counters
        self._interruption = interruption
        self._names = names
        self._end_implicit = end_implicit

    async def told(self, result: StatementResult, *, last: bool, alone: bool) -> StatementResult:
        """Returns the result for the wire. The `last` result of a message commits the implicit transaction before its
        end. `alone`: the message has no other result.
        """
        match result:
            case Rows(whole=whole) if whole is None or (last and not alone):
                # Rows print as their transaction has it, and fail before it commits what came before them.
                return self.named(replace(result, batches=self.guarded(result, commit=last), whole=None))
            case Rows():
                await self.cover_sequences()
                if last:
                    await self._end_implicit()
                return self.named(result)
            case CopyOut():
                return replace(result, batches=self.guarded(result, commit=last))
            case CopyIn() if last:
                return replace(result, receiver=CommittingReceiver(result.receiver, self._end_implicit))
            case _:
                if last:
                    await self._end_implicit()
                return result

    def named(self, result: Rows) -> Rows:
        """Adds the names of objects to a result whose columns print any."""
        return replace(result, names=self._names) if names_objects(result.desc) else result

    async def cover_sequences(self) -> None:
        """Returns once no restart can give out again what the statement has taken from sequences."""
        if not self._environment.counters.covered(self._counters.reservation):
            await self._interruption.run(cover(self._environment))

    async def guarded(self, result: Rows | CopyOut, *, commit: bool) -> AsyncIterator[Sequence[Row]]:
        """Yields the batches of a result; each can be interrupted by a cancel request or a timeout."""
        source = aiter(result.batches)
        begun = False
        try:
            while True:
                if begun and result.live is not None:
                    # statement_timeout bounds how long a subscription takes to begin, not how long it goes on.
                    self._interruption.lift_timeout()
                try:
                    batch = await self._interruption.run(anext(source))
                except StopAsyncIteration:
                    break
                begun = True
                await self.cover_sequences()
                yield batch
        finally:
            closing = getattr(source, "aclose", None)
            if closing is not None:
                await closing()
        if commit:
            await self._end_implicit()
