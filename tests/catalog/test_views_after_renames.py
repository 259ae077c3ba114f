"""A view's SQL, planned again after what it names was renamed, is the plan that it was."""

from __future__ import annotations

import pytest

from catalog.lookup.planner_view import BoundCatalogView
from catalog.nouns.items import Table, View
from model.errors.sql_error import SqlError
from planner.catalog_view import PlanningContext
from planner.ir.relation import Relation
from planner.plans.views import CreateViewPlan
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse
from tests.catalog.miniature import Miniature

_SETUP = """
CREATE SCHEMA s;
CREATE TABLE t (id int, "Name" text);
CREATE TABLE s.u (id int, at date);
CREATE VIEW inner_view AS SELECT id, "Name" FROM t;
CREATE VIEW s.v AS
  SELECT t.*, u.at, (SELECT count(*) FROM inner_view i WHERE i.id = t.id) AS n, (SELECT max(relname) FROM pg_class) AS m
  FROM t JOIN s.u ON u.id = t.id WHERE t."Name" <> 'from t';
"""

RENAMES = [
    "ALTER TABLE t RENAME TO other",
    'ALTER TABLE t RENAME COLUMN "Name" TO at',
    'ALTER TABLE t RENAME COLUMN id TO number; ALTER TABLE t RENAME COLUMN "Name" TO id',
    "ALTER TABLE t RENAME TO t3; ALTER TABLE s.u RENAME TO t; CREATE TABLE s.u (z bool)",
    "ALTER SCHEMA s RENAME TO s2; CREATE SCHEMA s; CREATE TABLE s.u (id text)",
    "ALTER VIEW inner_view RENAME COLUMN id TO x",
    'CREATE OR REPLACE VIEW inner_view AS SELECT id, "Name", 5 AS extra FROM t',
    "ALTER SCHEMA public RENAME TO elsewhere",
]


def _planned(miniature: Miniature, name: str) -> tuple[Relation, tuple[str, ...]]:
    item = next(item for item in miniature.state.items.values() if item.name == name)
    definition = item.definition
    assert isinstance(definition, View)
    (statement,) = parse(definition.create_sql)
    context = PlanningContext(
        BoundCatalogView(miniature.state, definition), definition.written.database, (), "headwater"
    )
    plan = plan_statement(statement, context).plan
    assert isinstance(plan, CreateViewPlan)
    assert plan.depends_on == item.depends_on
    return plan.query.relation, plan.columns


@pytest.mark.parametrize("rename", RENAMES)
def test_a_rename_leaves_the_plan_as_it_was(rename: str) -> None:
    miniature = Miniature()
    miniature.execute(_SETUP)
    before = _planned(miniature, "v")
    for statement in rename.split("; "):
        miniature.execute(statement)
    assert _planned(miniature, "v") == before


@pytest.mark.parametrize("rename", RENAMES)
def test_the_definition_shown_means_the_same_now(rename: str) -> None:
    """A view made from it in the renamed catalog reads what the old one reads."""
    miniature = Miniature()
    miniature.execute(_SETUP)
    for statement in rename.split("; "):
        miniature.execute(statement)
    schema, oid = miniature.execute("SELECT relnamespace::regnamespace, oid FROM pg_class WHERE relname = 'v'")[0].rows[
        0
    ]
    shown = miniature.execute(f"SELECT pg_get_viewdef({oid})")[0].rows[0][0]
    miniature.execute(f"CREATE VIEW {schema}.copy AS {shown}")
    old, new = (next(i for i in miniature.state.items.values() if i.name == name) for name in ("v", "copy"))
    assert (new.desc, new.depends_on) == (old.desc, old.depends_on)


def test_definitions_show_present_names() -> None:
    miniature = Miniature()
    miniature.execute("CREATE TABLE t (a int, b int); CREATE VIEW v (x, y) AS SELECT t.a, b FROM t")
    shown = "SELECT definition FROM pg_views WHERE viewname = 'v'"
    before = " SELECT * FROM (SELECT t.a, b FROM public.t) AS v (x, y);"
    assert miniature.execute(shown)[0].rows == ((before,),)
    miniature.execute("ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME COLUMN b TO c")
    after = " SELECT * FROM (SELECT t.a, b FROM public.u AS t (a, b)) AS v (x, y);"
    assert miniature.execute(shown)[0].rows == ((after,),)


@pytest.mark.parametrize("constant", ["'t'::regclass", "'public.t'::regclass", "regclass 't'"])
def test_a_regclass_constant_is_bound_too(constant: str) -> None:
    miniature = Miniature()
    miniature.execute("CREATE TABLE t (a int)")
    miniature.execute(f"CREATE VIEW x AS SELECT {constant} AS c")
    before = _planned(miniature, "x")
    miniature.execute("ALTER TABLE t RENAME TO u")
    assert _planned(miniature, "x") == before
    with pytest.raises(SqlError, match="other objects depend on it"):
        miniature.execute("DROP TABLE u")


def test_a_renamed_view_keeps_its_query_under_its_new_name() -> None:
    miniature = Miniature()
    miniature.execute(_SETUP)
    before = _planned(miniature, "v")
    miniature.execute("ALTER VIEW s.v RENAME TO w")
    miniature.execute("ALTER VIEW s.w RENAME COLUMN n TO renamed")
    assert _planned(miniature, "w") == before
    item = next(item for item in miniature.state.items.values() if item.name == "w")
    assert item.desc.names == ("id", "Name", "at", "renamed", "m")


@pytest.mark.parametrize(
    "made",
    [
        """CREATE TABLE x (a int NOT NULL DEFAULT 1 + 2, "B c" varchar(3), c numeric(9,2)[] DEFAULT '{1}', d char(2))
        WITH (RETAIN HISTORY FOR '5s')""",
        'CREATE VIEW x (n, "M") AS SELECT relname, \'as\' AS "as" FROM pg_class;',
    ],
)
def test_the_statement_shown_makes_the_same_again(made: str) -> None:
    miniature = Miniature()
    miniature.execute(made)
    kind = "view" if "VIEW" in made else "table"
    (item,) = miniature.state.items.values()
    shown = miniature.execute(f"SHOW CREATE {kind} x")[0].rows[0][1]
    assert shown is not None
    miniature.execute(f"DROP {kind} x")
    miniature.execute(shown)
    (again,) = miniature.state.items.values()
    assert again.desc == item.desc
    if isinstance(item.definition, Table) and isinstance(again.definition, Table):
        assert again.definition.retain_history_ms == item.definition.retain_history_ms == 5000
        assert again.definition.defaults == item.definition.defaults
