"""What a statement does to keys, judged by its changes and what was looked up, beside the table counted out."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from model.types.datum import Row
from model.types.scalar_type import INT4, TEXT
from server.transactions.key_changes import KeyChanges, KeyForm
from server.writes.constraints.conflicts import conflicts_of
from server.writes.constraints.held_rules import RowsByKey

_ROWS = st.tuples(st.integers(0, 3) | st.none(), st.sampled_from(["x", "y"]) | st.none(), st.integers(0, 2))


def _form(nulls_distinct: bool) -> KeyForm:
    return KeyForm(lambda row: row[:2], (INT4, TEXT), nulls_distinct)


def _keyed(form: KeyForm, rows: list[Row]) -> list[Row]:
    """Of rows with one key the first, as a table has them."""
    kept: dict[object, Row] = {}
    free = []
    for row in rows:
        key = form.key(row)
        if key is None:
            free.append(row)
        else:
            kept.setdefault(form.identity(key), row)
    return [*free, *kept.values()]


def _doubled(form: KeyForm, rows: list[Row]) -> bool:
    keys = [key for row in rows if (key := form.key(row)) is not None]
    return any(count > 1 for count in Counter(map(form.identity, keys)).values())


@given(st.data(), st.booleans())
def test_a_violation_is_found_exactly_when_the_table_would_have_a_key_twice(
    data: st.DataObject, nulls_distinct: bool
) -> None:
    form = _form(nulls_distinct)
    table = _keyed(form, data.draw(st.lists(_ROWS, max_size=6)))
    removed = data.draw(st.lists(st.sampled_from(table), unique_by=id, max_size=4)) if table else []
    added: list[Row] = [*data.draw(st.lists(_ROWS, max_size=5))]
    changes = KeyChanges(form)
    for row in data.draw(st.permutations([*((row, 1) for row in added), *((row, -1) for row in removed)])):
        changes.add([row[0]]) if row[1] > 0 else changes.remove([row[0]])
    there = {form.identity(key) for row in table if (key := form.key(row)) is not None}
    left = list((Counter(table) - Counter(removed)).elements())
    assert (changes.violation(there & changes.wanted().keys()) is not None) == _doubled(form, left + added)


@given(st.lists(_ROWS, max_size=6), st.lists(_ROWS, max_size=6), st.booleans())
def test_rows_without_an_equal_are_new_and_no_key_is_there_twice_then(
    rows: list[Row], proposed: list[Row], nulls_distinct: bool
) -> None:
    form = _form(nulls_distinct)
    table = _keyed(form, rows)
    there = {form.identity(key): row for row in table if (key := form.key(row)) is not None}
    found = conflicts_of(proposed, [RowsByKey(form, there)], updating=False)
    after = [*table, *(proposed[number] for number in found.new)]
    assert not _doubled(form, after)
    assert all(_doubled(form, [*after, proposed[number]]) for number in range(len(proposed)) if number not in found.new)
    assert all(form.key(proposed[each.number]) == form.key(each.existing) for each in found.meetings)


def test_the_first_row_that_breaks_a_key_is_named() -> None:
    changes = KeyChanges(_form(True))
    changes.add([(1, "x", 0), (2, "x", 0), (2, "x", 1), (3, "x", 0)])
    assert changes.violation(frozenset()) == (3, (2, "x"))
    assert changes.violation(frozenset({(3, "x")})) == (3, (2, "x"))
    assert changes.violation(frozenset({(1, "x")})) == (1, (1, "x"))
