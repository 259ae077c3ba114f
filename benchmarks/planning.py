"""How long twenty typical statements take from text to plan: the first time, and from the cache."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from itertools import count, repeat

from benchmarks.report import Measure
from model.process.collecting import set_aside
from planner.syntax.parse import parse
from server.planning.statement_plans import Planned, Planning, PlanningSession
from tests.catalog.miniature import Miniature

_CATALOG = """
CREATE TABLE customers (id int NOT NULL, name text, city text, since date);
CREATE TABLE orders (id int NOT NULL, customer int, item text, price numeric(9,2), at timestamptz);
CREATE TABLE events (id bigint, kind text, payload jsonb, at timestamp);
CREATE VIEW totals AS SELECT customer, count(*) AS n, sum(price) AS total FROM orders GROUP BY customer;
CREATE INDEX totals_customer ON totals (customer);
CREATE INDEX orders_customer_item ON orders (customer, item);
"""
STATEMENTS = {
    "a constant": "SELECT 1",
    "lookup by key": "SELECT n, total FROM totals WHERE customer = $1",
    "lookup by part of a key": "SELECT * FROM orders WHERE customer = 17",
    "whole table": "SELECT * FROM customers",
    "filter": "SELECT id, price FROM orders WHERE price > 10 AND item LIKE 'a%' AND at >= '2024-01-01'",
    "count": "SELECT count(*) FROM orders",
    "group": "SELECT item, count(*), sum(price) FROM orders GROUP BY item HAVING count(*) > 3 ORDER BY 2 DESC",
    "join": "SELECT c.name, o.item FROM customers c JOIN orders o ON o.customer = c.id WHERE c.city = 'Oslo'",
    "three joins": "SELECT a.id FROM orders a JOIN orders b USING (customer) JOIN customers c ON c.id = a.customer"
    " LEFT JOIN events e ON e.id = a.id WHERE c.name <> b.item",
    "view in a join": "SELECT c.name, t.total FROM customers c JOIN totals t ON t.customer = c.id ORDER BY 2 LIMIT 9",
    "in subquery": "SELECT name FROM customers WHERE id IN (SELECT customer FROM orders WHERE price > 100)",
    "correlated": "SELECT name, (SELECT max(price) FROM orders o WHERE o.customer = c.id) FROM customers c",
    "not exists": "SELECT id FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id)",
    "window": "SELECT id, row_number() OVER (PARTITION BY customer ORDER BY price), sum(price) OVER () FROM orders",
    "with": "WITH big AS (SELECT * FROM orders WHERE price > 50) SELECT customer, count(*) FROM big GROUP BY 1",
    "union": "SELECT id FROM customers UNION SELECT customer FROM orders EXCEPT SELECT id::int FROM events",
    "json": "SELECT payload->>'a', (payload->'b'->>0)::int FROM events WHERE payload @> '{\"c\": 1}'",
    "case, dates": "SELECT CASE WHEN at < now() - interval '1 day' THEN 'old' ELSE to_char(at, 'YYYY') END FROM events",
    "insert": "INSERT INTO orders VALUES ($1, $2, $3, $4, now())",
    "update": "UPDATE orders SET price = price * 1.1 WHERE customer = $1 AND item = 'pen'",
}
_COLD_RUNS = 15
_CACHED_RUNS = 300
_CACHED_MS_MAX = 0.2
_FRESH = count()


def measure_planning() -> list[Measure]:
    """Milliseconds; a statement is new to both caches when its text is."""
    miniature = Miniature()
    miniature.execute(_CATALOG)
    # As a server does once it has started: what was loaded by then is looked at by Python's collector no more.
    set_aside()
    planning, session = Planning(), PlanningSession("headwater", ("public",), "headwater")

    def plan(sql: str) -> Planned:
        (statement,) = parse(sql)
        return planning.plan(statement, miniature.state, session)

    cold = {
        name: _median_ms(plan, (f"{sql} -- {next(_FRESH)}" for _ in range(_COLD_RUNS)))
        for name, sql in STATEMENTS.items()
    }
    cached = {name: _median_ms(plan, repeat(sql, _CACHED_RUNS)) for name, sql in STATEMENTS.items()}
    return [
        *(
            Measure(f"parse and plan: {name}", cold[name], "ms", note=f"from the cache {cached[name]:.4f} ms")
            for name in STATEMENTS
        ),
        Measure("parse and plan, cold: median", statistics.median(cold.values()), "ms"),
        Measure("parse and plan, cold: slowest", max(cold.values()), "ms"),
        Measure("parse and plan, cached: median", statistics.median(cached.values()), "ms"),
        Measure("parse and plan, cached: slowest", max(cached.values()), "ms", _CACHED_MS_MAX, at_least=False),
    ]


def _median_ms(run: Callable[[str], object], texts: Iterable[str]) -> float:
    times = []
    for text in texts:
        began = time.perf_counter()
        run(text)
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000
