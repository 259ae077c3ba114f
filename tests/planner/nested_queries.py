"""Queries that nest one kind of thing in itself, to any depth; over tables t and u of integers a and b.

`{s}` stands for what is within, `{d}` for the depth, and `{p}` for that of the one around it.
"""

from __future__ import annotations

GROWING: dict[str, tuple[str, str, str]] = {
    "exists": ("EXISTS (SELECT FROM t t{d} WHERE t{d}.a = t{p}.a AND {s})", "TRUE", "SELECT FROM t t0 WHERE {s}"),
    "not exists": (
        "NOT EXISTS (SELECT FROM t t{d} WHERE t{d}.a = t{p}.a AND {s})",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists neq": ("EXISTS (SELECT FROM t t{d} WHERE t{d}.a < t{p}.a AND {s})", "TRUE", "SELECT FROM t t0 WHERE {s}"),
    "exists or": (
        "(t{p}.b = {d} OR EXISTS (SELECT FROM t t{d} WHERE t{d}.a = t{p}.a AND {s}))",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists outermost": (
        "EXISTS (SELECT FROM t t{d} WHERE t{d}.a = t0.a AND {s})",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists fallible": (
        "EXISTS (SELECT FROM t t{d} WHERE t{d}.a + t{p}.b = t{p}.a AND {s})",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists limit": (
        "EXISTS (SELECT FROM t t{d} WHERE t{d}.a = t{p}.a AND {s} LIMIT 1)",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists group": (
        "EXISTS (SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND {s} GROUP BY t{d}.b HAVING count(*) > 1)",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists selected": ("EXISTS (SELECT FROM t t{d} WHERE t{d}.a = t{p}.a AND {s})", "TRUE", "SELECT {s} FROM t t0"),
    "exists join": (
        "EXISTS (SELECT FROM t t{d} JOIN u u{d} ON u{d}.a = t{d}.a AND t{d}.b = t{p}.a WHERE {s})",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists left join": (
        "EXISTS (SELECT FROM t t{d} LEFT JOIN u u{d} ON u{d}.a = t{d}.a AND {s} WHERE t{d}.b = t{p}.a)",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists join on": (
        "EXISTS (SELECT FROM t t{d} JOIN u u{d} ON u{d}.a = t{d}.a AND {s} WHERE t{d}.b = t{p}.a)",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists union": (
        (
            "EXISTS (SELECT FROM (SELECT a FROM t t{d} WHERE t{d}.a = t{p}.a AND {s}"
            " UNION ALL SELECT a FROM u WHERE u.a = t{p}.b) x{d})"
        ),
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "exists twice": (
        (
            "EXISTS (SELECT FROM t t{d} WHERE t{d}.a = t{p}.a "
            "AND t{d}.b = (SELECT max(b) FROM u WHERE u.a = t{d}.a) AND {s})"
        ),
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "in": ("t{p}.b IN (SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND {s})", "TRUE", "SELECT FROM t t0 WHERE {s}"),
    "in uncorr": ("t{p}.b IN (SELECT t{d}.b FROM t t{d} WHERE {s})", "TRUE", "SELECT FROM t t0 WHERE {s}"),
    "not in": (
        "t{p}.b NOT IN (SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND {s})",
        "TRUE",
        "SELECT FROM t t0 WHERE {s}",
    ),
    "not in uncorr": ("t{p}.b NOT IN (SELECT t{d}.b FROM t t{d} WHERE {s})", "TRUE", "SELECT FROM t t0 WHERE {s}"),
    "in selected": ("t{p}.b IN (SELECT t{d}.b FROM t t{d} WHERE {s})", "TRUE", "SELECT {s} FROM t t0"),
    "in selected corr": (
        "t{p}.b IN (SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND {s})",
        "TRUE",
        "SELECT {s} FROM t t0",
    ),
    "in left operand": ("({s}) IN (SELECT t{d}.b = 1 FROM t t{d})", "TRUE", "SELECT {s} FROM t t0"),
    "all": ("t{p}.b > ALL (SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND {s})", "TRUE", "SELECT {s} FROM t t0"),
    "any row": ("(t{p}.a, t{p}.b) = ANY (SELECT t{d}.a, t{d}.b FROM t t{d} WHERE {s})", "TRUE", "SELECT {s} FROM t t0"),
    "scalar agg": ("(SELECT sum(t{d}.b + {s}) FROM t t{d} WHERE t{d}.a = t{p}.a)", "1", "SELECT {s} FROM t t0"),
    "scalar where": (
        "(SELECT max(t{d}.b) FROM t t{d} WHERE t{d}.a = t{p}.a AND t{d}.b = {s})",
        "1",
        "SELECT FROM t t0 WHERE t0.b = {s}",
    ),
    "scalar plain": ("(SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND t{d}.b = {s})", "1", "SELECT {s} FROM t t0"),
    "scalar limit": (
        "(SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND t{d}.b = {s} ORDER BY t{d}.b LIMIT 1)",
        "1",
        "SELECT {s} FROM t t0",
    ),
    "scalar case": (
        (
            "CASE WHEN t{p}.a > {d} THEN (SELECT max(t{d}.b) FROM t t{d} WHERE t{d}.a = t{p}.a "
            "AND t{d}.b = {s}) ELSE 1 / t{p}.b END"
        ),
        "1",
        "SELECT {s} FROM t t0",
    ),
    "scalar coalesce": (
        "coalesce((SELECT max(t{d}.b) FROM t t{d} WHERE t{d}.a = t{p}.a AND t{d}.b = {s}), 1 / t{p}.b)",
        "1",
        "SELECT {s} FROM t t0",
    ),
    "array": (
        "cardinality(ARRAY(SELECT t{d}.b FROM t t{d} WHERE t{d}.a = t{p}.a AND t{d}.b = {s}))",
        "1",
        "SELECT {s} FROM t t0",
    ),
    "lateral": (
        "(SELECT t{d}.a FROM t t{d}, LATERAL {s} l{d} WHERE t{d}.a = t{p}.a)",
        "(SELECT 1 AS a)",
        "SELECT * FROM t t0, LATERAL {s} l0",
    ),
    "lateral agg": (
        "(SELECT max(l{d}.a) AS a FROM t t{d}, LATERAL {s} l{d} WHERE t{d}.a = t{p}.a)",
        "(SELECT 1 AS a)",
        "SELECT * FROM t t0, LATERAL {s} l0",
    ),
    "lateral left": (
        "(SELECT t{d}.a FROM t t{d} LEFT JOIN LATERAL {s} l{d} ON l{d}.a = t{d}.b WHERE t{d}.a = t{p}.a)",
        "(SELECT 1 AS a)",
        "SELECT * FROM t t0 LEFT JOIN LATERAL {s} l0 ON true",
    ),
    "lateral limit": (
        "(SELECT t{d}.a FROM t t{d}, LATERAL {s} l{d} WHERE t{d}.a = t{p}.a ORDER BY t{d}.b LIMIT 2)",
        "(SELECT 1 AS a)",
        "SELECT * FROM t t0, LATERAL {s} l0",
    ),
    "lateral cte": (
        (
            "(WITH c AS (SELECT * FROM t WHERE t.a = t{p}.a) SELECT t{d}.a FROM c t{d} "
            "JOIN c y ON y.a = t{d}.a, LATERAL {s} l{d})"
        ),
        "(SELECT 1 AS a)",
        "SELECT * FROM t t0, LATERAL {s} l0",
    ),
    "greatest": ("greatest({s}, b)", "a", "SELECT {s} FROM t"),
    "distinct": ("({s} IS DISTINCT FROM b)::int", "a", "SELECT {s} FROM t"),
    "coalesce": ("coalesce({s}, b)", "a", "SELECT {s} FROM t"),
    "case else": ("CASE WHEN a = 1 THEN 2 ELSE {s} END", "a", "SELECT {s} FROM t"),
    "case when": ("CASE WHEN {s} = 1 THEN 2 ELSE b END", "a", "SELECT {s} FROM t"),
    "row eq": ("(ROW({s}, {d}) = ROW(b, 2))::int", "a", "SELECT {s} FROM t"),
    "array el": ("(ARRAY[{s}, 1])[1]", "a", "SELECT {s} FROM t"),
    "any array": ("({s} = ANY (ARRAY[1, b]))::int", "a", "SELECT {s} FROM t"),
    "is true": ("(({s} = 1) IS TRUE)::int", "a", "SELECT {s} FROM t"),
    "union": ("({s} UNION SELECT a FROM u)", "(SELECT a FROM t)", "{s}"),
    "union right": ("(SELECT a FROM u UNION {s})", "(SELECT a FROM t)", "{s}"),
    "union all null": ("(SELECT NULL UNION ALL {s})", "(SELECT a FROM t)", "{s}"),
    "except": ("(SELECT a FROM u EXCEPT ALL {s})", "(SELECT a FROM t)", "{s}"),
    "intersect": ("(SELECT a FROM u INTERSECT {s})", "(SELECT a FROM t)", "{s}"),
    "derived": ("(SELECT a, b FROM {s} x{d} WHERE a > {d})", "t", "SELECT * FROM {s} y"),
    "derived calc": ("(SELECT a + b AS a, a * b AS b FROM {s} x{d})", "t", "SELECT * FROM {s} y"),
    "derived join": ("(SELECT x.a, y.b FROM {s} x JOIN u y ON x.a = y.a)", "t", "SELECT * FROM {s} y"),
    "derived left join": ("(SELECT x.a, y.b FROM u x LEFT JOIN {s} y ON x.a = y.a)", "t", "SELECT * FROM {s} y"),
    "derived full join": ("(SELECT x.a, y.b FROM u x FULL JOIN {s} y ON x.a = y.a)", "t", "SELECT * FROM {s} y"),
    "derived group": ("(SELECT a, count(*)::int AS b FROM {s} x{d} GROUP BY a)", "t", "SELECT * FROM {s} y"),
    "derived window": (
        "(SELECT a, (row_number() OVER (PARTITION BY a ORDER BY b))::int AS b FROM {s} x{d})",
        "t",
        "SELECT * FROM {s} y",
    ),
    "derived distinct on": ("(SELECT DISTINCT ON (a) a, b FROM {s} x{d} ORDER BY a, b)", "t", "SELECT * FROM {s} y"),
    "derived rollup": ("(SELECT a, count(*)::int AS b FROM {s} x{d} GROUP BY ROLLUP (a))", "t", "SELECT * FROM {s} y"),
    "derived cube": ("(SELECT a, b FROM {s} x{d} GROUP BY CUBE (a, b))", "t", "SELECT * FROM {s} y"),
    "derived filter agg": (
        "(SELECT a, (count(DISTINCT b) FILTER (WHERE b > {d}))::int AS b FROM {s} x{d} GROUP BY a)",
        "t",
        "SELECT * FROM {s} y",
    ),
    "with nested": (
        "(WITH c AS (SELECT * FROM {s} z) SELECT x.a, y.b FROM c x JOIN c y ON x.a = y.a)",
        "t",
        "SELECT * FROM {s} y",
    ),
    "with materialized": (
        "(WITH c AS MATERIALIZED (SELECT * FROM {s} z) SELECT x.a, y.b FROM c x JOIN c y ON x.a = y.a)",
        "t",
        "SELECT * FROM {s} y",
    ),
    "with recursive": (
        (
            "(WITH RECURSIVE c AS (SELECT a, b FROM {s} z UNION SELECT c.a, c.b FROM c "
            "JOIN t ON t.a = c.b) SELECT a, b FROM c)"
        ),
        "t",
        "SELECT * FROM {s} y",
    ),
    "agg in agg query": (
        "(SELECT count(*) FILTER (WHERE {s} > 0) FROM t t{d} WHERE t{d}.a = t{p}.a)",
        "1",
        "SELECT {s} FROM t t0",
    ),
    "order by": ("(SELECT t{d}.b FROM t t{d} ORDER BY {s} LIMIT 1)", "1", "SELECT {s} FROM t t0"),
}
"""Planned in time and space that grow with the depth, or with its square."""

DOUBLING: dict[str, tuple[str, str, str]] = {
    "between": ("({s} BETWEEN a AND b)::int", "a", "SELECT {s} FROM t"),
    "between symmetric": ("({s} BETWEEN SYMMETRIC a AND b)::int", "a", "SELECT {s} FROM t"),
    "nullif": ("nullif({s}, b)", "a", "SELECT {s} FROM t"),
    "case simple": ("CASE {s} WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE a END", "a", "SELECT {s} FROM t"),
    "in list": ("({s} IN (1, b, 3))::int", "a", "SELECT {s} FROM t"),
    "row": ("(ROW({s}, 1) < ROW(b, 2))::int", "a", "SELECT {s} FROM t"),
    "row in": ("(ROW({s}, 1) IN (ROW(b, 2), ROW(1,2)))::int", "a", "SELECT {s} FROM t"),
    "limit": ("(SELECT count(*) FROM (SELECT 1 FROM t LIMIT {s}) x{d})", "1", "SELECT {s} FROM t t0"),
}
"""Each writes what is within twice or oftener: what they mean has as many parts as 2 to the depth, and is refused."""

_SHAPES = GROWING | DOUBLING


def nested(kind: str, depth: int) -> str:
    """The query of a kind that nests so deeply."""
    shape, within, around = _SHAPES[kind]
    for at in range(depth, 0, -1):
        within = shape.replace("{s}", within).replace("{d}", str(at)).replace("{p}", str(at - 1))
    return around.replace("{s}", within)
