"""System relations: they are PostgreSQL's, they are complete, and their rows fit their descs."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterator, Mapping
from dataclasses import replace

import psycopg
import pytest

from catalog.builtin.registry import builtin_named, builtin_relations, builtin_with_id, builtin_with_oid
from catalog.changes.change import CreateDatabase
from catalog.declared.dataflow_status import MaintainedStatus
from catalog.declared.mz_internal import FRONTIER_OIDS
from catalog.declared.relation import BuiltinRelation
from catalog.declared.snapshot import (
    CollectionFrontiers,
    CursorStatus,
    PreparedStatus,
    ReplicaStatus,
    SessionStatus,
    SettingStatus,
    SnapshotReader,
    SystemSnapshot,
)
from catalog.durable.rows import FIRST_DATABASE
from catalog.nouns.items import SUPERUSER_OID
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS, system_schema_named
from catalog.state.catalog_state import FIRST_USER_OID
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.time.antichain import EMPTY, Antichain
from model.types.datum import Datum, Inet, Interval, Row, network_of
from model.types.scalar_type import ScalarType, TypeName, type_text
from tests.catalog.catalogs import Catalog

Connection = psycopg.Connection[tuple[object, ...]]

_NOW = datetime.datetime(2026, 7, 1, 12, tzinfo=datetime.UTC)
_ADDRESS = network_of(4, 2130706433, 32)


def _snapshot(catalog: Catalog) -> SystemSnapshot:
    session = SessionStatus(
        7, "headwater", FIRST_DATABASE, "psql", _ADDRESS, 5432, _NOW, None, _NOW, "active", "SELECT 1"
    )
    return SystemSnapshot(
        state=catalog.state,
        database=FIRST_DATABASE,
        frontiers={GlobalId.user(1): CollectionFrontiers(Antichain.at(3), EMPTY)},
        sessions=(session,),
        replicas=(ReplicaStatus("1", "r1", "16385", "default", "ready", _NOW, 99),),
        reader=SnapshotReader(
            settings=(SettingStatus("TimeZone", "UTC", "The session's time zone."),),
            prepared=(PreparedStatus("p", "SELECT $1", _NOW, (23,), from_sql=True),),
            cursors=(CursorStatus("c", "SELECT 1", False, False, True, _NOW),),
        ),
        now=_NOW,
    )


@pytest.fixture(scope="module")
def snapshot() -> SystemSnapshot:
    catalog = Catalog()
    table = catalog.table("t")
    catalog.view("v", table)
    return _snapshot(catalog)


_PYTHON: dict[TypeName, tuple[type, ...]] = {
    TypeName.BOOL: (bool,),
    TypeName.FLOAT4: (float,),
    TypeName.FLOAT8: (float,),
    TypeName.NUMERIC: (decimal.Decimal,),
    TypeName.INTERVAL: (Interval,),
    TypeName.TIMESTAMPTZ: (datetime.datetime,),
    TypeName.BYTEA: (bytes,),
    TypeName.INET: (Inet,),
    **dict.fromkeys((TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.OID, TypeName.XID, TypeName.TID), (int,)),
    **dict.fromkeys((TypeName.REGPROC, TypeName.REGTYPE, TypeName.MZ_TIMESTAMP, TypeName.UINT4), (int,)),
}


def _fits(value: Datum, type_: ScalarType) -> bool:
    if value is None:
        return True
    if type_.name is TypeName.ARRAY:
        assert type_.element is not None
        element = type_.element
        return isinstance(value, tuple) and all(_fits(item, element) for item in value)
    if type_.name in (TypeName.INT2VECTOR, TypeName.OIDVECTOR):
        return isinstance(value, tuple) and all(isinstance(item, int) for item in value)
    return isinstance(value, _PYTHON.get(type_.name, (str,)))


@pytest.mark.parametrize("relation", builtin_relations(), ids=lambda r: f"{r.schema}.{r.name}")
def test_rows_fit_their_desc(relation: BuiltinRelation, snapshot: SystemSnapshot) -> None:
    for row in relation.rows(snapshot):
        assert len(row) == relation.desc.arity
        for value, column in zip(row, relation.desc.columns, strict=True):
            assert value is not None or column.nullable, (column.name, row)
            assert _fits(value, column.type), (column, value)


@pytest.mark.parametrize("relation", builtin_relations(), ids=lambda r: f"{r.schema}.{r.name}")
def test_rows_can_meet_those_of_collections(relation: BuiltinRelation, snapshot: SystemSnapshot) -> None:
    """A query over both runs on Spark, so each type has a physical form that gives the same values back."""
    rows = list(relation.rows(snapshot))
    assert rows_from_arrow(rows_to_arrow(rows, relation.desc), relation.desc) == rows


def test_system_relations_have_ids_oids_and_names_of_their_own() -> None:
    relations = builtin_relations()
    assert len({relation.oid for relation in relations}) == len(relations)
    assert len({(relation.schema, relation.name) for relation in relations}) == len(relations)
    for relation in relations:
        assert system_schema_named(relation.schema) is not None
        assert relation.oid < FIRST_USER_OID and relation.id != GlobalId.system(1)
        assert builtin_with_id(relation.id) is builtin_with_oid(relation.oid) is relation
        assert builtin_named(relation.schema, relation.name) is relation
    assert builtin_with_id(GlobalId.user(1259)) is None
    assert not {schema.oid for schema in SYSTEM_SCHEMAS} & {relation.oid for relation in relations}


def test_columns_are_those_of_postgres(postgres: Connection) -> None:
    """Types that Headwater doesn't have read as text, domains as what they stand for."""
    theirs: dict[tuple[object, object], list[tuple[object, object, object]]] = {}
    query = (
        "SELECT table_schema, table_name, column_name, a.attnotnull, CASE WHEN domain_name IS NULL"
        " THEN format_type(a.atttypid, a.atttypmod) ELSE format_type(t.typbasetype, t.typtypmod) END"
        " FROM information_schema.columns JOIN pg_attribute a ON attname = column_name"
        " AND attrelid = format('%I.%I', table_schema, table_name)::regclass JOIN pg_type t ON t.oid = a.atttypid"
        " WHERE table_schema IN ('pg_catalog', 'information_schema') ORDER BY ordinal_position"
    )
    for schema, table, column, not_null, type_ in postgres.execute(query):
        theirs.setdefault((schema, table), []).append((column, not_null, type_))
    assert len(theirs) > 200
    for (schema, table), columns in theirs.items():
        ours = builtin_named(str(schema), str(table))
        assert ours is not None, (schema, table)
        assert ours.desc.names == tuple(name for name, _, _ in columns)
        for column, (_, not_null, type_) in zip(ours.desc.columns, columns, strict=True):
            assert column.nullable is not not_null
            assert type_text(column.type) in (type_, "text", "text[]"), (schema, table, column)


