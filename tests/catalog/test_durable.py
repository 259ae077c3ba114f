"""The rows of the catalog's shard against the states that they stand for."""

import itertools
import json
from collections import Counter

from hypothesis import given

from catalog.durable.history import CatalogHistory
from catalog.durable.rows import CATALOG_DESC, CatalogRow, diff, initial_state, load, rows
from catalog.state.catalog_state import CatalogState
from model.text.dispatch import parse_datum
from model.time.timestamp import Timestamp
from model.updates.update import Update
from tests.catalog.catalogs import Catalog, walks
from tests.draws import draws


def _accumulated(states: list[CatalogState]) -> Counter[CatalogRow]:
    contents: Counter[CatalogRow] = Counter()
    before = None
    for state in states:
        for row, change in diff(before, state):
            contents[row] += change
        before = state
    return contents


@given(walks())
@draws(60)
def test_accumulated_diffs_load_as_the_state(states: list[CatalogState]) -> None:
    contents = _accumulated(states)
    assert set(contents.values()) <= {0, 1}
    assert load(row for row, count in contents.items() if count) == states[-1]


@given(walks())
@draws(40)
def test_rows_are_the_old_rows_and_the_diff(states: list[CatalogState]) -> None:
    for before, after in itertools.pairwise(states):
        changes = dict(diff(before, after))
        gone = {row for row, change in changes.items() if change == -1}
        come = {row for row, change in changes.items() if change == 1}
        assert gone <= rows(before)
        assert rows(after) == (rows(before) - gone) | come


@given(walks())
@draws(30)
def test_loaded_indexes_find_what_is_there(states: list[CatalogState]) -> None:
    loaded = load(rows(states[-1]))
    assert loaded.item_ids_by_name == states[-1].item_ids_by_name
    assert loaded.item_ids_by_oid == states[-1].item_ids_by_oid
    assert loaded.schema_oids_by_name == states[-1].schema_oids_by_name
    assert loaded.key_ids_by_table == states[-1].key_ids_by_table


@given(walks())
@draws(30)
def test_history_gives_the_state_of_each_time(states: list[CatalogState]) -> None:
    updates = []
    before = None
    for number, state in enumerate(states):
        updates += [Update(row, Timestamp(10 * number), change) for row, change in diff(before, state)]
        before = state
    history = CatalogHistory(updates, Timestamp(0))
    for number, state in enumerate(states):
        assert history.at(Timestamp(10 * number)) == history.at(Timestamp(10 * number + 9)) == state


@given(walks())
@draws(30)
def test_history_that_advanced_still_gives_what_follows(states: list[CatalogState]) -> None:
    history = CatalogHistory([Update(row, Timestamp(0), 1) for row in rows(states[0])], Timestamp(0))
    for number, state in enumerate(states[1:], 1):
        history.append(Timestamp(10 * number), diff(states[number - 1], state))
        history.at(Timestamp(10 * number))
    middle = len(states) // 2
    history.advance(Timestamp(10 * middle + 3))
    assert history.since == 10 * middle + 3
    assert history.at(history.since) == states[middle]
    for number, state in enumerate(states[middle + 1 :], middle + 1):
        assert history.at(Timestamp(10 * number)) == state


def test_values_are_canonical_jsonb() -> None:
    catalog = Catalog()
    catalog.table('tü "x"\\')
    for _, _, value in rows(catalog.state):
        assert parse_datum(value, CATALOG_DESC.types[2]) == value
        json.loads(value)


def test_a_new_catalog_has_superuser_database_and_public() -> None:
    state = initial_state()
    database = state.database_named("headwater")
    role = state.role_named("headwater")
    assert database is not None and role is not None and role.superuser
    assert [schema.name for schema in state.schemas_in(database.oid)] == ["public"]
    assert state.database_named("postgres") is None
    assert load(row for row, change in diff(None, state) if change == 1) == state
