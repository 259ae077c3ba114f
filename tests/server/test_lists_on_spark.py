"""Lists and maps in a server's tables: what Spark reads, orders, groups, joins and computes of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.server_process import ServerProcess

pytestmark = [pytest.mark.spark, pytest.mark.timeout(600)]

_ANSWERS: dict[str, list[tuple[Any, ...]]] = {
    "SELECT * FROM kept ORDER BY id": [
        (1, "{1,2}", "{{1.50},{}}", "{a=>1,b=>NULL}"),
        (2, "{1}", "{}", "{}"),
        (3, "{1,NULL}", "{NULL,{2.00}}", '{"a b"=>3}'),
        (4, None, None, None),
    ],
    "SELECT id FROM kept ORDER BY items": [(2,), (1,), (3,), (4,)],
    "SELECT id FROM kept ORDER BY nested DESC, id": [(4,), (3,), (1,), (2,)],
    "SELECT id FROM kept ORDER BY facts": [(2,), (1,), (3,), (4,)],
    "SELECT items, count(*) FROM (SELECT items FROM kept UNION ALL SELECT items FROM kept) k GROUP BY 1 ORDER BY 1": [
        ("{1}", 2),
        ("{1,2}", 2),
        ("{1,NULL}", 2),
        (None, 2),
    ],
    "SELECT a.id FROM kept a JOIN kept b ON a.nested = b.nested AND a.facts = b.facts ORDER BY 1": [(1,), (2,), (3,)],
    "SELECT id FROM kept WHERE items < LIST[1, 2] OR facts @> MAP['a' => 1] ORDER BY 1": [(1,), (2,)],
    "SELECT items[2], nested[1][1]::text, facts -> 'a' FROM kept ORDER BY id": [
        (2, "1.50", 1),
        (None, None, None),
        (None, None, None),
        (None, None, None),
    ],
    "SELECT items || id, list_length(nested), map_length(facts), LIST[id, 0], MAP['k' => id] FROM kept WHERE id < 3": [
        ("{1,2,1}", 2, 2, "{1,0}", "{k=>1}"),
        ("{1,2}", 0, 0, "{2,0}", "{k=>2}"),
    ],
    "SELECT list_agg(items ORDER BY id), map_agg(id::text, items) FROM kept WHERE id < 3": [
        ("{{1,2},{1}}", "{1=>{1,2},2=>{1}}")
    ],
    "SELECT id, item FROM kept, unnest(items) AS item ORDER BY 1, 2": [(1, 1), (1, 2), (2, 1), (3, 1), (3, None)],
    "SELECT id, e.key, e.value FROM kept, unnest(facts) AS e WHERE id = 1 ORDER BY 2": [(1, "a", 1), (1, "b", None)],
    "SELECT items::int8 list, items::text FROM kept WHERE id = 1": [("{1,2}", "{1,2}")],
    "SELECT column2, x FROM kept, csv_extract(2, id || ',b'), regexp_extract('(?P<x>[12])', id::text) ORDER BY 2": [
        ("b", "1"),
        ("b", "2"),
    ],
}


@pytest.fixture(scope="module")
def client(headwater_server: ServerProcess) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with headwater_server.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS kept CASCADE")
        columns = "id int, items int list, nested numeric(5,2) list list, facts map[text=>int]"
        connection.execute(f"CREATE TABLE kept ({columns})")
        connection.execute(
            "INSERT INTO kept VALUES (1, '{1,2}', '{{1.5},{}}', '{b=>NULL,a=>1}'), (2, LIST[1], '{}', '{}'),"
            " (3, '{1,NULL}', '{NULL,{2}}', MAP['a b' => 3]), (4, NULL, NULL, NULL)"
        )
        yield connection


def test_views_and_indexes_keep_up_with_lists_and_maps(client: psycopg.Connection[tuple[Any, ...]]) -> None:
    client.execute("CREATE TABLE moved (items int list, facts map[text=>int])")
    client.execute("CREATE MATERIALIZED VIEW counted AS SELECT items, facts, count(*) AS n FROM moved GROUP BY 1, 2")
    client.execute("CREATE INDEX by_facts ON moved (facts)")
    client.execute("INSERT INTO moved VALUES ('{1,NULL}', '{a=>1}'), ('{1,NULL}', '{a=>1}'), (NULL, '{}')")
    client.execute("INSERT INTO moved SELECT items || 2, MAP['b' => 2] FROM moved WHERE facts = '{}'")
    client.execute("DELETE FROM moved WHERE items IS NULL")
    assert client.execute("SELECT * FROM counted ORDER BY items").fetchall() == [
        ("{1,NULL}", "{a=>1}", 2),
        ("{2}", "{b=>2}", 1),
    ]
    assert client.execute("SELECT items FROM moved WHERE facts = MAP['b' => 2]").fetchall() == [("{2}",)]
    client.execute("DROP TABLE moved CASCADE")


def test_spark_reads_lists_and_maps_as_what_they_are(client: psycopg.Connection[tuple[Any, ...]]) -> None:
    for query, answer in _ANSWERS.items():
        rows = client.execute(query).fetchall()
        assert (rows if "ORDER BY" in query else sorted(rows)) == answer, query