def _rows(name: str, snapshot: SystemSnapshot, schema: str = "pg_catalog") -> list[dict[str, Datum]]:
    relation = builtin_named(schema, name)
    assert relation is not None
    return [dict(zip(relation.desc.names, row, strict=True)) for row in relation.rows(snapshot)]


@pytest.mark.parametrize(
    "relation", ["pg_type", "pg_range", "pg_am", "pg_opclass", "pg_opfamily", "pg_language", "pg_tablespace"]
)
def test_kept_rows_are_those_of_postgres(postgres: Connection, snapshot: SystemSnapshot, relation: str) -> None:
    ours: dict[object, dict[str, Datum]] = {row[next(iter(row))]: row for row in _rows(relation, snapshot)}
    cursor = postgres.execute(f"SELECT * FROM {relation}")
    names = [column.name for column in cursor.description or ()]
    compared = 0
    for values in cursor:
        theirs = dict(zip(names, values, strict=True))
        mine = ours.get(theirs[names[0]])
        if mine is not None:
            compared += 1
            for name in names:
                if not name.startswith("typ") or name in ("typname", "typlen", "typelem", "typarray", "typcategory"):
                    assert mine[name] == theirs[name] or isinstance(mine[name], int | tuple), (name, mine, theirs)
    # Types of Materialize's, of extensions and of relations, whose oids are greater than those of all that is built in.
    assert compared >= sum(isinstance(oid, int) and oid < 16_384 for oid in ours) > 0


