"""The nearest rows of an arrangement are those of all its live rows, sorted by what the functions answer."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.neighbours.matrices import Matrices
from compute.neighbours.nearest import nearest_rows, of_blocks, of_rows
from compute.protocol.command import Nearest
from compute.protocol.dataflow import IndexExport
from compute.replica.dataflows.exports.index import MaintainedIndex
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, rows_from_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.embedding import held_embedding
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, VECTOR
from model.updates.update import Update, updates_to_arrow
from planner.functions.registry import FUNCTIONS
from planner.functions.types.distances import DISTANCES
from planner.ir.scalar import Call, Column, Literal
from tests.draws import draws

_DESC = relation_desc(("k", INT4), ("v", VECTOR))
_SINGLES = [0.0, 1.0, -1.0, 0.1, 1.0000001, 7e-46, 1e-30, 3e38, -3e38, 1e19, 1024.5, 1024.625]


def _vectors(dimensions: int) -> st.SearchStrategy[bytes]:
    near = st.floats(0.875, 1.125, width=32)
    single = st.one_of(st.sampled_from(_SINGLES), near)
    several = st.lists(st.sampled_from([0.0, 1.0]), min_size=dimensions, max_size=dimensions)
    return st.one_of(st.lists(single, min_size=dimensions, max_size=dimensions), several).map(held_embedding)


@st.composite
def _worlds(draw: Any) -> tuple[list[list[Update]], int]:
    """Several batches of updates, in which rows come and go, and the dimensions."""
    dimensions = draw(st.integers(1, 5))
    vectors = draw(st.lists(st.none() | _vectors(dimensions), min_size=1, max_size=12))
    rows = st.tuples(st.none() | st.integers(0, 3), st.sampled_from(vectors))
    batches: list[list[Update]] = []
    live: list[Row] = []
    for time in range(1, draw(st.integers(1, 5)) + 1):
        batch = []
        for row in draw(st.lists(rows, max_size=8)):
            count = draw(st.integers(1, 2))
            live += [row] * count
            batch.append(Update(row, Timestamp(time), count))
        for row in draw(st.permutations(live))[: draw(st.integers(0, len(live)))]:
            live.remove(row)
            batch.append(Update(row, Timestamp(time), -1))
        batches.append(batch)
    return batches, dimensions


def _arranged(batches: list[list[Update]], since: int) -> Arrangement:
    index = MaintainedIndex(IndexExport(GlobalId.user(1), GlobalId.user(2), (Column(0, INT4),)), _DESC)
    arrangement = Arrangement(index.layout)
    for number, batch in enumerate(batches, 1):
        arrangement.insert(index.keyed(updates_to_arrow(batch, _DESC)))
        if number <= since:
            arrangement.allow_compaction(number)
        arrangement.seal()
    return arrangement


def _key(row: Row, asked: Nearest) -> tuple[int, float]:
    """The place of a row in the order."""
    if row[1] is None:
        return (0 if asked.nulls_first else 2), 0.0
    distance = FUNCTIONS[f"{asked.distance}_vector_vector"].evaluate(row[1], asked.to)
    value = math.inf if math.isnan(distance) else distance
    return 1, -value if asked.descending else value


def _of(tables: list[pa.Table]) -> list[Row]:
    return [
        row
        for table in tables
        for row, count in zip(rows_from_arrow(table, _DESC), table.column(DIFF_COLUMN).to_pylist(), strict=True)
        for _ in range(count)
    ]


@draws(300)
@given(_worlds(), st.data())
def test_the_nearest_rows_are_those_of_all_rows_sorted(world: tuple[list[list[Update]], int], data: Any) -> None:
    batches, dimensions = world
    since = data.draw(st.integers(0, len(batches)))
    as_of = data.draw(st.integers(max(since, 1), len(batches)))
    most = data.draw(st.integers(0, 3))
    condition = Call("le_int4_int4", (Column(0, INT4), Literal(most, INT4)), BOOL)
    asked = Nearest(
        1,
        data.draw(st.sampled_from(sorted(DISTANCES))),
        data.draw(_vectors(dimensions)),
        data.draw(st.booleans()),
        data.draw(st.booleans()),
        data.draw(st.integers(0, 6)),
        data.draw(st.sampled_from([(), (condition,)])),
    )
    live: dict[Row, int] = {}
    for update in (update for batch in batches for update in batch if update.time <= as_of):
        live[update.row] = live.get(update.row, 0) + update.diff
    rows = [row for row, count in live.items() for _ in range(count)]
    if asked.conditions:
        rows = [row for row in rows if row[0] is not None and row[0] <= most]
    arrangement = _arranged(batches, since)
    matrices = Matrices(data.draw(st.sampled_from([0, 1 << 20])))
    fewest = data.draw(st.integers(1, 4))
    blocks = [block for batch in arrangement.batches for block in batch.blocks]
    for _ in range(2):
        found = _of(nearest_rows(list(of_blocks(blocks, asked, as_of, matrices)), asked, _DESC.types, fewest))
        left = sorted(rows, key=repr)
        for row in found:
            left.remove(row)
        assert len(found) >= min(asked.rows, len(rows))
        if found and left:
            assert max(_key(row, asked) for row in found) < min(_key(row, asked) for row in left)
    looked_up = list(arrangement.rows(Timestamp(as_of)))
    if looked_up:
        again = _of(nearest_rows(list(of_rows(pa.concat_tables(looked_up), asked)), asked, _DESC.types, fewest))
        assert len(again) >= min(asked.rows, len(rows))
        assert set(again) <= set(rows)
