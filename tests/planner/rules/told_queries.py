"""Tables of numerics with equal values that show different decimals, and queries over them: what is shown of each
value is known to the interpreter, whose numbers carry their decimals, and to plans by columns that tell them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from decimal import Decimal

from model.ids.global_id import GlobalId
from model.types.column_layout import plain_layout
from model.types.datum import Row
from model.types.decimals_columns import with_decimals_columns
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4, NUMERIC, ScalarType, has_own_decimals, numeric
from planner.catalog_view import ItemKind, ItemView, QualifiedName
from planner.functions.numbers.decimals import shown_decimals, with_decimals
from planner.ir.query import Query
from planner.ir.relation import Project, Relation, TopK
from planner.plans.queries import SelectPlan
from planner.statements.changes.generating import with_decimals_of_rows
from tests.planner.small_catalog import SmallCatalog

VALUES = tuple(map(Decimal, ("1", "1.0", "1.00", "2.5", "2.500", "-1", "0", "0.00", "10.20", "3.125", f"7.{22 * '0'}")))
_COLUMNS = (
    ColumnDesc("k", INT4),
    ColumnDesc("n", NUMERIC),
    ColumnDesc("m", NUMERIC),
    ColumnDesc("p", numeric(10, 2)),
)
DESC = with_decimals_columns(RelationDesc(_COLUMNS))

QUERIES = (
    "SELECT n FROM a",
    "SELECT n::text AS t, m FROM a",
    "SELECT a.n, b.n AS other FROM a JOIN b USING (k)",
    "SELECT a.n::text AS t FROM a JOIN b ON a.n = b.m",
    "SELECT a.n, b.m FROM a LEFT JOIN b ON a.k = b.k AND b.n::text = '1.0'",
    "SELECT a.n, b.n AS o, a.m + b.m AS s FROM a FULL JOIN b ON a.k = b.k",
    "SELECT n FROM a WHERE EXISTS (SELECT FROM b WHERE b.n = a.n)",
    "SELECT n, m FROM a WHERE NOT EXISTS (SELECT FROM b WHERE b.k = a.k AND b.n > 1)",
    "SELECT n FROM a WHERE n IN (SELECT m FROM b)",
    "SELECT n, count(*) FROM a GROUP BY n",
    "SELECT n, m, sum(p) AS s FROM a GROUP BY n, m",
    "SELECT k, sum(n) AS s, count(n) FROM a GROUP BY k",
    "SELECT sum(n) AS s, sum(m) FILTER (WHERE k > 1) AS f FROM a",
    "SELECT k, min(n) AS least, max(n) AS most FROM a GROUP BY k",
    "SELECT min(n) AS least, max(m) AS most, sum(n + m) AS s FROM a",
    "SELECT max(n) AS most FROM a",
    "SELECT k, max(n) AS most, count(*) FROM a GROUP BY k",
    "SELECT k, max(n) FILTER (WHERE m > 0) AS most FROM a GROUP BY k",
    "SELECT k, avg(n) AS mean, sum(n) AS s, max(n * 1.0) AS x FROM a GROUP BY k",
    "SELECT avg(n) AS mean, avg(k) AS of_k, avg(p) AS of_p FROM a",
    "SELECT string_agg(n::text, ',' ORDER BY n::text) AS t FROM a",
    "SELECT k, count(DISTINCT n) AS c, sum(DISTINCT n) AS s FROM a GROUP BY k",
    "SELECT DISTINCT n FROM a",
    "SELECT DISTINCT n, k FROM a",
    "SELECT n FROM a UNION SELECT m FROM b",
    "SELECT n FROM a UNION ALL SELECT n * 1.00 FROM b UNION ALL SELECT 7.70",
    "SELECT n FROM a EXCEPT SELECT m FROM b",
    "SELECT n FROM a EXCEPT ALL SELECT m FROM b",
    "SELECT n FROM a INTERSECT SELECT n FROM b",
    "SELECT n, m FROM a INTERSECT ALL SELECT n, m FROM b",
    "SELECT n FROM a WHERE n::text LIKE '%0'",
    "SELECT CASE WHEN k > 1 THEN n ELSE m END AS c, coalesce(n, m, 0) AS d FROM a",
    "SELECT n / 3 AS third, n * m AS product, n - m AS less, -n AS minus, abs(m) AS size FROM a",
    "SELECT round(n, 1) AS r, scale(n) AS s, trim_scale(n) AS t, n::int AS i FROM a",
    "SELECT k, n FROM (SELECT k, n FROM a ORDER BY k, n LIMIT 4) q",
    "SELECT DISTINCT ON (k) k, n, m FROM a ORDER BY k, n",
    "WITH w AS (SELECT k, n, m FROM a WHERE k > 0) SELECT x.n, y.m FROM w x JOIN w y ON x.k = y.k",
    "WITH w AS (SELECT k, sum(n) AS s FROM a GROUP BY k) SELECT w.s, x.s::text AS t FROM w, w x WHERE w.k = x.k",
    "SELECT x, n FROM a, generate_series(1, 2) x",
    "SELECT k, (SELECT max(b.n) FROM b WHERE b.k = a.k) AS most FROM a",
    "SELECT n, (SELECT a.n::text FROM b WHERE b.k = a.k LIMIT 1) AS t FROM a",
    "SELECT s::text AS t, count(*) FROM (SELECT k, sum(n) AS s FROM a GROUP BY k) q GROUP BY s",
    "SELECT k, max(s) AS most FROM (SELECT k, m, sum(n) AS s FROM a GROUP BY k, m) q GROUP BY k",
    "SELECT k, n FROM a GROUP BY GROUPING SETS ((k, n), (n), ())",
    "SELECT k, sum(n) OVER (PARTITION BY k ORDER BY m) AS s, lag(n, 1, 0.50) OVER (ORDER BY k, n) AS l FROM a",
    "SELECT first_value(n) OVER (PARTITION BY k ORDER BY m) AS f, avg(n) OVER (PARTITION BY k) AS mean, n FROM a",
    "SELECT k, max(n) OVER (PARTITION BY k ORDER BY m) AS x, min(-n) OVER (PARTITION BY k) AS y FROM a",
    "SELECT max(n::text) AS t, min(scale(n)) AS s FROM a GROUP BY m",
)


def catalog_of(dice: random.Random) -> SmallCatalog:
    """Tables a and b with random rows."""
    return catalog_of_rows({name: [random_values(dice) for _ in range(dice.choice((0, 1, 3, 6, 9)))] for name in "ab"})


def catalog_of_rows(tables: Mapping[str, Iterable[Row]]) -> SmallCatalog:
    """Tables with rows, whose decimals are stored, too."""
    catalog = SmallCatalog()
    for number, (name, rows) in enumerate(tables.items(), 1):
        id_ = GlobalId.user(number)
        layout = plain_layout(len(_COLUMNS))
        full = QualifiedName("headwater", "public", name)
        catalog.items.append(ItemView(id_, 20_000 + number, full, ItemKind.TABLE, DESC, layout=layout))
        catalog.rows[id_] = [(*row, *(_decimals(row[at]) for at in (1, 2))) for row in rows]
    return catalog


def random_row(dice: random.Random) -> Row:
    """Returns a row of either table as it is stored, with its decimals."""
    k, n, m, p = random_values(dice)
    return (k, n, m, p, _decimals(n), _decimals(m))


def random_values(dice: random.Random) -> Row:
    """Returns a row of either table as users see it."""
    n, m, p = (None if dice.random() < 0.1 else dice.choice(VALUES) for _ in range(3))
    price = None if p is None else with_decimals(p.quantize(Decimal("0.01")), 2)
    return (dice.choice((1, 2, 3)), n, m, price)


def _decimals(value: object) -> int | None:
    return shown_decimals(value) if isinstance(value, Decimal) else None


def forgotten(row: Row, types: tuple[ScalarType, ...]) -> Row:
    """Returns a row as Arrow holds it: numerics without zeros at their ends where their types don't tell these."""
    pairs = zip(row, types, strict=True)
    return tuple(v.normalize() if isinstance(v, Decimal) and has_own_decimals(type_) else v for v, type_ in pairs)


def stored_query(catalog: SmallCatalog, sql: str) -> Relation:
    """Returns the relation of a query whose rows are stored, with the decimals of its numerics behind."""
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    query: Query = with_decimals_of_rows(plan.query)
    finishing, relation = query.finishing, query.relation
    if finishing.limit is not None or finishing.offset is not None:
        relation = TopK(relation, (), finishing.order, finishing.limit, finishing.offset)
    return Project(relation, finishing.project)
