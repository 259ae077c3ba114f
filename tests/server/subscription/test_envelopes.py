"""Envelopes against their definition, a key and a timestamp at a time."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa
import pytest

from model.physical.columns import TIME_COLUMN, rows_from_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4, INT8, TEXT, array_of
from model.updates.consolidate import consolidate
from model.updates.update import Update, updates_to_arrow
from planner.interpret.context import EvaluationContext
from planner.ir.aggregate import SortKey
from planner.ir.scalar import Column
from planner.plans.subscribing import Debezium, Differences, SubscribeOutput, Upsert
from server.subscription.envelopes import envelope_of
from storage.persist.snapshot import in_order_of_time

_DESC = relation_desc(("a", INT4), ("k", TEXT), ("l", array_of(INT4)))

Timed = tuple[int, Row]


def applied(output: SubscribeOutput, updates: Sequence[Update], desc: RelationDesc) -> list[Timed]:
    """What an envelope makes of updates: times and rows, in order. `desc` is of these rows."""
    table = in_order_of_time(consolidate(updates_to_arrow(updates, _DESC)))
    found: pa.Table = envelope_of(output, _DESC, EvaluationContext())(table)
    times = found.column(TIME_COLUMN).to_pylist()
    return list(zip(times, rows_from_arrow(found.drop_columns([TIME_COLUMN]), desc), strict=True))


def history(source: random.Random) -> list[Update]:
    """Changes of few keys at few times; most keep a key unique, some do not."""
    live: dict[Datum, Row] = {}
    updates: list[Update] = []
    for step in range(source.randrange(30)):
        time = Timestamp(10 + step // 4)
        key = source.choice(["x", "y", "z", None])
        row = (source.choice([1, 2, None]), key, source.choice([(1, 2), (1,), None]))
        if source.random() < 0.2:
            updates.append(Update(row, time, source.choice([-1, 1, 2])))
            continue
        if key in live:
            updates.append(Update(live.pop(key), time, -1))
        if source.random() < 0.7:
            live[key] = row
            updates.append(Update(row, time, 1))
    return updates


def keyed(updates: Sequence[Update]) -> dict[tuple[int, Datum], tuple[list[Row], list[Row]]]:
    """For each time and key (column k), the rows asserted and retracted, each as often as it is."""
    net: Counter[tuple[int, Row]] = Counter()
    for update in updates:
        net[update.time, update.row] += update.diff
    found: dict[tuple[int, Datum], tuple[list[Row], list[Row]]] = {}
    for (time, row), diff in net.items():
        if diff:
            asserted, retracted = found.setdefault((time, row[1]), ([], []))
            (asserted if diff > 0 else retracted).extend([row] * abs(diff))
    return found


def expected_upsert(asserted: list[Row], retracted: list[Row]) -> tuple[Datum, ...]:
    """State, a, l."""
    match len(asserted), len(retracted):
        case (1, 0) | (1, 1):
            return "upsert", asserted[0][0], asserted[0][2]
        case (0, 1):
            return "delete", None, None
        case _:
            return "key_violation", None, None


def expected_debezium(asserted: list[Row], retracted: list[Row]) -> tuple[Datum, ...]:
    """State, a before, l before, a after, l after."""
    counts = len(asserted), len(retracted)
    states = {(1, 0): "insert", (1, 1): "upsert", (0, 1): "delete"}
    if counts not in states:
        return "key_violation", None, None, None, None
    before = (retracted[0][0], retracted[0][2]) if retracted else (None, None)
    after = (asserted[0][0], asserted[0][2]) if asserted else (None, None)
    return states[counts], *before, *after


@pytest.mark.parametrize("seed", range(60))
def test_a_key_s_changes_at_a_timestamp_become_one_row(seed: int) -> None:
    updates = history(random.Random(seed))
    groups = keyed(updates)
    state, key, value, list_ = ("state", TEXT), ("k", TEXT), ("a", INT4), ("l", array_of(INT4))
    upserts = applied(Upsert((1,)), updates, relation_desc(state, key, value, list_))
    debezium = applied(Debezium((1,)), updates, relation_desc(state, key, value, list_, value, list_))
    wanted: Counter[Timed] = Counter()
    wanted_debezium: Counter[Timed] = Counter()
    for (time, k), (asserted, retracted) in groups.items():
        word, *values = expected_upsert(asserted, retracted)
        wanted[time, (word, k, *values)] += 1
        word, *values = expected_debezium(asserted, retracted)
        wanted_debezium[time, (word, k, *values)] += 1
    assert Counter(upserts) == wanted
    assert Counter(debezium) == wanted_debezium
    for found in (upserts, debezium):
        assert [time for time, _ in found] == sorted(time for time, _ in found)


@pytest.mark.parametrize("seed", range(20))
def test_differences_are_in_order_within_each_timestamp(seed: int) -> None:
    updates = history(random.Random(seed))
    order = (SortKey(Column(2, TEXT), True, False), SortKey(Column(0, INT8), False, True))
    desc = relation_desc(("diff", INT8), ("a", INT4), ("k", TEXT), ("l", array_of(INT4)))
    found = applied(Differences(order), updates, desc)
    assert Counter(found) == Counter(applied(Differences(()), updates, desc))

    def place(timed: Timed) -> tuple[object, ...]:
        time, (diff, _, key, _) = timed
        assert key is None or isinstance(key, str)
        return time, key is None, [-ord(letter) for letter in key or ""], diff

    assert [place(timed) for timed in found] == sorted(place(timed) for timed in found)
