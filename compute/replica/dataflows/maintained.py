"""The computation of a dataflow, as its runner sees it: Spark over arrangements, or, in tests, the interpreter."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import CheckpointSize
from compute.executors.task_done import ExportDone
from compute.maintain.wide import ExportTarget
from compute.protocol.dataflow import DataflowDescription
from compute.protocol.measures import StepMeasure
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage.persist.snapshot import Changes, Snapshot

Input = Snapshot | Changes
"""What an import contributes to a tick: its contents at as_of to the first one, its changes to any other."""


Kept = tuple[Timestamp, Mapping[str, Timestamp]]
"""The upper of a state that is kept, and by name, for each arrangement that it has, from when on that is exact."""


class Company(Enum):
    """The way of a tick beside others: FREE ticks compute nothing, and need no turn; TOGETHER ticks are small, and
    many run at once; few ALONE ticks run at once."""

    FREE = auto()
    TOGETHER = auto()
    ALONE = auto()


class StateMisfits(Exception):
    """A kept state is not what its plan asks for, though their names agree: it is to be made anew."""


class Outputs(Protocol):
    """Takes what a tick gives. May be called in another thread than the event loop's."""

    def take(self, output: GlobalId, updates: pa.Table) -> None:
        """Takes updates of an output: c0…, time, diff."""
        ...

    def targets(self, output: GlobalId) -> Mapping[str, ExportTarget]:
        """Returns the exports of an output by name, if tasks may write all of them; else none."""
        ...

    def adopt(self, output: GlobalId, done: Mapping[str, Sequence[ExportDone]]) -> None:
        """Takes what tasks have written for the exports of an output, in the order of hashes."""
        ...

    def take_errors(self, output: GlobalId, errors: pa.Table) -> None:
        """Takes an output's errors: err (text), time, diff."""
        ...


@dataclass(frozen=True, slots=True)
class TickRows:
    """The rows that a tick has read, from inputs and arrangements, and written into its arrangements.

    `steps`: what each step of its plan has done. `export_tasks`: the tasks that have written its exports.
    """

    read: int
    written: int
    steps: tuple[StepMeasure, ...] = ()
    export_tasks: int = 0


class Maintained(Protocol):
    """One opened dataflow: its state is a sealed and kept state, or empty.

    Ticks follow each other without gaps. A tick's work is provisional until `seal`; `discard` takes it back.
    """

    @property
    def kept(self) -> Kept | None:
        """The state that was found; None: the dataflow is to begin anew."""
        ...

    @property
    def copied_from(self) -> str:
        """Returns the replica of which the found state is a copy; empty for any other state."""
        ...

    @property
    def consolidates(self) -> bool:
        """Returns whether each table of a tick has equal updates added up."""
        ...

    @property
    def company(self) -> Company:
        """Returns the way to run the next tick beside those of other dataflows."""
        ...

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        """All by name. Whoever asked for some beside the dataflow's own inserts, seals and discards there."""
        ...

    async def prepared(self) -> None:
        """Returns once ticks can be computed: a state that was kept may be read before. Raises SqlError,
        StateMisfits."""
        ...

    @property
    def stuck(self) -> bool:
        """Returns whether the running tick keeps a thread that does not return: no other tick should wait for it."""
        ...

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        """Computes the outputs at times in [lower, upper). After an exception, nothing has happened."""
        ...

    async def share_read(self) -> float:
        """Returns the share of the inputs that the running tick has read: from 0 to 1."""
        ...

    async def waits_for(self) -> str:
        """Returns what the running tick waits for that does not come by itself; empty of a tick that goes on."""
        ...

    async def seal(self) -> None:
        """Seals the last tick, whose work is done."""
        ...

    async def discard(self) -> None:
        """Discards the last tick, which did not happen; idempotent."""
        ...

    def next_due(self) -> Timestamp | None:
        """Returns when an output may change though no input does."""
        ...

    def take(self, name: str, arrangement: Arrangement) -> Arrangement:
        """Takes an arrangement of another dataflow's exports; returns the arrangement that now has its contents."""
        ...

    def drop(self, names: Iterable[str]) -> None:
        """Drops arrangements of exports that nobody wants any more."""
        ...

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        """Keeps what is sealed now, durably on return: complete up to `upper`, and what exports keep, by name, exact
        from these times on.

        Called between ticks; ticks may go on meanwhile. OSError: the last checkpoint stands.
        """
        ...

    async def close(self) -> None:
        """Releases everything except kept state."""
        ...

    async def delete(self) -> None:
        """Closes, and deletes kept state."""
        ...


class DataflowMaintenance(Protocol):
    """Opens dataflows."""

    def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Awaitable[Maintained]:
        """Opens a maintained dataflow; `number` is unique to the process; the state lies on the shelf, with what
        exports keep.

        Raises SqlError, OSError.
        """
        ...

    async def retain(self, descriptions: tuple[DataflowDescription, ...]) -> None:
        """Deletes kept state of all other dataflows."""
        ...
