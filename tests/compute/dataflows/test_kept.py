"""What an earlier process kept of a dataflow is gone on with only where it is of the same computation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pyarrow as pa
import pytest

from compute.arrangement.layout import Layout
from compute.maintain.step_numbers import CONTENTS
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows import dataflow_note, kept
from compute.replica.dataflows.dataflow_note import DataflowNote, code_digest, sources_digest
from compute.replica.dataflows.kept import open_kept
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.states import LocalStates
from model.time.timestamp import Timestamp
from planner.ir.relation import Get
from storage.persist.runner import InlineRunner
from tests.compute.dataflows.world import DESC, World, describe, index_on
from tests.compute.dataflows.worlds import run

_VIEW, _INDEX = 2, 3
_SHELF = Shelf("shelf", "computed")


async def keep(root: Path) -> Callable[[Shelf], Awaitable[object]]:
    """Keeps a state; what is found of it on a shelf is told by what is returned."""
    layouts = {"arranged": Layout((pa.int64(),), ())}

    async def found(shelf: Shelf) -> object:
        return (await open_kept(LocalStates(root), shelf, layouts, InlineRunner())).kept

    state = await open_kept(LocalStates(root), _SHELF, layouts, InlineRunner())
    await state.checkpoint(Timestamp(20), {"arranged": Timestamp(10)})
    return found


@pytest.mark.parametrize("shelf", [Shelf("shelf", "computed", carried_out="otherwise"), Shelf("shelf", "another")])
def test_a_state_is_not_used_by_another_computation(shelf: Shelf, tmp_path: Path) -> None:
    async def scenario(_: World) -> None:
        found = await keep(tmp_path)
        assert await found(_SHELF) == (20, {"arranged": 10})
        assert await found(shelf) is None
        assert await found(_SHELF) is None, "it is gone"

    run(scenario)


def test_a_state_of_other_contents_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(_: World) -> None:
        found = await keep(tmp_path)
        monkeypatch.setattr(kept, "CONTENTS", CONTENTS + 1)
        assert await found(_SHELF) is None

    run(scenario)


@pytest.mark.parametrize("kind", ["stuck", "tasks"])
def test_it_is_noted_how_often_the_same_code_has_failed_at_a_dataflow(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(world: World) -> None:
        item = await world.table(1)
        description = describe([item], (_VIEW, Get(item.id, DESC)), [index_on(_INDEX, _VIEW)])
        other = describe([item], (_VIEW, Get(item.id, DESC)), [index_on(_INDEX + 1, _VIEW)])

        def times(of: DataflowDescription) -> int:
            return DataflowNote(tmp_path, of, kind).read()

        for ended in (1, 2, 3):
            DataflowNote(tmp_path, description, kind).once_more()
            LocalStates(tmp_path).retain([description])
            assert times(description) == ended and times(other) == 0
        with monkeypatch.context() as patched:
            patched.setattr(dataflow_note, "code_digest", lambda: "what the sources are later")
            assert times(description) == 0
        DataflowNote(tmp_path, description, kind).put(0)
        assert times(description) == 0, "it has ended well"
        DataflowNote(tmp_path, description, kind).once_more()
        LocalStates(tmp_path).retain([other])
        assert times(description) == 0, "nobody wants it any more"

    run(scenario)


def test_the_digest_of_code_tells_of_every_source(tmp_path: Path) -> None:
    source = tmp_path / "operators" / "sums.py"
    source.parent.mkdir()
    seen = {code_digest(), sources_digest([])}
    for text in ("", "floor", "trunc"):
        source.write_text(text)
        seen.add(sources_digest([(tmp_path, source)]))
    moved = source.rename(tmp_path / "sums.py")
    seen.add(sources_digest([(tmp_path, moved)]))
    assert len(seen) == 6, "each is another one"
    assert sources_digest([(tmp_path, moved)]) in seen, "and the same sources give the same"
