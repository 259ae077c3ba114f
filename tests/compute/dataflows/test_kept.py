"""What an earlier process kept of a dataflow is gone on with only where the same code kept it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pyarrow as pa
import pytest

from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows import kept
from compute.replica.dataflows.kept import (
    PlanningNote,
    deciding_sources,
    form,
    open_kept,
    sources_digest,
)
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.states import LocalStates
from model.time.timestamp import Timestamp
from planner.ir.relation import Get
from storage.persist.runner import InlineRunner
from tests.compute.dataflows.world import DESC, World, describe, index_on
from tests.compute.dataflows.worlds import run
from tests.tidy.sources import ROOT, imported_modules, package_sources

_VIEW, _INDEX = 2, 3


async def keep(root: Path) -> Callable[[], Awaitable[object]]:
    """Keeps a state; what is found of it is told by what is returned."""
    layouts = {"arranged": Layout((pa.int64(),), ())}

    async def found() -> object:
        return (await open_kept(LocalStates(root), Shelf("shelf", "computed"), layouts, InlineRunner())).kept

    state = await open_kept(LocalStates(root), Shelf("shelf", "computed"), layouts, InlineRunner())
    await state.checkpoint(Timestamp(20), {"arranged": Timestamp(10)})
    return found


def test_a_state_that_older_code_kept_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(_: World) -> None:
        found = await keep(tmp_path)
        assert await found() == (20, {"arranged": 10})
        monkeypatch.setattr(kept, "form", lambda: "what the sources were before")
        assert await found() is None

    run(scenario)


def test_it_is_noted_how_often_the_same_code_has_ended_a_jvm_over_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(world: World) -> None:
        item = await world.table(1)
        description = describe([item], (_VIEW, Get(item.id, DESC)), [index_on(_INDEX, _VIEW)])
        other = describe([item], (_VIEW, Get(item.id, DESC)), [index_on(_INDEX + 1, _VIEW)])

        def times(of: DataflowDescription) -> int:
            return PlanningNote(tmp_path, of).times

        for ended in (1, 2, 3):
            PlanningNote(tmp_path, description).once_more()
            LocalStates(tmp_path).retain([description])
            assert times(description) == ended and times(other) == 0
        with monkeypatch.context() as patched:
            patched.setattr(kept, "form", lambda: "what the sources are later")
            assert times(description) == 0
        PlanningNote(tmp_path, description).forget()
        assert times(description) == 0, "it was planned"
        PlanningNote(tmp_path, description).once_more()
        LocalStates(tmp_path).retain([other])
        assert times(description) == 0, "nobody wants it any more"

    run(scenario)


def test_the_form_tells_of_every_source(tmp_path: Path) -> None:
    source = tmp_path / "operators" / "sums.py"
    source.parent.mkdir()
    seen = {form(), sources_digest([])}
    for text in ("", "floor", "trunc"):
        source.write_text(text)
        seen.add(sources_digest([(tmp_path, source)]))
    moved = source.rename(tmp_path / "sums.py")
    seen.add(sources_digest([(tmp_path, moved)]))
    assert len(seen) == 6, "each is another one"
    assert sources_digest([(tmp_path, moved)]) in seen, "and the same sources give the same"


def test_nothing_that_decides_what_is_kept_imports_what_is_left_out_of_the_form() -> None:
    """Else code that is left out of the form could change what states hold."""
    ours = {path.resolve().relative_to(ROOT).as_posix() for _, path in deciding_sources()}
    of_compute = (each.path for each in package_sources() if each.package == "compute")
    left_out = {
        path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in of_compute if path not in ours
    }
    assert {"compute.controller.controller", "compute.replica.tasks.state"} <= left_out, "what is left out is found"
    for source in package_sources():
        if source.path in ours:
            assert left_out.isdisjoint(module for module, _ in imported_modules(source)), source.path
    maintaining = ("compute.arrangement.", "compute.kernels.", "compute.maintain.", "compute.replica.dataflows.")
    assert not [module for module in left_out if module.startswith(maintaining)]
