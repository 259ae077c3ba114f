"""Statements about secrets, connections and sources: what is read of them, and what is never told of a value."""

from __future__ import annotations

from decimal import Decimal

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.connection_statements import AlterOwnObject, ChangedOptions, CreateConnection, DropOwnObjects
from planner.syntax.options import Option, OptionValue, SecretName
from planner.syntax.own_statements import Place
from planner.syntax.parse import parse
from planner.syntax.secret_texts import public_text
from planner.syntax.source_statements import (
    CreateSource,
    CreateTableFromSource,
    ForTables,
    FromAddress,
    FromConnection,
    FromGenerator,
    FromWebhook,
    Included,
    KeyValueFormat,
    PlainFormat,
    SchemaFormat,
    SourceEnvelope,
)


def node(sql: str) -> object:
    (statement,) = parse(sql)
    return statement.node


def refusal(sql: str) -> SqlError:
    with pytest.raises(SqlError) as failure:
        parse(sql)
    return failure.value


def options_of(written: str) -> list[tuple[str, OptionValue]]:
    found = node(f"CREATE CONNECTION c TO ANYTHING ({written})")
    assert isinstance(found, CreateConnection)
    return [(option.name, option.value) for option in found.options]


@pytest.mark.parametrize("equals", ["", "= ", "=", " = "])
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'a''b'", "a'b"),
        (r"E'\n'", "\n"),
        ("$$it's$$", "it's"),
        ("5", 5),
        ("-5", -5),
        ("1.5", Decimal("1.5")),
        ("1_000", 1000),
        ("('a', 'b')", ("a", "b")),
        ("(0, -1)", (0, -1)),
    ],
)
def test_an_option_s_value_is_the_same_with_and_without_an_equals_sign(
    equals: str, written: str, value: OptionValue
) -> None:
    assert options_of(f"ONE option {equals}{written}, other 1") == [("ONE OPTION", value), ("OTHER", 1)]


@pytest.mark.parametrize("equals", [" ", " = "])
def test_words_are_names_and_secrets(equals: str) -> None:
    lead = len("CREATE CONNECTION c TO ANYTHING (MY OPTION" + equals)
    assert options_of(f"MY OPTION{equals}Word") == [("MY OPTION", Place(("word",), lead))]
    assert options_of(f'MY OPTION{equals}"Word"') == [("MY OPTION", Place(("Word",), lead))]
    assert options_of(f"MY OPTION{equals}a.b") == [("MY OPTION", Place(("a", "b"), lead))]
    secret = SecretName(Place(("a", "s"), lead + len("SECRET ")))
    assert options_of(f"MY OPTION{equals}SECRET a.s") == [("MY OPTION", secret)]
    assert options_of("ALONE, OTHER") == [("ALONE", None), ("OTHER", None)]


def test_a_list_holds_options_too() -> None:
    ((name, value),) = options_of("TRANSACTION METADATA (SOURCE tx, COLLECTION 'db.schema.t')")
    assert name == "TRANSACTION METADATA" and isinstance(value, tuple)
    one, other = value
    assert isinstance(one, Option) and one.name == "SOURCE" and isinstance(one.value, Place)
    assert isinstance(other, Option) and (other.name, other.value) == ("COLLECTION", "db.schema.t")


@pytest.mark.parametrize("lead", ["CREATE CONNECTION c TO KAFKA (", "CREATE SOURCE s FROM KAFKA CONNECTION c ("])
def test_doubled_and_unknown_options_are_named_where_they_stand(lead: str) -> None:
    known = "BROKER" if "TO KAFKA" in lead else "TOPIC"
    doubled = refusal(f"{lead}{known} 'a', {known} = 'b')")
    assert doubled.message == f'option "{known}" specified more than once' and doubled.hint is not None
    assert (doubled.sqlstate, doubled.position) == (Sqlstate.SYNTAX_ERROR, len(f"{lead}{known} 'a', ") + 1)
    unknown = refusal(f"{lead}BROKR 'a')")
    assert (unknown.message, unknown.position) == ('option "BROKR" not recognized', len(lead) + 1)
    assert unknown.hint is not None and known in unknown.hint


