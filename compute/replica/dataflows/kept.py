"""The arrangements of a dataflow, in a directory of its own; and the directories of dataflows that are no more.

The directory is named by what is computed. Which exports have a part in it may change from one checkpoint to the next.
"""

from __future__ import annotations

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
from compute.replica.dataflows.shelf import Shelf, computed_name, shelf_names
from model.timestamp import Timestamp
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
        given_up_note: Path,
        kept: Kept | None,
        arrangements: Mapping[str, Arrangement],
        runner: Runner,
    ) -> None:
        self.kept = kept
        self.given_up = False
        self.arrangements = dict(arrangements)
        self._store = store
        self._directory = directory
        self._name = name
        self._given_up_note = given_up_note
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

    def give_up(self) -> None:
        """The dataflow is not tried again: not by another process either."""
        self.given_up = True
        _give_up(self._given_up_note)

    async def delete(self) -> None:
        """As far as possible: what stays is deleted when a replica next asks what is to be retained."""
        await self._runner.run(lambda: shutil.rmtree(self._directory, ignore_errors=True))


def give_up(root: Path, description: DataflowDescription) -> None:
    """As KeptState.give_up, of a dataflow that has not been opened."""
    _give_up(_note(root, computed_name(description)))


def has_given_up(root: Path, description: DataflowDescription) -> bool:
    """Whether it was given up by the same code; other code may be able to plan it."""
    try:
        return _note(root, computed_name(description)).read_text() == form()
    except FileNotFoundError:
        return False


def _give_up(note: Path) -> None:
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(form())


def _note(root: Path, computed: str) -> Path:
    """Beside the directories, in which what no manifest names is removed."""
    return root / f"{computed}.given-up"


async def open_kept(root: Path, shelf: Shelf, layouts: Mapping[str, Layout], runner: Runner) -> KeptState:
    """What lies on the shelf, or nothing; `layouts` are of what is arranged beside what the exports keep. OSError."""

    def open_() -> KeptState:
        directory, note = root / shelf.name, _note(root, shelf.computed)
        if shelf.alone is not None and not directory.exists() and (root / shelf.alone).exists():
            # Others may come to it from here on, and look for it by the name that is theirs, too.
            (root / shelf.alone).rename(directory)
        name = hashlib.sha256(f"{form()} {shelf.computed}".encode()).hexdigest()
        store = ArrangementStore(directory)
        wanted = {**layouts, **shelf.exports}
        found = store.open(name, wanted, optional=shelf.exports)
        if found is None:
            arrangements = {each: store.arrangement(layout) for each, layout in wanted.items()}
            return KeptState(store, directory, name, note, None, arrangements, runner)
        # It died before it had removed what was left behind when an export came here.
        for each in found.sinces.keys() & shelf.own.keys():
            if directory.name != shelf.own[each]:
                shutil.rmtree(root / shelf.own[each], ignore_errors=True)
        sinces = {each: Timestamp(since) for each, since in found.sinces.items()}
        kept = (Timestamp(found.upper), sinces)
        return KeptState(store, directory, name, note, kept, found.arrangements, runner)

    return await runner.run(open_)


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
