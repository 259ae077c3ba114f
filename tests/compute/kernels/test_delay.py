"""An update comes out of a delay in the tick that covers its time, whenever it came in, unless it was taken back."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Hashable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.delay import delay_changes, next_due
from tests.compute.arrangement.scripts import (
    Script,
    Subject,
    Tick,
    Update,
    canonical,
    canonical_row,
    counted,
    keyed_table,
    scripts,
    tight_limits,
)
from tests.draws import draws


def _due(updates: list[Update], lower: int, upper: float) -> Counter[Hashable]:
    counts: Counter[Hashable] = Counter()
    for update in updates:
        if lower <= update.time < upper:
            counts[*canonical_row(update.row), canonical(update.time)] += update.diff
    return Counter({row: count for row, count in counts.items() if count})


def _late(tick: Tick, delays: list[int]) -> list[list[Update]]:
    """The tick's updates, each with a time that is so much later."""
    places = iter(range(len(tick.updates)))
    return [
        [Update(u.key, u.row, u.time + delays[next(places) % len(delays)], u.diff) for u in chunk]
        for chunk in tick.chunks
    ]


def _step(script: Script, tick: Tick, late: list[list[Update]], arrangement: Arrangement) -> list[pa.Table]:
    for chunk in late:
        table = keyed_table(script, script.layout, chunk)
        arrangement.insert(table.set_column(0, "h", table.column("time")))
    chunks = list(delay_changes(arrangement, tick.lower, tick.upper, chunk_rows=script.chunk_rows))
    assert all(chunk.num_rows <= script.chunk_rows for chunk in chunks)
    return chunks


@given(
    script=scripts(keyless=True), delays=st.lists(st.integers(0, 9), min_size=1, max_size=4), colliding=st.booleans()
)
@draws(150)
def test_delay(script: Script, delays: list[int], colliding: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(colliding_rows=colliding),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            late = _late(tick, delays)
            updates += (update for chunk in late for update in chunk)
            assert counted(subject.run(tick, partial(_step, script, tick, late))) == _due(
                updates, tick.lower, tick.upper
            )
            kept = [update.time for update in updates if _is_kept(updates, update, tick.upper)]
            assert next_due(subject.arrangements[0], tick.upper) == min(kept, default=None)


def _is_kept(updates: list[Update], update: Update, upper: int) -> bool:
    return (*canonical_row(update.row), canonical(update.time)) in _due(updates, upper, float("inf"))


def test_what_was_due_is_not_kept_for_ever() -> None:
    layout = Layout((), (pa.int64(),))
    arrangement = Arrangement(layout)
    rows = np.arange(100)
    for time in range(100):
        later = rows * 0 + time + 3
        arrangement.insert(pa.table([later, rows, later, rows * 0 + 1], schema=layout.schema))
        assert sum(chunk.num_rows for chunk in delay_changes(arrangement, time, time + 1)) == 100 * (time > 2)
        arrangement.seal()
    assert arrangement.size.rows <= 3000, "10,000 updates came in, and 300 are not due"
