"""A turn of leading: the environment, and the lease that is kept from before it opens until all of it has ended.

    lease kept -> environment opened -> … -> environment closed -> lease kept no longer -> lease given up

Replicas take a while to end. Were the lease let go first, a standby would take over beside them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from server.environment.environment import Environment
from server.start.bootstrap import close_environment
from timeline.fence import Fenced
from timeline.lease import Lease


@dataclass(frozen=True, slots=True)
class TurnOfLeading:
    """`keeping` is one of the environment's tasks: a lost lease ends the turn."""

    environment: Environment
    lease: Lease
    keeping: asyncio.Task[None]

    async def end(self, *, fenced: bool) -> None:
        """Closes the environment, then gives the lease up. A `fenced` one leaves replica and lease to its successor;
        one that gives way to a standby, its replica."""
        environment = self.environment
        environment.tasks.remove(self.keeping)
        await close_environment(environment, leave_replica=fenced or self.lease.asked.is_set())
        await _let_go(self.lease, self.keeping, fenced=fenced)
        await environment.storage.consensus.close()
        await environment.storage.blob.close()


async def begin_turn(lease: Lease, opening: Awaitable[Environment]) -> TurnOfLeading:
    """Keeps the lease while the environment opens, and on; gives it up when opening fails or is cancelled."""
    keeping = asyncio.create_task(lease.keep(), name="lease")
    try:
        environment = await opening
    except BaseException as error:
        await _let_go(lease, keeping, fenced=isinstance(error, Fenced))
        raise
    environment.tasks.append(keeping)
    return TurnOfLeading(environment, lease, keeping)


async def abandon(opening: asyncio.Task[TurnOfLeading]) -> None:
    """Ends a turn that may have begun already, or is just beginning."""
    opening.cancel()
    (begun,) = await asyncio.gather(opening, return_exceptions=True)
    if isinstance(begun, TurnOfLeading):
        await begun.end(fenced=False)


async def _let_go(lease: Lease, keeping: asyncio.Task[None], *, fenced: bool) -> None:
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    if not fenced:
        await lease.give_up()
