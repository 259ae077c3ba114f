"""Sequences as items: what is durable comes back, and what goes with what."""

from __future__ import annotations

import pytest

from catalog.durable.rows import diff, load, rows
from catalog.facts.defaults import relations_named
from catalog.nouns.items import Item, SequenceDefinition, Table
from catalog.sql.definitions import create_sql
from model.errors.sql_error import SqlError
from tests.catalog.miniature import Miniature

_SETUP = """
CREATE SEQUENCE s AS smallint INCREMENT -2 MINVALUE -7 MAXVALUE 100 START 40 CACHE 3 CYCLE;
CREATE TABLE t (a serial, b bigint GENERATED ALWAYS AS IDENTITY (START 9), c int DEFAULT nextval('s'));
CREATE TABLE u (a int DEFAULT nextval('t_a_seq'), b int DEFAULT 5);
CREATE SEQUENCE o OWNED BY u.b;
"""


@pytest.fixture
def catalog() -> Miniature:
    miniature = Miniature()
    miniature.execute(_SETUP)
    return miniature


def _named(catalog: Miniature, name: str) -> Item:
    (found,) = [item for item in catalog.state.items.values() if item.name == name]
    return found


def _names(catalog: Miniature) -> list[str]:
    return sorted(item.name for item in catalog.state.items.values())


def _defaults(catalog: Miniature, table: str) -> tuple[str | None, ...]:
    definition = _named(catalog, table).definition
    assert isinstance(definition, Table)
    return definition.defaults


def test_what_is_written_is_what_is_read(catalog: Miniature) -> None:
    assert load(rows(catalog.state)) == catalog.state
    before = catalog.state
    catalog.execute("DROP SEQUENCE s CASCADE")
    written = set(rows(before))
    for row, count in diff(before, catalog.state):
        (written.add if count > 0 else written.remove)(row)
    assert written == rows(catalog.state)


def test_a_default_names_its_sequence_for_ever(catalog: Miniature) -> None:
    catalog.execute("ALTER SEQUENCE s RENAME TO r")
    default = _defaults(catalog, "t")[2]
    assert default is not None and relations_named(default) == (_named(catalog, "r").oid,)
    (answer,) = catalog.execute("SELECT column_default FROM information_schema.columns WHERE column_name = 'c'")
    assert answer.rows == (("nextval('r'::regclass)",),)


def test_a_definition_says_what_makes_its_values(catalog: Miniature) -> None:
    made = "CREATE TABLE public.t (a integer DEFAULT nextval('public.t_a_seq'::regclass) NOT NULL,"
    assert create_sql(catalog.state, _named(catalog, "t")).startswith(
        f"{made} b bigint GENERATED ALWAYS AS IDENTITY NOT NULL, c integer DEFAULT nextval('public.s'::regclass))"
    )
    assert create_sql(catalog.state, _named(catalog, "s")) == (
        "CREATE SEQUENCE public.s AS smallint START WITH 40 INCREMENT BY -2 MINVALUE -7 MAXVALUE 100 CACHE 3 CYCLE;"
    )


def test_a_table_takes_the_sequences_of_its_columns_along(catalog: Miniature) -> None:
    catalog.execute("DROP TABLE u")
    assert _names(catalog) == ["s", "t", "t_a_seq", "t_b_seq"]
    catalog.execute("DROP TABLE t")
    assert _names(catalog) == ["s"]


def test_a_dropped_sequence_takes_defaults_along_and_no_tables(catalog: Miniature) -> None:
    with pytest.raises(SqlError, match="cannot drop sequence s because other objects depend on it"):
        catalog.execute("DROP SEQUENCE s")
    catalog.execute("DROP SEQUENCE s, t_a_seq CASCADE")
    assert _names(catalog) == ["o", "t", "t_b_seq", "u"]
    assert _defaults(catalog, "t") == (None, None, None)
    assert _defaults(catalog, "u") == (None, "5")


def test_a_table_whose_sequence_others_use_is_not_dropped_without_cascade(catalog: Miniature) -> None:
    with pytest.raises(SqlError) as raised:
        catalog.execute("DROP TABLE t")
    assert raised.value.detail == "default value for column a of table u depends on sequence t_a_seq"
    catalog.execute("DROP TABLE t, u")
    assert _names(catalog) == ["s"]


def test_a_schema_goes_with_its_sequences_and_the_defaults_elsewhere(catalog: Miniature) -> None:
    catalog.execute("CREATE SCHEMA x; CREATE SEQUENCE x.y; CREATE TABLE w (a int DEFAULT nextval('x.y'))")
    with pytest.raises(SqlError):
        catalog.execute("DROP SCHEMA x")
    catalog.execute("DROP SCHEMA x CASCADE")
    assert _defaults(catalog, "w") == (None,)


def test_the_ids_of_what_counts_are_given_once(catalog: Miniature) -> None:
    definitions = [item.definition for item in catalog.state.items.values()]
    collections = [each.collection for each in definitions if isinstance(each, SequenceDefinition)]
    assert len(set(collections)) == len(collections) == 4
    assert all(each.number < catalog.state.next_user_id for each in collections)