def test_a_source_has_all_its_clauses_in_order() -> None:
    source = node(
        "CREATE SOURCE IF NOT EXISTS s (a, b) IN CLUSTER c FROM KAFKA CONNECTION k (TOPIC 't', START OFFSET (1, 2)) "
        "KEY FORMAT TEXT VALUE FORMAT AVRO USING SCHEMA '{}' INCLUDE KEY AS k, HEADER 'h' AS x BYTES, OFFSET "
        "ENVELOPE UPSERT EXPOSE PROGRESS AS p WITH (RETAIN HISTORY = FOR '1h', TIMESTAMP INTERVAL '2s')"
    )
    assert isinstance(source, CreateSource) and isinstance(source.upstream, FromConnection)
    assert (source.name.parts, source.if_not_exists, source.columns, source.cluster) == (("s",), True, ("a", "b"), "c")
    assert [(o.name, o.value) for o in source.upstream.options] == [("TOPIC", "t"), ("START OFFSET", (1, 2))]
    assert source.decoding.format == KeyValueFormat(PlainFormat("TEXT"), SchemaFormat("AVRO", "{}"))
    assert source.decoding.include == (
        Included("KEY", "k"),
        Included("HEADER", "x", "h", as_bytes=True),
        Included("OFFSET", None),
    )
    assert [each.as_bytes for each in source.decoding.include] == [False, True, False]
    assert source.decoding.envelope == SourceEnvelope("UPSERT", ())
    assert source.progress is not None and source.progress.parts == ("p",)
    assert [(o.name, o.value) for o in source.options] == [("RETAIN HISTORY", "1h"), ("TIMESTAMP INTERVAL", "2s")]


@pytest.mark.parametrize("clause", ["ENVELOPE NONE", "FORMAT JSON", "INCLUDE KEY", "EXPOSE PROGRESS AS p"])
def test_a_source_s_clauses_stand_in_one_order_and_once(clause: str) -> None:
    first = clause.split()[0]
    lead = f"CREATE SOURCE s FROM KAFKA CONNECTION c {clause} "
    assert refusal(lead + clause).position == len(lead) + 1
    behind = f"CREATE SOURCE s FROM KAFKA CONNECTION c WITH (TIMESTAMP INTERVAL '1s') {clause}"
    assert refusal(behind).message == f'syntax error at or near "{first}"'


def test_a_broker_without_a_connection_is_an_address() -> None:
    source = node("CREATE SOURCE foo FROM KAFKA BROKER 'h:1' TOPIC 't' EXPOSE PROGRESS AS my_foo_progress")
    assert isinstance(source, CreateSource) and isinstance(source.upstream, FromAddress)
    assert [(option.name, option.value) for option in source.upstream.options] == [("BROKER", "h:1"), ("TOPIC", "t")]
    assert source.progress is not None and source.progress.parts == ("my_foo_progress",)


def test_generators_and_webhooks_are_upstreams() -> None:
    generator = node("CREATE SOURCE g FROM LOAD GENERATOR KEY VALUE (TICK INTERVAL '1s')")
    assert isinstance(generator, CreateSource) and isinstance(generator.upstream, FromGenerator)
    assert generator.upstream.kind == "KEY VALUE"
    hook = node(
        "CREATE SOURCE w FROM WEBHOOK BODY FORMAT JSON ARRAY INCLUDE HEADERS (NOT 'a') INCLUDE HEADER 'x' AS y "
        "CHECK (WITH (BODY, SECRET s AS k BYTES) hmac(body, k) = 'x')"
    )
    assert isinstance(hook, CreateSource) and isinstance(hook.upstream, FromWebhook)
    assert hook.upstream.body == PlainFormat("JSON", array=True) and hook.upstream.headers == (("a", True),)
    assert [(each.header, each.column, each.as_bytes) for each in hook.upstream.header_columns] == [("x", "y", False)]
    assert hook.upstream.check is not None
    assert [(each.what, each.as_bytes) for each in hook.upstream.check.inputs] == [("BODY", False), ("SECRET", True)]


