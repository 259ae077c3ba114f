"""The arrangements of a dataflow, in a directory of its own; and the removal of directories of former dataflows.

The directory is named by the computation. The exports in it may change from one checkpoint to the next.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import compute
import model
import planner.functions
import planner.interpret
import planner.ir
from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import ArrangementStore, CheckpointSize, capture, local_store
from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.maintained import Kept
from compute.replica.dataflows.outputs import is_of_export
from compute.replica.dataflows.shelf import Shelf, computed_name, shelf_names
from model.time.timestamp import Timestamp
from storage.persist.runner import Runner

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
    """Returns another digest whenever a source has another place below its folder, or another content. OSError."""
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
        directory: Path,
        name: str,
        kept: Kept | None,
        arrangements: Mapping[str, Arrangement],
        runner: Runner,
    ) -> None:
        self.kept = kept
        self.arrangements = dict(arrangements)
        self._store = store
        self._directory = directory
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
        """Durable on return. Ticks may go on meanwhile. OSError."""
        captured = capture(self._name, upper, sinces, self.arrangements)
        return await self._runner.run(lambda: self._store.write(captured))

    async def delete(self) -> None:
        """Deletes the directory as far as possible; remains are deleted at the next `retain`."""
        await self._runner.run(lambda: shutil.rmtree(self._directory, ignore_errors=True))


class PlanningNote:
    """Counts the JVMs ended because of endless planning, of this dataflow among others, over earlier processes.
    Notes of other code count for nothing: new code may plan the dataflow."""

    def __init__(self, root: Path, description: DataflowDescription) -> None:
        # Beside the directories, in which what no manifest names is removed.
        self._path = root / f"{computed_name(description)}.stuck"
        self._times: int | None = None

    @property
    def times(self) -> int:
        """OSError."""
        if self._times is None:
            self._times = 0
            with contextlib.suppress(FileNotFoundError, ValueError):
                of, times = self._path.read_text().split()
                self._times = int(times) if of == form() else 0
        return self._times

    def once_more(self) -> None:
        """Counts one more time. OSError."""
        self._times = self.times + 1
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(f"{form()} {self._times}")

    def forget(self) -> None:
        """Forgets the count after successful planning. OSError."""
        if self.times:
            self._times = 0
            self._path.unlink(missing_ok=True)


async def open_kept(root: Path, shelf: Shelf, layouts: Mapping[str, Layout], runner: Runner) -> KeptState:
    """Opens the state on the shelf, or an empty state; `layouts` are those beside the exports' arrangements.
    OSError."""

    def open_() -> KeptState:
        return _opened(root, shelf, layouts, *_place(root, shelf), runner)

    return await runner.run(open_)


async def open_found(root: Path, shelf: Shelf, runner: Runner) -> KeptState | None:
    """Opens the state on the shelf before the plan is known, by the layouts of the state itself: equal code makes
    equal arrangements. None without a kept state. OSError."""

    def open_() -> KeptState | None:
        directory, store, name = _place(root, shelf)
        known = store.layouts(name)
        if known is None:
            return None
        own = {each: layout for each, layout in known.items() if not is_of_export(each)}
        state = _opened(root, shelf, own, directory, store, name, runner)
        return None if state.kept is None else state

    return await runner.run(open_)


def _place(root: Path, shelf: Shelf) -> tuple[Path, ArrangementStore, str]:
    """Returns the directory, its store, and the name of the computation."""
    directory = root / shelf.name
    if shelf.alone is not None and not directory.exists() and (root / shelf.alone).exists():
        # Others may come to it from here on, and look for it by the name that is theirs, too.
        (root / shelf.alone).rename(directory)
    name = hashlib.sha256(f"{form()} {shelf.computed}".encode()).hexdigest()
    return directory, local_store(directory), name


def _opened(
    root: Path,
    shelf: Shelf,
    layouts: Mapping[str, Layout],
    directory: Path,
    store: ArrangementStore,
    name: str,
    runner: Runner,
) -> KeptState:
    wanted = {**layouts, **shelf.exports}
    found = store.open(name, wanted, optional=shelf.exports)
    if found is None:
        arrangements = {each: store.arrangement(layout) for each, layout in wanted.items()}
        return KeptState(store, directory, name, None, arrangements, runner)
    # It died before it had removed what was left behind when an export came here.
    for each in found.sinces.keys() & shelf.own.keys():
        if directory.name != shelf.own[each]:
            shutil.rmtree(root / shelf.own[each], ignore_errors=True)
    sinces = {each: Timestamp(since) for each, since in found.sinces.items()}
    return KeptState(store, directory, name, (Timestamp(found.upper), sinces), found.arrangements, runner)


def retain_only(root: Path, descriptions: Iterable[DataflowDescription]) -> None:
    """Deletes the state of all other dataflows."""
    wanted = {name for description in descriptions for name in shelf_names(description)}
    for path in root.iterdir() if root.exists() else ():
        if path.stem in wanted:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
