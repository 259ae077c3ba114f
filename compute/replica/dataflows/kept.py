"""The arrangements of a dataflow, in a place of their own.

The place is named by the computation. The exports in it may change from one checkpoint to the next.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import compute
import model
import planner.functions
import planner.interpret
import planner.ir
from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import ArrangementStore, CheckpointSize, capture
from compute.arrangement.layout import Layout
from compute.arrangement.stores import ManifestMoved
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.maintained import Kept
from compute.replica.dataflows.outputs import is_of_export
from compute.replica.dataflows.shelf import Shelf, computed_name
from compute.replica.dataflows.states import States
from model.time.timestamp import Timestamp
from storage.persist.runner import Runner

T = TypeVar("T")
_ROOMS = (compute, planner.functions, planner.interpret, planner.ir, model)
"""The packages that decide what a plan's arrangements hold: how steps are maintained, and what functions answer."""

_APART = (
    "controller",
    "replica/__main__.py",
    "replica/process",
    "replica/sinks",
    "replica/ingestions",
    "replica/peeks",
    "replica/tasks",
)
"""Parts of `compute` that decide nothing of it, since the rest imports none of them. Other code there keeps states."""


@functools.cache
def form() -> str:
    """Returns a fingerprint of the code that makes arrangements: state kept by other code is not used.

    Answers of functions and the way sums are cut stay in arrangements, which would keep answering like a function
    before its mending. The fingerprint covers some megabytes of sources: a number raised by hand would be forgotten
    once.
    """
    return sources_digest(deciding_sources())


def deciding_sources() -> list[tuple[Path, Path]]:
    """Returns the sources that decide what arrangements hold: each room's folder, and a source below it."""
    apart = {Path(folder) / each for folder in compute.__path__ for each in _APART}
    folders = (Path(folder) for room in _ROOMS for folder in room.__path__)
    found = ((folder, source) for folder in folders for source in sorted(folder.rglob("*.py")))
    return [(folder, source) for folder, source in found if apart.isdisjoint((source, *source.parents))]


def sources_digest(sources: Iterable[tuple[Path, Path]]) -> str:
    """Returns another digest whenever a source has another place below its folder, or another content. Raises
    OSError."""
    digest = hashlib.sha256()
    for folder, source in sources:
        content = source.read_bytes()
        digest.update(f"{source.relative_to(folder)} {len(content)} ".encode() + content)
    return digest.hexdigest()


class KeptState:
    """The arrangements of a dataflow.

    `kept`: the state left by an earlier process: its upper, and the since of each arrangement by name. None: all
        arrangements are empty.
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
    ) -> None:
        self.kept = kept
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


class PlanningNote:
    """Counts the JVMs ended because of endless planning, of this dataflow among others, over earlier processes.
    Notes of other code count for nothing: new code may plan the dataflow."""

    def __init__(self, root: Path, description: DataflowDescription) -> None:
        # Beside the directories, in which what no manifest names is removed.
        self._path = root / f"{computed_name(description)}.stuck"
        self._times: int | None = None

    @property
    def times(self) -> int:
        """Raises OSError."""
        if self._times is None:
            self._times = 0
            with contextlib.suppress(FileNotFoundError, ValueError):
                of, times = self._path.read_text().split()
                self._times = int(times) if of == form() else 0
        return self._times

    def once_more(self) -> None:
        """Counts one more time. Raises OSError."""
        self._times = self.times + 1
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(f"{form()} {self._times}")

    def forget(self) -> None:
        """Forgets the count after successful planning. Raises OSError."""
        if self.times:
            self._times = 0
            self._path.unlink(missing_ok=True)


async def open_kept(states: States, shelf: Shelf, layouts: Mapping[str, Layout], runner: Runner) -> KeptState:
    """Opens the state on the shelf, or an empty state; `layouts` are those beside the exports' arrangements.
    Raises OSError."""

    def open_() -> KeptState:
        return _opened(states, shelf, layouts, states.store(shelf), _name(shelf), runner)

    return await _owning(states, runner, open_)


async def open_found(states: States, shelf: Shelf, runner: Runner) -> KeptState | None:
    """Opens the state on the shelf before the plan is known, by the layouts of the state itself: equal code makes
    equal arrangements. None without a kept state. Raises OSError."""

    def open_() -> KeptState | None:
        store, name = states.store(shelf), _name(shelf)
        known = store.layouts(name)
        if known is None:
            return None
        own = {each: layout for each, layout in known.items() if not is_of_export(each)}
        state = _opened(states, shelf, own, store, name, runner)
        return None if state.kept is None else state

    return await _owning(states, runner, open_)


async def _owning(states: States, runner: Runner, work: Callable[[], T]) -> T:
    """Works on a state that this process owns, or tells that the process does not."""
    try:
        return await runner.run(work)
    except ManifestMoved as error:
        states.moved(str(error))
        raise


def _name(shelf: Shelf) -> str:
    """Returns the name of the computation, as this code carries it out."""
    return hashlib.sha256(f"{form()} {shelf.computed}".encode()).hexdigest()


def _opened(
    states: States,
    shelf: Shelf,
    layouts: Mapping[str, Layout],
    store: ArrangementStore,
    name: str,
    runner: Runner,
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
    return KeptState(store, states, shelf.name, name, (Timestamp(found.upper), sinces), found.arrangements, runner)