def test_tables_of_a_source_are_all_or_chosen_ones() -> None:
    lead = "CREATE SOURCE g FROM LOAD GENERATOR AUCTION"
    whole = node(f"{lead} FOR ALL TABLES EXPOSE PROGRESS AS p")
    assert isinstance(whole, CreateSource) and whole.tables == ForTables(None)
    some = node(f"{lead} (SEED 1) FOR TABLES (bids AS s.b, users) WITH (RETAIN HISTORY = FOR '1h')")
    assert isinstance(some, CreateSource) and some.tables is not None and some.tables.chosen is not None
    assert [(of.parts, None if own is None else own.parts) for of, own in some.tables.chosen] == [
        (("bids",), ("s", "b")),
        (("users",), None),
    ]


def test_a_table_from_a_source_is_no_table_as_a_query() -> None:
    table = node("CREATE TABLE t FROM SOURCE s (REFERENCE a.b) FORMAT TEXT")
    assert isinstance(table, CreateTableFromSource) and table.source.parts == ("s",)
    (written,) = parse("CREATE TABLE t AS SELECT 1 FROM source AS OF 5")
    assert written.kind == "create_table_as_stmt"


def test_objects_are_changed_and_dropped() -> None:
    changed = node("ALTER CONNECTION c SET (BROKER 'b'), RESET (SASL USERNAME, SSL KEY) WITH (VALIDATE = false)")
    assert isinstance(changed, AlterOwnObject) and isinstance(changed.action, ChangedOptions)
    assert [option.name for option in changed.action.changes] == ["BROKER"]
    assert [option.name for option in changed.action.resets] == ["SASL USERNAME", "SSL KEY"]
    dropped = node("DROP SOURCE IF EXISTS a.b, c CASCADE")
    assert isinstance(dropped, DropOwnObjects) and (dropped.if_exists, dropped.cascade) == (True, True)
    assert [name.parts for name in dropped.names] == [("a", "b"), ("c",)]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE SECRET s 'hunter2'",
        "CREATE SECRET s AS 'x' 'hunter2'",
        "CREATE SECRET s AS 'hunter2",
        'CREATE SECRET s AS "hunter2',
        "CREATE SECRET s AS $a$hunter2",
        "CREATE SECRET s AS hunter2 hunter2",
        "SELECT 1; ALTER /* a */ SECRET s AS ('hunter2' hunter2",
        "CREATE SECRET s AS 'hunter2'::",
        "EXPLAIN CREATE SECRET s AS E'hunter2'",
    ],
)
def test_no_error_repeats_what_may_be_a_secret(sql: str) -> None:
    failure = refusal(sql)
    assert failure.sqlstate is Sqlstate.SYNTAX_ERROR and failure.position is not None
    assert "hunter2" not in " ".join(filter(None, (failure.message, failure.detail, failure.hint)))
    assert "hunter2" not in public_text(sql)


def test_others_see_statements_without_the_secret() -> None:
    assert public_text("SELECT 1; CREATE SECRET a.s AS 'hunter2' -- old: hunter1\n; SELECT 2") == (
        "SELECT 1; CREATE SECRET a.s AS '…'"
    )
    assert public_text("CREATE SECRET s hunter2") == "CREATE SECRET s '…'"
    assert public_text("alter secret s as 'é' || decode('hunter2', 'base64')") == "alter secret s as '…'"
    assert public_text("ALTER SECRET s RENAME TO hunter2") == "ALTER SECRET s RENAME TO hunter2"


def test_a_text_with_a_secret_is_not_remembered() -> None:
    held, plain = "CREATE SECRET s AS 'x'", "DROP SECRET s"
    assert parse(held) == parse(held) and parse(held)[0] is not parse(held)[0]
    assert parse(plain)[0] is parse(plain)[0]
