"""Rows that are kept by their key are what the table has at the time that is asked for."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT
from server.objects.maintained.known_rows import KnownRows
from timeline.footprint import KeyColumns, ReadKeys, WrittenRows
from timeline.recent_changes import RecentChanges

_DESC = relation_desc(("k", INT4), ("t", TEXT))
_TABLE, _INDEX = GlobalId.user(1), GlobalId.user(2)


def _keys(*values: int) -> ReadKeys:
    return {KeyColumns(_TABLE, (0,), (INT4,)): frozenset((value,) for value in values)}


def _commit(recent: RecentChanges, time: int, old: list[Row], new: list[Row], desc: RelationDesc = _DESC) -> None:
    diffs = pa.array([-1] * len(old) + [1] * len(new), pa.int64())
    table = rows_to_arrow([*old, *new], desc).append_column(DIFF_COLUMN, diffs)
    recent.committed(Timestamp(time), {_TABLE: [WrittenRows([table])]})


@pytest.mark.parametrize("seed", range(20))
def test_what_is_known_is_what_the_table_has(seed: int) -> None:
    source = random.Random(seed)
    recent = RecentChanges()
    known = KnownRows(recent)
    history: list[dict[int, Row]] = [{}, {}]
    recent.committed(Timestamp(1), {})
    answers = 0
    for time in range(2, 80):
        key, rows = source.randrange(5), dict(history[-1])
        old = [rows.pop(key)] if key in rows else []
        new: list[Row] = [(key, f"at {time}")] if source.random() < 0.7 else []
        if new:
            rows[key] = new[0]
        history.append(rows)
        _commit(recent, time, old, new)
        asked, when = source.randrange(5), source.randrange(max(1, time - 5), time + 1)
        there = [history[when][asked]] if asked in history[when] else []
        found = known.at(_INDEX, _keys(asked), _DESC, Timestamp(when))
        if found is None:
            known.keep(_INDEX, _keys(asked), _DESC, Timestamp(when), there)
        else:
            answers += 1
            assert found == there
    assert answers > 20


def test_what_is_not_known_is_not_told() -> None:
    recent = RecentChanges()
    known = KnownRows(recent)
    recent.committed(Timestamp(4), {})
    known.keep(_INDEX, _keys(1), _DESC, Timestamp(5), [(1, "x")])
    recent.committed(Timestamp(5), {})
    assert known.at(_INDEX, _keys(1), _DESC, Timestamp(5)) == [(1, "x")]
    # Before it was read; with another key, of another index, of other columns; of two keys.
    assert known.at(_INDEX, _keys(1), _DESC, Timestamp(4)) is None
    assert known.at(_INDEX, _keys(2), _DESC, Timestamp(5)) is None
    assert known.at(_TABLE, _keys(1), _DESC, Timestamp(5)) is None
    assert known.at(_INDEX, _keys(1), relation_desc(("k", INT4)), Timestamp(5)) is None
    assert known.at(_INDEX, _keys(1, 2), _DESC, Timestamp(5)) is None
    # Of what commits have done that are not told of yet.
    assert known.at(_INDEX, _keys(1), _DESC, Timestamp(6)) is None
    known.keep(_INDEX, _keys(1), _DESC, Timestamp(5), [(1, "x")])
    recent.committed(Timestamp(6), {_TABLE: [WrittenRows((), whole=True)]})
    assert known.at(_INDEX, _keys(1), _DESC, Timestamp(6)) is None


def test_an_older_read_does_not_take_the_place_of_a_later_one() -> None:
    recent = RecentChanges()
    known = KnownRows(recent)
    recent.committed(Timestamp(4), {})
    _commit(recent, 5, [], [(1, "new")])
    known.keep(_INDEX, _keys(1), _DESC, Timestamp(5), [(1, "new")])
    known.keep(_INDEX, _keys(1), _DESC, Timestamp(4), [])
    assert known.at(_INDEX, _keys(1), _DESC, Timestamp(5)) == [(1, "new")]


def test_large_rows_and_many_are_not_kept() -> None:
    recent = RecentChanges()
    known = KnownRows(recent)
    recent.committed(Timestamp(4), {})
    for rows in ([(1, "x" * 5_000)], [(1, "x")] * 10):
        known.keep(_INDEX, _keys(1), _DESC, Timestamp(4), rows)
        assert known.at(_INDEX, _keys(1), _DESC, Timestamp(4)) is None
    for key in range(10_000):
        known.keep(_INDEX, _keys(key), _DESC, Timestamp(4), [])
    assert known.at(_INDEX, _keys(0), _DESC, Timestamp(4)) is None
    assert known.at(_INDEX, _keys(9_999), _DESC, Timestamp(4)) == []


def test_keys_that_are_large_are_not_kept_though_they_have_no_rows() -> None:
    recent = RecentChanges()
    known = KnownRows(recent)
    recent.committed(Timestamp(4), {})
    for value, kept in (("x" * 1_000, True), ("x" * 5_000, False), ((("x" * 5_000, 1),), False)):
        keys: ReadKeys = {KeyColumns(_TABLE, (1,), (TEXT,)): frozenset(((value,),))}
        known.keep(_INDEX, keys, _DESC, Timestamp(4), [])
        assert known.at(_INDEX, keys, _DESC, Timestamp(4)) == ([] if kept else None)
