"""What is told of recent commits is what looking through all of them would find."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pyarrow as pa
import pytest

from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, rows_from_arrow, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT
from timeline import recent_changes
from timeline.footprint import Identities, KeyColumns, WrittenRows
from timeline.recent_changes import RecentChanges

_DESC = relation_desc(("k", INT4), ("t", TEXT))
_TABLES = (GlobalId.user(1), GlobalId.user(2))
_KEPT = 20


@dataclass(frozen=True, slots=True)
class _Commit:
    """`rows` with their diffs; None where what it changed is not known."""

    time: Timestamp
    table: GlobalId
    rows: list[tuple[tuple[int, str], int]] | None


def _written(commit: _Commit) -> WrittenRows:
    if commit.rows is None:
        return WrittenRows((), whole=True)
    table = rows_to_arrow([row for row, _ in commit.rows], _DESC)
    return WrittenRows([table.append_column(DIFF_COLUMN, pa.array([diff for _, diff in commit.rows], pa.int64()))])


def _found(tables: list[pa.Table] | None) -> list[tuple[object, int]] | None:
    if tables is None:
        return None
    rows: list[tuple[object, int]] = []
    for table in tables:
        rows += zip(rows_from_arrow(table, _DESC), table.column(DIFF_COLUMN).to_pylist(), strict=True)
    return sorted(rows, key=repr)


def _commits(source: random.Random) -> list[_Commit]:
    commits = []
    for time in range(10, 10 + 3 * _KEPT):
        rows = [
            ((source.randrange(4), source.choice("xyz")), source.choice((1, -1))) for _ in range(source.randrange(1, 4))
        ]
        commits.append(_Commit(Timestamp(time), source.choice(_TABLES), rows if source.random() < 0.9 else None))
    return commits


@pytest.mark.parametrize("seed", range(20))
def test_changes_are_those_that_a_search_of_all_commits_finds(seed: int) -> None:
    source = random.Random(seed)
    recent = RecentChanges(entries_max=_KEPT)
    done: list[_Commit] = []
    for commit in _commits(source):
        recent.committed(commit.time, {commit.table: [_written(commit)]})
        done.append(commit)
        kept = done[-_KEPT:]
        columns = source.choice(((0,), (1,), (1, 0)))
        key = KeyColumns(source.choice(_TABLES), columns, tuple(_DESC.types[at] for at in columns))
        wanted = {tuple((source.randrange(4), source.choice("xyz"))[at] for at in columns) for _ in range(2)}
        after = Timestamp(source.randrange(int(kept[0].time), int(commit.time) + 1))
        until = Timestamp(source.randrange(int(after), int(commit.time) + 1))
        seen = [each for each in kept if each.table == key.table and after < each.time <= until]
        updates = [
            (row, diff) for each in seen for row, diff in each.rows or () if tuple(row[at] for at in columns) in wanted
        ]
        unknown = any(each.rows is None for each in seen)
        told = _found(recent.between(key, frozenset(wanted), after, until, _DESC.arity))
        assert told == (None if unknown else sorted(updates, key=repr))
        if until == commit.time:
            assert recent.meets(key, frozenset(wanted), after) == (unknown or bool(updates))


def test_of_times_that_are_forgotten_or_to_come_nothing_is_known() -> None:
    recent = RecentChanges(entries_max=2)
    key = KeyColumns(_TABLES[0], (0,), (INT4,))
    nobody = frozenset({(9,)})
    assert recent.between(key, nobody, Timestamp(1), Timestamp(1), _DESC.arity) is None
    for time in range(10, 15):
        recent.committed(
            Timestamp(time), {_TABLES[0]: [_written(_Commit(Timestamp(time), _TABLES[0], [((1, "x"), 1)]))]}
        )
    assert recent.between(key, nobody, Timestamp(12), Timestamp(14), _DESC.arity) == []
    assert not recent.meets(key, nobody, Timestamp(12))
    assert recent.between(key, nobody, Timestamp(11), Timestamp(14), _DESC.arity) is None
    assert recent.meets(key, nobody, Timestamp(11))
    assert recent.between(key, nobody, Timestamp(12), Timestamp(15), _DESC.arity) is None
    assert recent.between(key, nobody, Timestamp(12), Timestamp(14), _DESC.arity + 1) == []
    some = frozenset({(1,)})
    assert recent.between(key, some, Timestamp(12), Timestamp(14), _DESC.arity + 1) is None


def test_a_question_is_not_kept_waiting_until_all_that_is_kept_is_sorted() -> None:
    recent = RecentChanges()
    for time in range(1, 101):
        rows = [((1_000 * time + at, "x"), 1) for at in range(1_000)]
        recent.committed(Timestamp(time), {_TABLES[0]: [_written(_Commit(Timestamp(time), _TABLES[0], rows))]})
    key, nobody = KeyColumns(_TABLES[0], (0,), (INT4,)), frozenset([(-1,)])
    looked_at: list[WrittenRows] = []
    original = WrittenRows.identities

    def counted(self: WrittenRows, columns: KeyColumns) -> Identities | None:
        looked_at.append(self)
        return original(self, columns)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WrittenRows, "identities", counted)
        # The last commits are enough.
        assert not recent.meets(key, nobody, Timestamp(99))
        assert len(looked_at) == 1
        # All are too many for one question, and the next goes on.
        assert recent.meets(key, nobody, Timestamp(0))
        assert sum(each.rows for each in looked_at) <= 5_000
        questions = 1
        while recent.between(key, nobody, Timestamp(0), Timestamp(100), _DESC.arity) is None:
            questions += 1
            assert questions < 100
        assert not recent.meets(key, nobody, Timestamp(0))
        assert len(looked_at) == 100


@pytest.mark.parametrize("seed", range(20))
def test_what_is_sorted_little_by_little_is_right_while_commits_come_and_go(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent_changes, "_SORTED_AT_ONCE_MAX", 5)
    source = random.Random(seed)
    recent, done, answers = RecentChanges(entries_max=_KEPT), list[_Commit](), 0
    for commit in _commits(source):
        recent.committed(commit.time, {commit.table: [_written(commit)]})
        done.append(commit)
        kept = done[-_KEPT:]
        columns = source.choice(((0,), (1,)))
        key = KeyColumns(source.choice(_TABLES), columns, tuple(_DESC.types[at] for at in columns))
        wanted = tuple((source.randrange(4), source.choice("xyz"))[at] for at in columns)
        after = Timestamp(source.randrange(int(kept[0].time), int(commit.time) + 1))
        seen = [each for each in kept if each.table == key.table and each.time > after]
        updates = [
            (row, diff) for each in seen for row, diff in each.rows or () if tuple(row[at] for at in columns) == wanted
        ]
        told = _found(recent.between(key, frozenset([wanted]), after, commit.time, _DESC.arity))
        if told is not None:
            answers += 1
            assert all(each.rows is not None for each in seen)
            assert told == sorted(updates, key=repr)
        met = any(each.rows is None for each in seen) or bool(updates)
        assert recent.meets(key, frozenset([wanted]), after) or not met
    assert answers > 5


def test_small_tables_of_many_columns_count_as_what_arrow_takes_for_them() -> None:
    desc = RelationDesc(tuple(ColumnDesc(f"c{at}", INT4) for at in range(200)))
    row = rows_to_arrow([tuple(range(200))], desc).append_column(DIFF_COLUMN, pa.array([1], pa.int64()))
    recent = RecentChanges()
    for time in range(1, 1_001):
        recent.committed(Timestamp(time), {_TABLES[0]: [WrittenRows([row])]})
    key, nobody = KeyColumns(_TABLES[0], (0,), (INT4,)), frozenset([(-1,)])
    assert recent.between(key, nobody, Timestamp(900), Timestamp(1_000), desc.arity) == []
    # A quarter of a megabyte each: no more than some hundreds are kept.
    assert recent.between(key, nobody, Timestamp(500), Timestamp(1_000), desc.arity) is None


def test_one_large_commit_does_not_have_each_of_many_looked_for_in_what_is_sorted() -> None:
    recent, keys = RecentChanges(), [KeyColumns(_TABLES[0], (0,) * count, (INT4,) * count) for count in range(1, 8)]
    for time in range(1, 2_001):
        recent.committed(
            Timestamp(time), {_TABLES[0]: [_written(_Commit(Timestamp(time), _TABLES[0], [((time, "x"), 1)]))]}
        )
    for key in keys:
        assert not recent.meets(key, frozenset([(-1,)]), Timestamp(1))
    asked, original = 0, WrittenRows.identities

    def counted(self: WrittenRows, columns: KeyColumns) -> Identities | None:
        nonlocal asked
        asked += 1
        return original(self, columns)

    large = _Commit(Timestamp(2_001), _TABLES[0], [((number, "x" * 60_000), 1) for number in range(990)])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WrittenRows, "identities", counted)
        recent.committed(large.time, {_TABLES[0]: [_written(large)]})
        assert asked < 3_000
    assert recent.meets(keys[0], frozenset([(-1,)]), Timestamp(1))
    assert not recent.meets(keys[0], frozenset([(-1,)]), Timestamp(2_000))
