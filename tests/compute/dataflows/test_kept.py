"""What an earlier process kept of a dataflow is gone on with only where the same code kept it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pyarrow as pa
import pytest

from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows import kept
from compute.replica.dataflows.kept import PlanningNote, form, open_kept, retain_only, sources_digest
from compute.replica.dataflows.shelf import Shelf
from model.time.timestamp import Timestamp
from planner.ir.relation import Get
from storage.persist.runner import InlineRunner
from tests.compute.dataflows.world import DESC, World, describe, index_on
from tests.compute.dataflows.worlds import run

_VIEW, _INDEX = 2, 3


async def keep(root: Path) -> Callable[[], Awaitable[object]]:
    """Keeps a state; what is found of it is told by what is returned."""
    layouts = {"arranged": Layout((pa.int64(),), ())}

    async def found() -> object:
        return (await open_kept(root, Shelf("shelf", "computed"), layouts, InlineRunner())).kept

    state = await open_kept(root, Shelf("shelf", "computed"), layouts, InlineRunner())
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
            retain_only(tmp_path, [description])
            assert times(description) == ended and times(other) == 0
        with monkeypatch.context() as patched:
            patched.setattr(kept, "form", lambda: "what the sources are later")
            assert times(description) == 0
        PlanningNote(tmp_path, description).forget()
        assert times(description) == 0, "it was planned"
        PlanningNote(tmp_path, description).once_more()
        retain_only(tmp_path, [other])
        assert times(description) == 0, "nobody wants it any more"

    run(scenario)


def test_the_form_tells_of_every_source(tmp_path: Path) -> None:
    source = tmp_path / "operators" / "sums.py"
    source.parent.mkdir()
    seen = {form(), sources_digest([tmp_path])}
    for text in ("", "floor", "trunc"):
        source.write_text(text)
        seen.add(sources_digest([tmp_path]))
    source.rename(tmp_path / "sums.py")
    seen.add(sources_digest([tmp_path]))
    assert len(seen) == 6, "each is another one"
    assert sources_digest([tmp_path]) in seen, "and the same sources give the same"
