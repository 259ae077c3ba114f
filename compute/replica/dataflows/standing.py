"""Where a dataflow is: its runner opens it, its ticks move it on, its reports tell of it."""

from __future__ import annotations

from dataclasses import dataclass

from compute.replica.dataflows.opening import OpenedDataflow
from model.time.antichain import Antichain


@dataclass(slots=True)
class DataflowStanding:
    """The standing of one runner's dataflow.

    `number`: by which the watch knows the dataflow
    `upper`: the exports are complete up to here
    `opened`: the dataflow while it is open
    `heading`: the end of the tick that is about to begin, or under way
    `reading`: the versions of the inputs that the tick under way reads
    `finished`: the inputs are complete, or nobody has a shard for the exports any more
    """

    number: int
    upper: Antichain
    opened: OpenedDataflow | None = None
    heading: Antichain | None = None
    reading: dict[str, int] | None = None
    finished: bool = False

    def end_tick(self) -> None:
        """Notes that no tick is under way."""
        self.reading = None
        self.heading = None

    def checkpoint(self) -> None:
        """Begins to write the arrangements down, if that is due."""
        if self.opened is not None and (extent := self.opened.extent(self.upper)) is not None:
            self.opened.checkpoints.begin_if_due(*extent)
