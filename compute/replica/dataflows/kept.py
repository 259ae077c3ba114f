"""The arrangements of a dataflow, in a directory of its own; and the directories of dataflows that are no more.

The directory is named by what is computed. Which exports have a part in it may change from one checkpoint to the next.
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
from compute.arrangement.checkpoint import ArrangementStore, CheckpointSize, capture
from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.maintained import Kept
from compute.replica.dataflows.outputs import is_of_export
from compute.replica.dataflows.shelf import Shelf, computed_name, shelf_names
from model.time.timestamp import Timestamp
from storage.persist.runner import Runner

_ROOMS = (compute, planner.functions, planner.interpret, planner.ir, model)
"""The packages that decide what a plan's arrangements hold: how steps are maintained, and what functions answer."""


@functools.cache
def form() -> str:
    """Tells the code that makes arrangements of a plan: state that other code kept is not used.

    What a function answers and how sums are cut is in the arrangements for good, so they would go on answering what a
    mended function no longer does. The sources tell, some megabytes: a number to be raised by hand is forgotten once.
    """
    return sources_digest(Path(folder) for room in _ROOMS for folder in room.__path__)


def sources_digest(folders: Iterable[Path]) -> str:
    """Another one whenever a source below the folders has another place or another content. OSError."""
    digest = hashlib.sha256()
    for folder in folders:
        for source in sorted(folder.rglob("*.py")):
            content = source.read_bytes()
            digest.update(f"{source.relative_to(folder)} {len(content)} ".encode() + content)
    return digest.hexdigest()


class KeptState:
    """`kept` is what an earlier process left here: its upper, and by name, of each arrangement that it had, the since.
    None: all of them are empty."""

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
        """What another state had becomes part of this one."""
        self.arrangements[name] = taken = self._store.take(arrangement)
        return taken

    def drop(self, names: Iterable[str]) -> None:
        """These are no part of the state any more."""
        for name in names:
            self.arrangements.pop(name, None)

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        """Durable on return. Ticks may go on meanwhile. OSError."""
        captured = capture(self._name, upper, sinces, self.arrangements)
        return await self._runner.run(lambda: self._store.write(captured))

    async def delete(self) -> None:
        """As far as possible: what stays is deleted when a replica next asks what is to be retained."""
        await self._runner.run(lambda: shutil.rmtree(self._directory, ignore_errors=True))


class PlanningNote:
    """How often a JVM was ended because, among others, the planning of a dataflow did not end, as earlier processes
    have noted it. Other code may be able to plan it, and its note counts for nothing."""

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
        """It has happened again. OSError."""
        self._times = self.times + 1
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(f"{form()} {self._times}")

    def forget(self) -> None:
        """It is planned. OSError."""
        if self.times:
            self._times = 0
            self._path.unlink(missing_ok=True)


async def open_kept(root: Path, shelf: Shelf, layouts: Mapping[str, Layout], runner: Runner) -> KeptState:
    """What lies on the shelf, or nothing; `layouts` are of what is arranged beside what the exports keep. OSError."""

    def open_() -> KeptState:
        return _opened(root, shelf, layouts, *_place(root, shelf), runner)

    return await runner.run(open_)


async def open_found(root: Path, shelf: Shelf, runner: Runner) -> KeptState | None:
    """As `open_kept`, where it is not known yet what is arranged: what was kept tells, for the same code arranges the
    same. None when nothing was. OSError."""

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
    """The directory, its store, and the name of what it is to hold."""
    directory = root / shelf.name
    if shelf.alone is not None and not directory.exists() and (root / shelf.alone).exists():
        # Others may come to it from here on, and look for it by the name that is theirs, too.
        (root / shelf.alone).rename(directory)
    name = hashlib.sha256(f"{form()} {shelf.computed}".encode()).hexdigest()
    return directory, ArrangementStore(directory), name


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
    """Deletes what is kept of other dataflows."""
    wanted = {name for description in descriptions for name in shelf_names(description)}
    for path in root.iterdir() if root.exists() else ():
        if path.stem in wanted:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
