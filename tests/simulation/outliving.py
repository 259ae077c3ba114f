"""A replica with a disk of its own that outlives environments, as the process of its own that it is, and that dies at
one of the steps it takes; then another one begins on the same disk."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from contextvars import copy_context
from pathlib import Path

import pyarrow as pa

from compute.controller.link import Link
from compute.protocol.command import SIBLINGS, Command, CreateInstance, Peek
from compute.protocol.siblings import StatesPlace, decode_siblings
from compute.replica.dataflows.states import LocalStates
from compute.replica.tasks.dataflows import Dataflows
from compute.replica.tasks.events import Event
from tests.compute.dataflows.mortal import MortalConsensus, Steps
from tests.compute.in_process import InProcessHost, interpreted_dataflows
from tests.simulation.incarnation import LIFE, SeededRandomness, evaluator
from tests.simulation.kept_interpreted import KeptMaintenance, Witness
from tests.simulation.places import Forwarding, OwnBlob, OwnConsensus, Places
from tests.simulation.virtual_time import VirtualClock
from tests.storage.unreliable import Faults, UnreliableConsensus
from timeline.fence import FENCE_KEY


class FencedWrites(Forwarding):
    """Consensus as replicas write it: nothing without the fence of an environment."""

    def __init__(self, places: Places) -> None:
        super().__init__(places.consensus)
        self._places = places

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        done = await super().compare_and_set(expected, writes)
        if done and writes and FENCE_KEY not in expected:
            self._places.violations.append(f"a replica wrote {sorted(writes)} without a fence")
        return done


class _FatalSteps(Steps):
    """`die` is called when the fatal step is taken."""

    def __init__(self, fatal: int, die: Callable[[], None]) -> None:
        super().__init__(fatal)
        self._die = die

    def survives(self) -> bool:
        died_before = self.dead.is_set()
        survives = super().survives()
        if not survives and not died_before:
            asyncio.get_running_loop().call_soon(self._die)
        return survives


class OutlivingHost(InProcessHost):
    """`fatal` says how many steps the next replica takes; `died` is told that one has died of that. Its tasks belong to
    life `number`."""

    def __init__(
        self,
        number: int,
        places: Places,
        clock: VirtualClock,
        source: random.Random,
        root: Path,
        fatal: Callable[[], int],
        died: Callable[[], None],
        transit_s: Callable[[], float] | None = None,
    ) -> None:
        self.faults = Faults()
        self.witness = Witness()
        self._context = copy_context()
        self._context.run(LIFE.set, number)
        self._places = places
        self._clock = clock
        self._source = source
        self._root = root
        self._fatal = fatal
        self._died = died
        self._kept = LocalStates(root / "kept")
        self._steps: Steps | None = None
        self._own: OwnConsensus | None = None
        self._life_of: dict[int, int] = {}
        super().__init__(self._evaluate_peek, self._open_own, transit_s=transit_s)

    @property
    def states(self) -> StatesPlace | None:
        return StatesPlace(str(self._kept.root))

    def _configured(self, parameters: dict[str, str]) -> None:
        if SIBLINGS in parameters:
            self._kept.know_siblings(decode_siblings(parameters[SIBLINGS]))

    async def _evaluate_peek(self, instance: CreateInstance, peek: Peek) -> Iterable[pa.RecordBatch]:
        assert self._own is not None
        return await evaluator(self._own, self._places.blob, self._clock)(instance, peek)

    def _open_own(self, instance: CreateInstance, on: Callable[[Event], None]) -> Dataflows:
        """Another process begins."""
        randomness = SeededRandomness(self._source)
        steps = self._steps = _FatalSteps(self._fatal(), lambda: self._die(steps))
        unreliable = UnreliableConsensus(FencedWrites(self._places), self._clock, randomness, self.faults)
        self._kept = LocalStates(self._root / "kept")
        self._own = OwnConsensus(MortalConsensus(unreliable, steps))
        open_ = interpreted_dataflows(
            self._own,
            OwnBlob(self._places.blob),
            self._clock,
            randomness,
            maintenance=lambda places: KeptMaintenance(places, self._root, self._kept, steps, self.witness),
        )
        return open_(instance, on)

    def _die(self, steps: Steps) -> None:
        if steps is self._steps:
            self.crash()
            self._died()

    def crash(self) -> None:
        if self._steps is not None and self._own is not None:
            self._own.dead = True
            self._steps.dead.set()
            self._steps = None
        self._context.copy().run(super().crash)

    def lose(self, life: int) -> None:
        """The environment of this life is no more, nor are its connections."""
        for number in [number for number, of in self._life_of.items() if of == life]:
            self.leave(number)

    async def connect(self) -> Link:
        link = await super().connect()
        self._life_of[self._accepted] = LIFE.get()
        return link

    def take(self, number: int, command: Command) -> None:
        self._context.copy().run(super().take, number, command)

    def leave(self, number: int) -> None:
        self._life_of.pop(number, None)
        self._context.copy().run(super().leave, number)
