"""Dataflows that the interpreter computes and that keep their state on a disk, as those on Spark do: real directories,
shelves and checkpoints, and ticks that go together in rounds. What they hold of their inputs is arranged; the rest of
the state is what the definition says of that.

Each step that a death may come between is taken from `Steps`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import CheckpointSize
from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.exports.error_log import LAYOUT
from compute.replica.dataflows.kept import KeptState, open_kept
from compute.replica.dataflows.maintained import Company, Input, Kept, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.states import States
from compute.replica.dataflows.together import Together
from compute.replica.running.places import Places
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, arrow_type, rows_from_arrow
from model.time.timestamp import Timestamp, step_back
from tests.compute.dataflows.interpreted import HeldContents, Interpreted, settled
from tests.compute.dataflows.mortal import Steps
from tests.compute.dataflows.rounds import Given, InlineRounds, go_in_round


@dataclass(slots=True)
class Witness:
    """What is to happen in simulations: so many exports were `taken`, so often several were `resumed` as one, and
    so many states were `copied`."""

    taken: int = 0
    resumed: int = 0
    copied: int = 0


class KeptInterpreted(Interpreted):
    def __init__(
        self,
        description: DataflowDescription,
        computation: Computation,
        state: KeptState,
        places: Places,
        steps: Steps,
        together: Together,
        witness: Witness,
    ) -> None:
        super().__init__(description, computation, {}, places)
        self._witness = witness
        self._state = state
        self._steps = steps
        self._together = together
        if state.kept is not None:
            upper, _ = state.kept
            self._inputs = {id_: self._found(id_, step_back(upper)) for id_ in self._imports}
            self._outputs = {
                output: self._evaluated(output, self._inputs, step_back(upper)) for output in computation.outputs
            }
            self._upper = upper

    @property
    def kept(self) -> Kept | None:  # type: ignore[override]
        return self._state.kept

    @property
    def copied_from(self) -> str:
        return self._state.copied_from

    @property
    def company(self) -> Company:
        return Company.TOGETHER

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        return self._state.arrangements

    def _own(self) -> Iterable[Arrangement]:
        return (self._state.arrangements[name] for id_ in self._imports for name in _names(id_))

    def _found(self, id_: GlobalId, time: Timestamp) -> HeldContents:
        contents = HeldContents()
        rows, errors = (self._state.arrangements[name] for name in _names(id_))
        for chunk in rows.rows(time) if rows.size.rows else ():
            found = map(settled, rows_from_arrow(chunk, self._imports[id_].desc))
            contents.rows += Counter(dict(zip(found, chunk.column(DIFF_COLUMN).to_pylist(), strict=True)))
        for chunk in errors.rows(time) if errors.size.rows else ():
            contents.errors += Counter(dict(zip(*(chunk.column(name).to_pylist() for name in ("c0", DIFF_COLUMN)))))
        return contents

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        await self._steps.step()
        given = Given()
        read = await super().tick(inputs, lower, upper, given)
        rows = await go_in_round(self._together, self._steps, given, outputs, read)
        await self._steps.step()
        return rows

    async def _read(self, id_: GlobalId, input_: Input) -> tuple[pa.Table, pa.Table]:
        found = await super()._read(id_, input_)
        for name, table in zip(_names(id_), found, strict=True):
            arrangement = self._state.arrangements[name]
            hashes = pa.array([0] * table.num_rows, pa.int64())
            columns = [hashes, *(column.combine_chunks() for column in table.columns)]
            arrangement.insert(pa.table(columns, schema=arrangement.layout.schema))
        return found

    async def seal(self) -> None:
        await self._steps.step()
        await super().seal()
        for arrangement in self._own():
            arrangement.seal()
        await self._steps.step()

    async def discard(self) -> None:
        await super().discard()
        for arrangement in self._own():
            arrangement.discard()

    def take(self, name: str, arrangement: Arrangement) -> Arrangement:
        self._steps.survives()
        self._witness.taken += 1
        return self._state.take(name, arrangement)

    def drop(self, names: Iterable[str]) -> None:
        self._state.drop(names)

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        await self._steps.step()
        size = await self._state.checkpoint(upper, sinces)
        await self._steps.step()
        return size

    async def delete(self) -> None:
        await self._steps.step()
        await self._state.delete()


class KeptMaintenance:
    """State lies in `states`, outputs of rounds below `root`."""

    def __init__(self, places: Places, root: Path, states: States, steps: Steps, witness: Witness) -> None:
        self._places = places
        self._states = states
        self._steps = steps
        self._together = Together(InlineRounds(), root / "rounds")  # type: ignore[arg-type]
        self._witness = witness

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> KeptInterpreted:
        await self._steps.step()
        layouts: dict[str, Layout] = {}
        for item in description.imports:
            rows, errors = _names(item.id)
            layouts |= {rows: Layout((), tuple(map(arrow_type, item.desc.types))), errors: LAYOUT}
        state = await open_kept(self._states, shelf, layouts, self._places.runner)
        exports = {name for name in shelf.exports if state.kept is not None and name in state.kept[1]}
        self._witness.copied += bool(state.copied_from)
        self._witness.resumed += len(exports & shelf.own.keys()) > 1
        own = (self._steps, self._together, self._witness)
        return KeptInterpreted(description, computation, state, self._places, *own)

    async def retain(self, descriptions: tuple[DataflowDescription, ...]) -> None:
        self._states.retain(descriptions)


def _names(id_: GlobalId) -> tuple[str, str]:
    """The arrangements of an import's rows and of its errors."""
    return f"rows of {id_}", f"errors of {id_}"