def test_attributes_and_classes_agree(snapshot: SystemSnapshot) -> None:
    counts: dict[Datum, int] = {}
    for attribute in _rows("pg_attribute", snapshot):
        counts[attribute["attrelid"]] = counts.get(attribute["attrelid"], 0) + 1
    classes = _rows("pg_class", snapshot)
    assert {row["oid"]: row["relnatts"] for row in classes} == counts
    assert {row["relname"] for row in classes} >= {"t", "v", "pg_class", "mz_tables"}
    known = {row["oid"] for row in _rows("pg_type", snapshot)}
    assert {row["atttypid"] for row in _rows("pg_attribute", snapshot)} <= known


def test_a_reader_sees_the_items_of_its_own_database() -> None:
    catalog = Catalog()
    catalog.apply(CreateDatabase(catalog.allocator.oid(), "d", SUPERUSER_OID, catalog.allocator.oid()))
    catalog.table("mine")
    catalog.table("other", database="d")
    here = _snapshot(catalog)
    assert [row["relname"] for row in _rows("pg_class", here) if row["oid"] >= FIRST_USER_OID] == ["mine"]  # type: ignore[operator]
    assert [row["nspname"] for row in _rows("pg_namespace", here)].count("public") == 1
    assert [row["datname"] for row in _rows("pg_database", here)] == ["headwater", "d"]
    objects = _rows("mz_objects", here, "mz_catalog")
    assert {row["name"] for row in objects if str(row["id"]).startswith("u")} == {"mine", "other"}


def test_a_views_rule_depends_on_what_the_view_names(snapshot: SystemSnapshot) -> None:
    table, view = (item.oid for item in sorted(snapshot.state.items.values(), key=lambda item: item.oid))
    (rule,) = _rows("pg_rewrite", snapshot)
    assert rule["ev_class"] == view
    depends = {(row["refobjid"], row["deptype"]) for row in _rows("pg_depend", snapshot) if row["objid"] == rule["oid"]}
    assert depends == {(view, "i"), (table, "n")}


class _Untold(Mapping[GlobalId, CollectionFrontiers]):
    """Frontiers that fail when anybody asks for them."""

    def __getitem__(self, key: GlobalId) -> CollectionFrontiers:
        raise AssertionError("frontiers are asked for")

    def __iter__(self) -> Iterator[GlobalId]:
        raise AssertionError("frontiers are asked for")

    def __len__(self) -> int:
        raise AssertionError("frontiers are asked for")


@pytest.mark.parametrize("relation", builtin_relations(), ids=lambda r: f"{r.schema}.{r.name}")
def test_only_some_relations_are_made_of_frontiers(relation: BuiltinRelation, snapshot: SystemSnapshot) -> None:
    """Snapshots for all others are taken without them, since they are dear."""
    table = next(iter(snapshot.state.items))
    maintained = (MaintainedStatus(table, (table,), "running", True, 0, 0, None, 0),)
    asked = replace(snapshot, frontiers=_Untold(), maintained=maintained)
    if relation.oid in FRONTIER_OIDS:
        with pytest.raises(AssertionError, match="frontiers are asked for"):
            list(relation.rows(asked))
    else:
        list(relation.rows(asked))


def test_frontiers_show_since_and_upper(snapshot: SystemSnapshot) -> None:
    assert _rows("mz_frontiers", snapshot, "mz_internal") == [
        {"object_id": "u1", "read_frontier": 3, "write_frontier": None}
    ]


def test_rows_can_stand_in_a_constant(snapshot: SystemSnapshot) -> None:
    """Plans are hashed."""
    rows: list[Row] = [row for relation in builtin_relations() for row in relation.rows(snapshot)]
    assert len(set(rows)) > 5000
