"""The arrangements of a dataflow, in a place of their own.

The place is named by the computation. The exports in it may change from one checkpoint to the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import structlog

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import ArrangementStore, CheckpointSize, capture
from compute.arrangement.layout import Layout
from compute.arrangement.stores import ManifestMoved
from compute.maintain.step_numbers import CONTENTS
from compute.replica.dataflows.maintained import Kept
from compute.replica.dataflows.outputs import is_of_export
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.states import States
from model.time.timestamp import Timestamp
from storage.persist.runner import Runner

T = TypeVar("T")

log = structlog.get_logger()


class KeptState:
    """The arrangements of a dataflow.

    `kept`: the state left by an earlier process: its upper, and the since of each arrangement by name. None: all
        arrangements are empty.
    `copied_from`: the replica whose state was copied; empty for any other state.
    """

    def __init__(
        self,
        store: ArrangementStore,
        states: States,
        place: str,
        name: str,
        kept: Kept | None,
        arrangements: Mapping[str, Arrangement],
        runner: Runner,
        copied_from: str = "",
    ) -> None:
        self.kept = kept
        self.copied_from = copied_from
        self.arrangements = dict(arrangements)
        self._store = store
        self._states = states
        self._place = place
        self._name = name
        self._runner = runner

    def take(self, name: str, arrangement: Arrangement) -> Arrangement:
        """Takes an arrangement of another state into this state."""
        self.arrangements[name] = taken = self._store.take(arrangement)
        return taken

    def drop(self, names: Iterable[str]) -> None:
        """Removes arrangements from the state."""
        for name in names:
            self.arrangements.pop(name, None)

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        """Writes a checkpoint, durable on return. Ticks may go on meanwhile. Raises OSError."""
        captured = capture(self._name, upper, sinces, self.arrangements)
        return await _owning(self._states, self._runner, lambda: self._store.write(captured))

    async def delete(self) -> None:
        """Deletes the state as far as possible; remains are deleted at the next `retain`."""
        await self._runner.run(lambda: self._states.delete(self._place))


async def open_kept(states: States, shelf: Shelf, layouts: Mapping[str, Layout], runner: Runner) -> KeptState:
    """Opens the state on the shelf, or an empty state; `layouts` are those beside the exports' arrangements.
    Raises OSError."""

    def open_() -> KeptState:
        name = _name(shelf)
        store, sibling = _store_or_copy(states, shelf, name)
        return _opened(states, shelf, layouts, store, name, runner, sibling)

    return await _owning(states, runner, open_)


async def open_found(states: States, shelf: Shelf, runner: Runner) -> KeptState | None:
    """Opens the state on the shelf before Spark has planned its queries, by the layouts of the state itself. None
    without a kept state. Raises OSError."""

    def open_() -> KeptState | None:
        name = _name(shelf)
        store, sibling = _store_or_copy(states, shelf, name)
        known = store.layouts(name)
        if known is None:
            return None
        own = {each: layout for each, layout in known.items() if not is_of_export(each)}
        state = _opened(states, shelf, own, store, name, runner, sibling)
        return None if state.kept is None else state

    return await _owning(states, runner, open_)


def _store_or_copy(states: States, shelf: Shelf, name: str) -> tuple[ArrangementStore, str]:
    """Returns the store of a shelf, and the sibling of which the state is a copy, made now; empty without a copy."""
    store = states.store(shelf)
    if store.layouts(name) is not None:
        return store, ""
    sibling = states.copy(shelf, name)
    if sibling is None:
        return store, ""
    log.info("a sibling's state is copied", shelf=shelf.name, sibling=sibling)
    return states.store(shelf), sibling


async def _owning(states: States, runner: Runner, work: Callable[[], T]) -> T:
    """Works on a state that this process owns, or tells that the process does not."""
    try:
        return await runner.run(work)
    except ManifestMoved as error:
        states.moved(str(error))
        raise


def _name(shelf: Shelf) -> str:
    """Returns the name of the computation and of how it is carried out: what arrangements hold hangs on nothing
    else."""
    return hashlib.sha256(f"{CONTENTS} {shelf.computed} {shelf.carried_out}".encode()).hexdigest()


def _opened(
    states: States,
    shelf: Shelf,
    layouts: Mapping[str, Layout],
    store: ArrangementStore,
    name: str,
    runner: Runner,
    sibling: str,
) -> KeptState:
    wanted = {**layouts, **shelf.exports}
    found = store.open(name, wanted, optional=shelf.exports)
    if found is None:
        arrangements = {each: store.arrangement(layout) for each, layout in wanted.items()}
        return KeptState(store, states, shelf.name, name, None, arrangements, runner)
    # It died before it had removed what was left behind when an export came here.
    for each in found.sinces.keys() & shelf.own.keys():
        if shelf.name != shelf.own[each]:
            states.delete(shelf.own[each])
    sinces = {each: Timestamp(since) for each, since in found.sinces.items()}
    kept = Timestamp(found.upper), sinces
    return KeptState(store, states, shelf.name, name, kept, found.arrangements, runner, sibling)
