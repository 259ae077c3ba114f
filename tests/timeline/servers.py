"""Servers of one consensus, in virtual time."""

from __future__ import annotations

import asyncio
import random

from tests.simulation.incarnation import SeededRandomness
from tests.simulation.virtual_time import VirtualClock, VirtualLoop
from tests.storage.memory import MemoryConsensus
from timeline.fence import Fence, raise_fence
from timeline.lease import Lease, take_over

LEASE_MS = 3_000


class Servers:
    """Leads with a new lease of LEASE_MS, and stands by, as often as it is told.

    `standbys_ms`: the option of those that stand by.
    """

    standbys_ms = LEASE_MS

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self.clock = VirtualClock(self.loop)
        self.consensus = MemoryConsensus()
        self.randomness = SeededRandomness(random.Random(0))

    async def lease(self) -> tuple[Fence, Lease]:
        """Raises the fence, and returns it with a lease that nobody keeps yet."""
        fence = await raise_fence(self.consensus, self.randomness)
        return fence, Lease(self.consensus, fence, self.clock, LEASE_MS)

    async def look(self) -> None:
        """Finds everything readable."""

    def stands_by(self, lost: int = 0) -> asyncio.Task[Fence]:
        taking = take_over(self.consensus, self.clock, self.randomness, self.standbys_ms, self.look, lost=lost)
        return asyncio.create_task(taking)
