"""Dataflows as the interpreter computes them: all of the view anew at each time at which an input changes.

The obvious way, in plain Python and in memory: what the simulation runs, and what the clever way is held against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import CheckpointSize
from compute.arrangement.layout import Layout
from compute.maintain.planning.determinism import reads_now
from compute.protocol.dataflow import DataflowDescription
from compute.replica.contents.fallible import ERRORS, split_errors
from compute.replica.dataflows.direct import at_times_of
from compute.replica.dataflows.maintained import Company, Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.running.places import Places
from compute.scalars.failure import encode_error
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.updates.update import Update, updates_from_arrow, updates_to_arrow
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.scalar import SessionName
from planner.ir.visit import scalars_of, walk_relation
from storage.persist.snapshot import read_piece

_NAN = float("nan")
Item = TypeVar("Item")


@dataclass(slots=True)
class HeldContents:
    """A collection at a time: how often each row and each error is there."""

    rows: Counter[Row] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)

    def copy(self) -> HeldContents:
        return HeldContents(self.rows.copy(), self.errors.copy())


class Interpreted:
    """A dataflow in memory: nothing is kept, so it begins anew in each process."""

    def __init__(
        self,
        description: DataflowDescription,
        computation: Computation,
        layouts: Mapping[str, Layout],
        places: Places,
    ) -> None:
        self._imports = {item.id: item for item in description.imports}
        self._computation = computation
        self._relations = dict(computation.objects)
        self._places = places
        nodes = [node for relation in self._relations.values() for node in walk_relation(relation)]
        self._timed = any(reads_now(scalar) for node in nodes for scalar in scalars_of(node))
        self._arrangements = {name: Arrangement(layout) for name, layout in layouts.items()}
        self._inputs = {id_: HeldContents() for id_ in self._imports}
        self._outputs = {id_: HeldContents() for id_ in computation.outputs}
        self._next: tuple[dict[GlobalId, HeldContents], dict[GlobalId, HeldContents], Timestamp] | None = None
        self._upper: Timestamp | None = None

    @property
    def kept(self) -> None:
        return None

    @property
    def copied_from(self) -> str:
        return ""

    @property
    def consolidates(self) -> bool:
        return True

    @property
    def company(self) -> Company:
        return Company.ALONE

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        return self._arrangements

    async def prepared(self) -> None:
        return

    @property
    def stuck(self) -> bool:
        return False

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        rows: dict[GlobalId, list[Update]] = {}
        errors: dict[GlobalId, list[tuple[str, int, int]]] = {}
        for id_, input_ in inputs.items():
            updates, failed = await self._read(id_, input_)
            rows[id_] = updates_from_arrow(updates, self._imports[id_].desc)
            errors[id_] = [(e["err"], e["time"], e["diff"]) for e in failed.to_pylist()]
        times = {update.time for each in rows.values() for update in each}
        times |= {Timestamp(time) for each in errors.values() for _, time, _ in each}
        if self._upper is None:
            times.add(lower)
        if self._timed:
            times |= set(map(Timestamp, range(lower, upper)))
        now = {id_: contents.copy() for id_, contents in self._inputs.items()}
        before = self._outputs
        for time in sorted(times):
            for id_ in inputs:
                _apply(now[id_].rows, ((settled(u.row), u.diff) for u in rows[id_] if u.time == time))
                _apply(now[id_].errors, ((error, diff) for error, at, diff in errors[id_] if at == time))
            after = {output: self._evaluated(output, now, time) for output in self._computation.outputs}
            for output, contents in after.items():
                self._give(output, before[output], contents, time, outputs)
            before = after
        self._next = now, before, upper
        return TickRows(sum(map(len, rows.values())) + sum(map(len, errors.values())), 0)

    async def share_read(self) -> float:
        return 1.0

    async def waits_for(self) -> str:
        return ""

    async def _read(self, id_: GlobalId, input_: Input) -> tuple[pa.Table, pa.Table]:
        tables = [
            at_times_of(
                input_, await read_piece(piece, input_.desc, input_.shard, self._places.blob, self._places.runner)
            )
            for piece in (*input_.parts, *input_.inline)
        ]
        whole = updates_to_arrow([], input_.desc)
        return split_errors(self._imports[id_], pa.concat_tables([whole, *tables]))

    def _evaluated(self, output: GlobalId, inputs: Mapping[GlobalId, HeldContents], time: Timestamp) -> HeldContents:
        """The output as its definition says."""
        contents = HeldContents()
        for id_ in self._computation.imports_of[output]:
            contents.errors.update(inputs[id_].errors)

        def collection(id_: GlobalId) -> Iterable[Row]:
            if id_ in inputs:
                return inputs[id_].rows.elements()
            return evaluate_relation(self._relations[id_], context)

        context = EvaluationContext(session={SessionName.MZ_NOW: time}, collections=collection)
        try:
            contents.rows.update(map(settled, collection(output)))
        except SqlError as error:
            contents.errors[encode_error(error)] += 1
        return contents

    def _give(
        self, output: GlobalId, before: HeldContents, after: HeldContents, time: Timestamp, outputs: Outputs
    ) -> None:
        desc = relation_desc_of(self._relations[output])
        rows = [Update(row, time, diff) for row, diff in _difference(before.rows, after.rows)]
        if rows:
            outputs.take(output, updates_to_arrow(rows, desc))
        errors = [(error, time, diff) for error, diff in _difference(before.errors, after.errors)]
        if errors:
            outputs.take_errors(output, pa.Table.from_arrays([*map(pa.array, zip(*errors))], schema=ERRORS))

    async def seal(self) -> None:
        assert self._next is not None, "there was no tick"
        self._inputs, self._outputs, self._upper = self._next
        self._next = None

    async def discard(self) -> None:
        self._next = None

    def next_due(self) -> Timestamp | None:
        return self._upper if self._timed else None

    def take(self, name: str, arrangement: Arrangement) -> Arrangement:
        self._arrangements[name] = arrangement
        return arrangement

    def drop(self, names: Iterable[str]) -> None:
        for name in names:
            self._arrangements.pop(name, None)

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        """Nothing to keep: what begins anew, at the inputs' sinces, is as good as what would come back."""
        return CheckpointSize(0, 0)

    async def close(self) -> None:
        return

    async def delete(self) -> None:
        return


class InterpretedMaintenance:
    """Opens dataflows that the interpreter computes."""

    def __init__(self, places: Places) -> None:
        self._places = places

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        return Interpreted(description, computation, shelf.exports, self._places)

    async def retain(self, descriptions: tuple[DataflowDescription, ...]) -> None:
        return


def _apply(contents: Counter[Item], updates: Iterable[tuple[Item, int]]) -> None:
    for item, diff in updates:
        contents[item] += diff
        if contents[item] == 0:
            del contents[item]


def _difference(before: Counter[Item], after: Counter[Item]) -> Iterator[tuple[Item, int]]:
    for item in before.keys() | after.keys():
        if before[item] != after[item]:
            yield item, after[item] - before[item]


def settled(row: Row) -> Row:
    """The row with one NaN for all, so that it is found again."""
    return tuple(_NAN if isinstance(datum, float) and datum != datum else datum for datum in row)
