"""The replicas of several clusters, each with a disk and links of its own, which outlive environments.

What is said on a link comes in order, each word a while after it was said; what is said on several links comes in any.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from catalog.nouns.clusters import ClusterReplica
from compute.protocol.command import Command
from compute.protocol.framing import Frame
from tests.compute.in_process import InProcessHost, InProcessLink
from tests.simulation.kept_interpreted import Witness
from tests.simulation.outliving import OutlivingHost
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock

_STEPS_OF_A_LONG_LIFE = 10**9
_LIFE = 1_000


class _Late:
    """Things on their way: each comes after those before it, `lag_s` after it was sent or later."""

    def __init__(self, lag_s: Callable[[], float]) -> None:
        self._lag_s = lag_s
        self._under_way: asyncio.Queue[tuple[float, object]] = asyncio.Queue()

    def send(self, thing: object) -> None:
        self._under_way.put_nowait((asyncio.get_running_loop().time() + self._lag_s(), thing))

    async def come(self) -> object:
        due, thing = await self._under_way.get()
        await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
        return thing


class _LateResponses(asyncio.Queue[Frame | None]):
    """The responses of a link. The end of a connection is seen at once after what was said before."""

    def __init__(self, lag_s: Callable[[], float]) -> None:
        super().__init__()
        self._late = _Late(lag_s)

    def put_nowait(self, item: Frame | None) -> None:
        self._late.send(item)

    async def get(self) -> Frame | None:
        frame = await self._late.come()
        assert frame is None or isinstance(frame, Frame)
        return frame


class LateLink(InProcessLink):
    """A link both of whose directions take `lag_s`."""

    def __init__(self, host: InProcessHost, number: int, lag_s: Callable[[], float]) -> None:
        super().__init__(host, number, None)
        self.responses = _LateResponses(lag_s)
        self._commands = _Late(lag_s)
        self._carrying = asyncio.create_task(self._carry_late())

    def send(self, command: Command, encoded: bytes | None = None) -> None:
        self._commands.send(command)

    async def _carry_late(self) -> None:
        while True:
            command = await self._commands.come()
            assert isinstance(command, Command)
            await self._host.going.wait()
            self._host.take(self.number, command)


class ClusterHost(OutlivingHost):
    """A replica. `lag_s`: so long a word to it or from it takes at most, at present."""

    def __init__(self, places: Places, clock: VirtualClock, source: random.Random, root: Path) -> None:
        self.lag_s = 0.0
        self._random = source
        super().__init__(
            _LIFE, places, clock, source, root, lambda: _STEPS_OF_A_LONG_LIFE, _nobody_minds, transit_s=lambda: 0.0
        )
        self.root = root

    def _link(self, number: int) -> InProcessLink:
        return LateLink(self, number, self._lag)

    def _lag(self) -> float:
        return self._random.random() * self.lag_s

    async def take_away(self) -> None:
        """Ends it for good, with its disk."""
        self.available = False
        self.crash()
        await asyncio.to_thread(shutil.rmtree, self.root, ignore_errors=True)


class ClusterPlaces:
    """Implements ReplicaPlaces. `hosts` are those of the replicas that there are, by oid; `first` is that of the
    first cluster's one."""

    def __init__(
        self, places: Places, clock: VirtualClock, source: random.Random, root: Path, witness: Witness
    ) -> None:
        self._own = (places, clock, source)
        self._witness = witness
        self._root = root
        self.hosts: dict[int, ClusterHost] = {}
        self.first = self._host("first")

    def _host(self, name: str) -> ClusterHost:
        host = ClusterHost(*self._own, self._root / name)
        host.witness = self._witness
        return host

    def host(self, replica: ClusterReplica) -> ClusterHost:
        if replica.oid not in self.hosts:
            self.hosts[replica.oid] = self._host(str(replica.oid))
        return self.hosts[replica.oid]

    async def clear(self, replica: ClusterReplica) -> None:
        host = self.hosts.pop(replica.oid, None)
        if host is not None:
            await host.take_away()

    async def sweep(self, kept: Sequence[ClusterReplica]) -> None:
        """Removes what dropped replicas have left, whose processes end by themselves."""
        for oid in self.hosts.keys() - {each.oid for each in kept}:
            await self.hosts.pop(oid).take_away()

    @property
    def all(self) -> list[ClusterHost]:
        return [self.first, *self.hosts.values()]

    def lose(self, life: int) -> None:
        """The environment of this life is no more, nor are its connections."""
        for host in self.all:
            host.lose(life)


def _nobody_minds() -> None:
    """Dies of no step."""
