"""What SHOW CREATE prints of sources, connections and sinks after all that they name was renamed: it makes the same
again in a catalog that knows the new names only."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.nouns.clusters import Cluster
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import Item
from catalog.nouns.sources import Source
from catalog.sql.definitions import create_sql
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from tests.catalog.miniature import Miniature

_SCHEMA = '{"type":"record","name":"r","fields":[{"name":"a","type":"int"}]}'
_STATEMENTS = (
    "CREATE SCHEMA here",
    "CREATE SECRET here.key AS 'x'",
    "CREATE CONNECTION here.kafka TO KAFKA (BROKER '127.0.0.1:9092')",
    "CREATE CONNECTION here.registry TO CONFLUENT SCHEMA REGISTRY (URL 'http://127.0.0.1:8081')",
    """CREATE CONNECTION here.cloud TO AWS
       (REGION 'eu-west-1', ENDPOINT 'http://127.0.0.1:1', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET here.key)""",
    "CREATE CONNECTION \"Ünter\" TO KAFKA (BROKER '127.0.0.1:9093')",
    "CREATE SOURCE tx FROM KAFKA CONNECTION here . kafka (TOPIC 'here.kafka') FORMAT JSON",
    'CREATE SOURCE plain FROM KAFKA CONNECTION "Ünter" (TOPIC \'"Ünter"\') FORMAT TEXT EXPOSE PROGRESS AS seen',
    """CREATE SOURCE changed FROM KAFKA CONNECTION here.kafka (TOPIC 'ü') FORMAT JSON
       ENVELOPE DEBEZIUM (TRANSACTION METADATA (SOURCE tx, COLLECTION 'here.kafka.tx'))
       EXPOSE PROGRESS AS "Of changed" WITH (RETAIN HISTORY = FOR '1 h')""",
    f"""CREATE SOURCE schemas FROM KAFKA CONNECTION here.kafka (TOPIC 'x')
       KEY FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION here.registry KEY STRATEGY INLINE '"int"'
       VALUE FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION here.registry VALUE STRATEGY INLINE '{_SCHEMA}'
       INCLUDE KEY AS k ENVELOPE NONE""",
    "CREATE SOURCE stream FROM KINESIS CONNECTION here.cloud (STREAM 's') FORMAT BYTES",
    "CREATE SOURCE counted FROM LOAD GENERATOR COUNTER",
)
_RENAMES = (
    "ALTER SECRET here.key RENAME TO password",
    "ALTER CONNECTION here.kafka RENAME TO brokers",
    'ALTER CONNECTION here.registry RENAME TO "the ""registry"""',
    "ALTER CONNECTION here.cloud RENAME TO aws",
    'ALTER CONNECTION "Ünter" RENAME TO select_',
    "ALTER SOURCE tx RENAME TO transactions",
    'ALTER SOURCE changed RENAME TO "changed too"',
    "ALTER TABLE seen RENAME TO seen_so_far",
    'ALTER TABLE "Of changed" RENAME TO of_it',
    "ALTER SCHEMA here RENAME TO there",
)


def _shown(miniature: Miniature) -> dict[str, str | None]:
    shown = {}
    for item in miniature.state.items.values():
        name = miniature.state.full_name(item)
        quoted = f"{_quoted(name.schema)}.{_quoted(name.name)}"
        match item.definition:
            case Source():
                ((_, text),) = miniature.execute(f"SHOW CREATE SOURCE {quoted}")[0].rows
            case Connection():
                ((_, text),) = miniature.execute(f"SHOW CREATE CONNECTION {quoted}")[0].rows
            case Secret():
                text = f"CREATE SECRET {quoted} AS 'x'"
            case _:
                continue
        shown[f"{name.schema}.{name.name}"] = text
    return shown


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _meant(state: CatalogState) -> dict[str, list[str]]:
    """Which items each item relies on, by their names."""

    def named(item: Item) -> str:
        name = state.full_name(item)
        return f"{name.schema}.{name.name}"

    relied: dict[str, list[str]] = {}
    for item in state.items.values():
        ids = getattr(item.definition, "depends_on", ())
        relied[named(item)] = sorted(named(state.items[id_]) for id_ in ids)
    return relied


