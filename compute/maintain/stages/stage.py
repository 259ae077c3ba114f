"""The inputs and the output of a step in a tick, in the form shared by all stages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pyarrow as pa
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.by_partition import PartitionWork
from compute.kernels.rares import RareColumn, rare_layout
from compute.maintain.arranged import rares_name
from compute.maintain.change import Change
from compute.maintain.segments import SegmentQuery
from compute.maintain.stages.keyed import KeyedQuery
from compute.maintain.stages.streams import Stream
from compute.operators.accumulable import Rare
from compute.spark.session import Profile
from model.time.timestamp import Timestamp


@dataclass(frozen=True, slots=True)
class StageInput:
    """The query of one input, with the layout of its arrangement, or None if not arranged. Equal inputs have equal
    names.

    `rares` are arranged separately, under a name of their own.
    """

    name: str
    query: SegmentQuery
    layout: Layout | None
    rares: tuple[Rare, ...] = ()

    @classmethod
    def of(cls, name: str, keyed: KeyedQuery) -> Self:
        """Makes the input of a keyed query."""
        return cls(name, keyed.query, keyed.layout, keyed.rares)

    @property
    def layouts(self) -> list[tuple[str, Layout]]:
        """Returns the layouts of the input's arrangements, by name."""
        if self.layout is None:
            return []
        own = [(self.name, self.layout)]
        return [*own, (self.rares_name, rare_layout(self.layout))] if self.rares else own

    @property
    def rares_name(self) -> str:
        return rares_name(self.name)

    @property
    def rare_columns(self) -> tuple[RareColumn, ...]:
        return tuple(RareColumn(each.name, each.count) for each in self.rares)


@dataclass(frozen=True, slots=True)
class Turn:
    """A stage's part in a tick over the times from `lower` until before `upper`, which `starts` the dataflow or not.

    `touched`: rows have come into what the stage arranges. `arrangements` are the dataflow's, by name. `tell` makes
    known what the change of one of the stage's further views is. `empty_answer` asks for the stage's answer for a group
    without rows, as one row of c0…, err. `scratch` is a directory that Spark's executors see too.
    """

    touched: bool
    lower: Timestamp
    upper: Timestamp
    starts: bool
    arrangements: Mapping[str, Arrangement]
    sessions: Mapping[Profile, SparkSession]
    scratch: Path
    tell: Callable[[str, Change], None]
    empty_answer: Callable[[], pa.Table]


@dataclass(frozen=True, slots=True)
class TickStage(ABC):
    """The work of one step: its inputs, each with a query, and the stream made from them."""

    inputs: tuple[StageInput, ...]
    stream: Stream

    @property
    def layouts(self) -> list[tuple[str, Layout]]:
        """Returns the layouts of the stage's arrangements, by name."""
        return [named for each in self.inputs for named in each.layouts]

    @property
    def asks_only(self) -> bool:
        """Returns whether the stage needs nothing from Spark but the answers to its inputs' queries."""
        return True

    @property
    def work(self) -> PartitionWork | None:
        """Returns the stage's kernel, if partitions can be worked on each by itself."""
        return None

    @abstractmethod
    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        """Yields the change of the stream that follows from the tick's changes in the arrangements."""
