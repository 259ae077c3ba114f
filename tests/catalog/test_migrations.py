"""Older forms of the catalog come up to date, newer ones are refused."""

import pytest

from catalog.durable.migrations.row_texts import Rows
from catalog.durable.migrations.steps import CATALOG_VERSION, catalog_version, migrate
from catalog.durable.rows import initial_state, load, rows, upgrade
from model.errors.sql_error import SqlError


def _rename_kind(rows_: Rows) -> Rows:
    return [("role" if kind == "user" else kind, key, value) for kind, key, value in rows_]


def _add_row(rows_: Rows) -> Rows:
    return [*rows_, ("system", "added", '"yes"')]


_OLD: Rows = [("config", "catalog_version", "1"), ("user", "10", "{}")]


def test_steps_run_in_order_from_the_version_found() -> None:
    assert sorted(migrate(_OLD, (_rename_kind, _add_row))) == [
        ("config", "catalog_version", "3"),
        ("role", "10", "{}"),
        ("system", "added", '"yes"'),
    ]


def test_steps_that_ran_before_do_not_run_again() -> None:
    halfway = migrate(_OLD, (_rename_kind,))
    assert sorted(migrate(halfway, (_rename_kind, _add_row))) == sorted(migrate(_OLD, (_rename_kind, _add_row)))
    assert migrate(halfway, (_rename_kind,)) == halfway


def test_a_newer_catalog_is_refused_with_both_versions() -> None:
    newer: Rows = [("config", "catalog_version", str(CATALOG_VERSION + 1))]
    with pytest.raises(SqlError, match=f"version is {CATALOG_VERSION + 1}, this one knows up to {CATALOG_VERSION}"):
        load(newer)


def test_rows_without_a_version_are_no_catalog() -> None:
    with pytest.raises(SqlError, match="no version"):
        migrate([("role", "10", "{}")])


def test_what_is_written_now_is_of_the_newest_version() -> None:
    assert catalog_version(rows(initial_state())) == CATALOG_VERSION


def test_an_upgrade_is_the_difference_that_migration_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (_rename_kind, _add_row)
    monkeypatch.setattr("catalog.durable.rows.migrate", lambda found: migrate(found, steps))
    updates = upgrade(_OLD)
    gone = {row for row, change in updates if change == -1}
    come = {row for row, change in updates if change == 1}
    assert gone == set(_OLD) and (set(_OLD) - gone) | come == set(migrate(_OLD, steps))
    assert upgrade(migrate(_OLD, steps)) == []
