"""Updates as documents: of each key what it has come to, and what the destination has of it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from connectors.sinks.documents import changed_documents, keyed_documents, touched_documents
from connectors.sinks.fences import SplitCheckpoint, opened_at
from connectors.sinks.messages import DELETED, EXISTS, KeyRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import SqliteTable
from model.physical.columns import rows_from_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.updates.update import Update, updates_to_arrow
from tests.connectors.sinks.sessions import DESC, sink_into

SINK = sink_into(SqliteTable("x", "t"))


def history(chance: random.Random, steps: int) -> list[dict[int, Row]]:
    """States of a table by key, one after another."""
    states: list[dict[int, Row]] = [{}]
    for _ in range(steps):
        state = dict(states[-1])
        for key in chance.sample(range(6), chance.randrange(4)):
            if key in state and chance.random() < 0.5:
                del state[key]
            else:
                state[key] = (key, chance.choice(("a", "b", None)))
        states.append(state)
    return states


def updates_of(states: list[dict[int, Row]]) -> list[Update]:
    """What makes each state the next one, at times 1, 2, …"""
    found = []
    for time in range(1, len(states)):
        old, new = Counter(states[time - 1].values()), Counter(states[time].values())
        new.subtract(old)
        found += [Update(row, Timestamp(time), diff) for row, diff in new.items() if diff]
    return found


@pytest.mark.parametrize("seed", range(40))
def test_documents_make_a_destination_what_the_collection_has_become(seed: int) -> None:
    chance = random.Random(seed)
    states = history(chance, 5)
    table = updates_to_arrow(updates_of(states), DESC)
    held = dict(states[0])
    documents = keyed_documents(table.drop_columns(["time"]), SINK)
    exists, gone = documents.column(EXISTS).to_pylist(), documents.column(DELETED).to_pylist()
    assert gone == sorted(gone, reverse=True), "what goes comes first"
    keys = documents.column("c0").to_pylist()
    assert len(set(keys)) == len(keys), "a key comes once"
    for row, there, deleted in zip(rows_from_arrow(documents, DESC), exists, gone, strict=True):
        key = row[0]
        assert isinstance(key, int)
        assert there == (key in held)
        if deleted:
            del held[key]
        else:
            held[key] = row
    assert held == states[-1]


@pytest.mark.parametrize("seed", range(40))
def test_touched_documents_heal_whatever_part_of_them_was_there(seed: int) -> None:
    chance = random.Random(seed)
    states = history(chance, 5)
    table = updates_to_arrow(updates_of(states), DESC)
    held = dict(states[0])
    half = keyed_documents(updates_to_arrow(updates_of(states[:4]), DESC).drop_columns(["time"]), SINK)
    taken = chance.randrange(half.num_rows + 1)
    for documents in (half.slice(0, taken), touched_documents(table, SINK)):
        gone = documents.column(DELETED).to_pylist()
        for row, deleted in zip(rows_from_arrow(documents, DESC), gone, strict=True):
            held.pop(row[0], None)  # type: ignore[arg-type]
            if not deleted:
                held[row[0]] = row  # type: ignore[index]
    assert held == states[-1]


def test_changes_are_in_order_of_time_and_what_goes_is_first() -> None:
    updates = [Update((1, "b"), Timestamp(2), 1), Update((1, "a"), Timestamp(2), -1), Update((1, "a"), Timestamp(1), 1)]
    changes = changed_documents(updates_to_arrow(updates, DESC))
    rows = zip(changes.column("time").to_pylist(), changes.column("diff").to_pylist(), strict=True)
    assert list(rows) == [(1, 1), (2, -1), (2, 1)]


def test_two_rows_of_a_key_and_keys_that_are_null_are_errors() -> None:
    twice = updates_to_arrow([Update((1, v), Timestamp(1), 1) for v in "ab"], DESC).drop_columns(["time"])
    with pytest.raises(SqlError) as error:
        keyed_documents(twice, SINK)
    assert error.value.detail == "Key (k)=(1) is not unique."
    null = updates_to_arrow([Update((None, "a"), Timestamp(1), 1)], DESC).drop_columns(["time"])
    with pytest.raises(SqlError) as error:
        keyed_documents(null, SINK)
    assert error.value.sqlstate is Sqlstate.NOT_NULL_VIOLATION


A, B, WHOLE = KeyRange(0, 499), KeyRange(500, 1000), KeyRange(0, 1000)


@pytest.mark.parametrize(
    ("keys", "known", "wanted"),
    [
        (WHOLE, [], (1, 0)),
        (WHOLE, [(WHOLE, 3, 7)], (4, 7)),
        (A, [(WHOLE, 3, 7)], (4, 7)),
        (A, [(WHOLE, 3, 7), (A, 5, 9)], (6, 9)),
        (WHOLE, [(A, 2, 7), (B, 4, 9)], (5, 0)),
        (WHOLE, [(WHOLE, 3, 7), (A, 4, 9), (B, 4, 9)], (5, 9)),
        (WHOLE, [(WHOLE, 3, 7), (A, 4, 9), (B, 4, 8)], (5, 0)),
        (WHOLE, [(WHOLE, 3, 7), (A, 4, 9)], (5, 0)),
        (WHOLE, [(WHOLE, 3, 9), (A, 4, 9)], (5, 9)),
        (WHOLE, [(A, 4, 9)], (5, 0)),
        (KeyRange(400, 600), [(A, 2, 9), (B, 4, 9)], (5, 0)),
        (KeyRange(400, 600), [(A, 2, 7), (B, 4, 9)], (5, 0)),
        (B, [(A, 2, 7)], (1, 0)),
    ],
)
def test_a_split_goes_on_where_its_keys_stood_if_that_is_one_time(
    keys: KeyRange, known: list[tuple[KeyRange, int, int]], wanted: tuple[int, int]
) -> None:
    rows = [SplitCheckpoint(each, fence, Timestamp(frontier)) for each, fence, frontier in known]
    found = opened_at(keys, rows)
    assert (found.fence, found.frontier) == wanted
