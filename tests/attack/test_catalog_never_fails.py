"""System relations answer whatever objects there are: over a column of any type, and with one whose text fails."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import psycopg
import pytest
from structlog.testing import capture_logs

from catalog.builtin import mz_catalog_rows
from catalog.builtin.registry import builtin_relations
from catalog.facts import shown as shown_texts
from catalog.nouns.items import Item, MaterializedView
from catalog.sql.definitions import create_sql
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.time.timestamp import Timestamp
from model.types.scalar_type import TypeName
from planner.ir.scalar import Scalar
from server.objects.maintained import dataflow_words
from server.objects.maintained.dataflow_words import words_of
from server.objects.maintained.description import outline
from server.planning.statement_plans import Planning
from tests.catalog.miniature import Miniature
from tests.judge import psql
from tests.server.memory_server import MemoryServer, memory_server

Connection = psycopg.Connection[tuple[object, ...]]

_TYPES = """
CREATE TYPE em AS ENUM ('x', 'y');
CREATE TYPE nolabels AS ENUM ();
CREATE DOMAIN dm AS em;
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE TYPE pair AS (a em, b int);
CREATE TYPE enums AS (a em, b em);
CREATE DOMAIN pairs AS pair;
"""
_USERS = ("em", "nolabels", "dm", "positive", "pair", "enums", "pairs")
_NOT_OF_COLUMNS = re.compile(
    r"any.*|void|unknown|record|enum|range|multirange|array|list|map|pg_node_tree|aclitem|.*vector"
)
_MEMBERED = ("int list", "text list", "map[text=>int]", "map[text=>text]", "int list list")
_PLAIN = tuple(name.value for name in TypeName if not _NOT_OF_COLUMNS.fullmatch(name.value))
_IN_SQL = {"char": '"char"', "wide": "numeric(50, 10)"}
_ALL = (*(_IN_SQL.get(name, name) for name in (*_PLAIN, *_USERS)), *_MEMBERED)
_VIEWS = {
    "distinct": "SELECT DISTINCT c FROM {t}",
    "grouped": "SELECT c, count(*), max(k) FROM {t} GROUP BY c",
    "told_apart": "SELECT k, count(DISTINCT c) FROM {t} GROUP BY k",
    "left_joined": "SELECT l.k, r.k AS rk FROM {t} l LEFT JOIN {t} r ON l.c = r.c",
    "full_joined": "SELECT l.k, r.c FROM {t} l FULL JOIN {t} r ON l.c IS NOT DISTINCT FROM r.c AND l.k = r.k",
    "lessened": "SELECT c, k FROM {t} EXCEPT SELECT c, 0 FROM {t}",
    "numbered": "SELECT c, row_number() OVER (PARTITION BY c ORDER BY k) AS n FROM {t}",
    "topmost": "SELECT DISTINCT ON (c) c, k FROM {t} ORDER BY c, k",
    "contained": "SELECT k FROM {t} WHERE c IN (SELECT c FROM {t} WHERE k > 1)",
    "aggregated": "SELECT max(c), min(c) FROM {t}",
    "outer_joined": "SELECT l.k, r.c FROM {t} l LEFT JOIN {t} r ON l.k = r.k",
    "counted": "SELECT k, count(c) FROM {t} GROUP BY k",
}
_ASKED = (r"\d+", r"\dT+", r"\d+ public.*")


@pytest.fixture(scope="module")
def everything() -> Miniature:
    """A catalog with views of every kind over a column of every type, so far as the kind takes it."""
    catalog = Miniature()
    catalog.execute(_TYPES)
    for number, type_ in enumerate(_ALL):
        catalog.execute(f"CREATE TABLE t{number} (c {type_}, k int)")
        made = [kind for kind in _VIEWS if _made(catalog, kind, number)]
        assert {"outer_joined", "counted"} <= set(made), type_
    return catalog


def _made(catalog: Miniature, kind: str, number: int) -> bool:
    """Makes a view; whether the type can be used so."""
    try:
        catalog.execute(f"CREATE MATERIALIZED VIEW {kind}{number} AS {_VIEWS[kind].format(t=f't{number}')}")
    except SqlError:
        return False
    return True


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            connection.execute(_TYPES)
            for number, type_ in enumerate(("em", "dm", "pair")):
                connection.execute(f"CREATE TABLE t{number} (c {type_}, k int)".encode())
                for kind in ("grouped", "left_joined"):
                    query = _VIEWS[kind].format(t=f"t{number}")
                    connection.execute(f"CREATE MATERIALIZED VIEW {kind}{number} AS {query}".encode())
        yield running


def _read_all(connection: Connection) -> None:
    """Every system relation."""
    for relation in builtin_relations():
        connection.execute(f'SELECT * FROM {relation.schema}."{relation.name}"'.encode()).fetchall()


def _ask_all(server: MemoryServer) -> str:
    """What psql shows of everything there is."""
    commands = [part for asked in _ASKED for part in ("-c", asked)]
    ended = subprocess.run(
        [psql(), "-X", "-d", server.dsn(), *commands], capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode == 0 and "ERROR" not in ended.stderr, ended.stderr
    return ended.stdout


def test_every_system_relation_answers_whatever_types_views_are_over(everything: Miniature) -> None:
    for relation in builtin_relations():
        (answer,) = everything.execute(f'SELECT * FROM {relation.schema}."{relation.name}"')
        assert "(cannot be shown" not in str(answer.rows)


def test_what_is_arranged_over_any_type_has_words(everything: Miniature) -> None:
    planning, found = Planning(), {}
    for item in everything.state.items.values():
        if isinstance(item.definition, MaterializedView):
            description = outline(everything.state, item, planning).at(Timestamp(1))
            found.update({f"{item.name} {name}": told for name, told in words_of(description).arrangements.items()})
    assert len(found) > 5 * len(_ALL)
    assert not [name for name, told in found.items() if "(cannot be shown" in "".join(told)]
    assert any("coalesce" in key and "0.0" in key for _, key in found.values()), "an enum's stand-in for NULL is shown"


def test_a_view_grouped_by_an_enum_closes_no_catalog(server: MemoryServer) -> None:
    with server.connect() as connection:
        _read_all(connection)
    assert "(cannot be shown" not in _ask_all(server)


def _fail(*arguments: object, **named: object) -> str:
    raise LookupError("a text without words")


def test_a_text_that_fails_costs_its_own_cell(server: MemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    makers = {
        "catalog.builtin.mz_catalog_rows": ("create_sql", "view_query", "index_key_sql", "shown_default"),
        "catalog.builtin.sink_rows": ("create_sql",),
        "catalog.builtin.information_schema": ("view_query", "shown_default"),
        "catalog.builtin.pg_catalog.lists": ("view_query", "index_sql"),
        "catalog.builtin.pg_catalog.indexes": ("index_key_sql",),
        "catalog.lookup.system_lookup": ("view_query", "shown_default", "index_sql", "index_key_sql"),
        "catalog.facts.constraints": ("constraint_sql",),
    }
    with server.connect() as connection:
        connection.execute("CREATE TABLE marked (a int PRIMARY KEY DEFAULT 3, CHECK (a > 0))")
        connection.execute("CREATE INDEX ON marked (abs(a))")
        connection.execute("CREATE VIEW planted AS SELECT a FROM marked")
        for module, names in makers.items():
            for name in names:
                monkeypatch.setattr(f"{module}.{name}", _fail)
        _read_all(connection)
        row = connection.execute("SELECT count(*), pg_get_viewdef('planted'::regclass) FROM pg_class").fetchone()
        assert row is not None and row[1] == "(cannot be shown: LookupError)"
        assert "marked" in _ask_all(server)


def test_a_dataflow_without_words_closes_no_catalog(server: MemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def described() -> list[dataflow_words.Arrangements]:
        installed = [server.environment.dataflows._installed[each] for each in server.environment.dataflows]
        return [words_of(each.prepared.description).arrangements for each in installed]

    def fail(scalar: Scalar) -> str:
        raise KeyError(0.0)

    monkeypatch.setattr(dataflow_words, "explain_scalar", fail)
    monkeypatch.setattr(shown_texts, "_logged", set())
    with capture_logs() as logged:
        assert any("(cannot be shown: KeyError)" in key for each in server.run(described()) for _, key in each.values())
    assert len(logged) == 1, "what fails alike is logged once"
    monkeypatch.setattr(dataflow_words, "plan_maintenance", _fail)
    with capture_logs() as logged:
        assert all(server.run(described())), "what is exported is told of"
    assert len(logged) == len(list(server.environment.dataflows))


def test_one_object_s_failing_text_leaves_others_theirs(server: MemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(state: CatalogState, item: Item) -> str:
        return _fail() if item.name == "t0" else create_sql(state, item)

    monkeypatch.setattr(mz_catalog_rows, "create_sql", failing)
    with server.connect() as connection:
        said = dict(connection.execute("SELECT name, create_sql FROM mz_tables WHERE id LIKE 'u%'").fetchall())
    assert said["t0"] == "(cannot be shown: LookupError)" and str(said["t1"]).startswith("CREATE TABLE")
