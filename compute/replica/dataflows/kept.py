"""The arrangements of a dataflow, in a directory of its own; and the directories of dataflows that are no more."""

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
from compute.replica.reconcile import fingerprint, without_transient_names
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
    """`kept` is (upper, since) of what an earlier process left here; None when the arrangements are empty."""

    def __init__(
        self,
        store: ArrangementStore,
        directory: Path,
        name: str,
        kept: tuple[Timestamp, Timestamp] | None,
        arrangements: Mapping[str, Arrangement],
        runner: Runner,
    ) -> None:
        self.kept = kept
        self.given_up = False
        self.arrangements = arrangements
        self._store = store
        self._directory = directory
        self._name = name
        self._runner = runner

    async def checkpoint(self, upper: Timestamp, since: Timestamp) -> CheckpointSize:
        """Durable on return. Ticks may go on meanwhile. OSError."""
        captured = capture(self._name, upper, since, self.arrangements)
        return await self._runner.run(lambda: self._store.write(captured))

    def give_up(self) -> None:
        """The dataflow is not tried again: not by another process either."""
        self.given_up = True
        _give_up(self._directory)

    async def delete(self) -> None:
        """As far as possible: what stays is deleted when a replica next asks what is to be retained."""
        await self._runner.run(lambda: shutil.rmtree(self._directory, ignore_errors=True))


def give_up(root: Path, description: DataflowDescription) -> None:
    """As KeptState.give_up, of a dataflow that has not been opened."""
    _give_up(root / fingerprint(description))


def has_given_up(root: Path, description: DataflowDescription) -> bool:
    """Whether it was given up by the same code; other code may be able to plan it."""
    try:
        return _note(root / fingerprint(description)).read_text() == form()
    except FileNotFoundError:
        return False


def _give_up(directory: Path) -> None:
    directory.parent.mkdir(parents=True, exist_ok=True)
    _note(directory).write_text(form())


def _note(directory: Path) -> Path:
    """Beside the directory, in which what no manifest names is removed."""
    return directory.with_name(f"{directory.name}.given-up")


async def open_kept(
    root: Path, description: DataflowDescription, plan: object, layouts: Mapping[str, Layout], runner: Runner
) -> KeptState:
    """What was kept of a dataflow that computes as `plan` says, or nothing. OSError."""
    directory = root / fingerprint(description)

    def open_() -> KeptState:
        name = hashlib.sha256(f"{form()} {without_transient_names(plan)!r}".encode()).hexdigest()
        store = ArrangementStore(directory)
        found = store.open(name, layouts)
        if found is None:
            arrangements = {each: store.arrangement(layout) for each, layout in layouts.items()}
            return KeptState(store, directory, name, None, arrangements, runner)
        upper, since, arrangements = found
        return KeptState(store, directory, name, (Timestamp(upper), Timestamp(since)), arrangements, runner)

    return await runner.run(open_)


def retain_only(root: Path, descriptions: Iterable[DataflowDescription]) -> None:
    """Deletes what is kept of other dataflows."""
    wanted = {fingerprint(description) for description in descriptions}
    for path in root.iterdir() if root.exists() else ():
        if path.stem in wanted:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