def _made(statements: tuple[str, ...]) -> Miniature:
    miniature = Miniature()
    for sql in statements:
        miniature.execute(sql)
    return miniature


def test_what_was_not_renamed_stands_as_it_was_written() -> None:
    shown = _shown(_made(_STATEMENTS))
    assert shown["public.plain"] == "CREATE SOURCE public.plain FROM" + _STATEMENTS[7].partition("FROM")[2] + ";"
    assert shown["public.tx"] == "CREATE SOURCE public.tx FROM" + _STATEMENTS[6].partition("FROM")[2] + ";"


@pytest.mark.parametrize("renames", [_RENAMES, *((each,) for each in _RENAMES)], ids=lambda each: str(len(each)))
def test_the_statements_shown_make_the_same_under_the_new_names(renames: tuple[str, ...]) -> None:
    miniature = _made(_STATEMENTS)
    for sql in renames:
        miniature.execute(sql)
    shown = _shown(miniature)
    schema = "there" if "there" in str(renames) else "here"
    again = _made((f"CREATE SCHEMA {schema}", *(text for text in shown.values() if text is not None)))
    assert _shown(again) == shown
    # Relations that were not named in a statement have the names that are free.
    meant = {name: ids for name, ids in _meant(miniature.state).items() if not name.endswith("_progress")}
    assert {name: ids for name, ids in _meant(again.state).items() if not name.endswith("_progress")} == meant


def test_what_stands_in_texts_is_no_name() -> None:
    miniature = _made((*_STATEMENTS, *_RENAMES))
    shown = _shown(miniature)
    assert "TOPIC 'here.kafka'" in str(shown["public.transactions"])
    assert "COLLECTION 'here.kafka.tx'" in str(shown["public.changed too"])


@pytest.mark.parametrize(
    ("columns", "placed"),
    [
        ("", 'IN CLUSTER "default" '),
        ("", 'in /* here, "default" */ cluster\n  "default" -- and there\n'),
        ('(counter, "IN CLUSTER) ""x") ', 'IN CLUSTER "default" '),
    ],
)
def test_a_source_that_named_its_cluster_before_clusters_ran_sources_names_one(columns: str, placed: str) -> None:
    miniature = _made(("CREATE SOURCE s FROM LOAD GENERATOR COUNTER",))
    (item,) = (each for each in miniature.state.items.values() if each.name == "s")
    assert isinstance(item.definition, Source)
    rest = f"{columns}{placed}FROM LOAD GENERATOR COUNTER"
    clusters = edits.with_cluster(miniature.state, Cluster(30_000, "c", item.owner, ()))
    for oid, named in (item.definition.cluster, ""), (30_000, "IN CLUSTER c "):
        moved = replace(item.definition, rest=(rest,), cluster=oid)
        state = edits.with_item(clusters, replace(item, definition=moved))
        expected = f"CREATE SOURCE public.s {named}{columns}FROM LOAD GENERATOR COUNTER;"
        assert create_sql(state, state.items[item.id]) == expected


def test_a_text_full_of_comments_and_quotes_is_read_in_one_way() -> None:
    written = "/**/" * 5_000 + "(" + '""' * 5_000
    miniature = _made(("CREATE SOURCE s FROM LOAD GENERATOR COUNTER",))
    (item,) = (each for each in miniature.state.items.values() if each.name == "s")
    assert isinstance(item.definition, Source)
    state = edits.with_item(miniature.state, replace(item, definition=replace(item.definition, rest=(written,))))
    assert create_sql(state, state.items[item.id]) == f"CREATE SOURCE public.s {written};"
