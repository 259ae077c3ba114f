"""The catalog of a restored system: whatever two systems would share by a name has another one, and stays so."""

from __future__ import annotations

from catalog.changes.change import CreateItem, CreateSchema
from catalog.changes.restored import WHY_PAUSED, restored_catalog
from catalog.durable.rows import load, rows
from catalog.nouns.connections import Connection
from catalog.nouns.items import SUPERUSER_OID, Definition, Item
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source
from catalog.state.catalog_state import CatalogState
from connectors.kafka.topic import KafkaTopic
from connectors.postgres.publication import PostgresPublication
from connectors.upstream import UpstreamRecords
from model.external.files import BucketObjects, FilePattern, Framing
from model.external.generators import UpstreamTable
from model.external.publications import Publication, UpstreamSystem
from model.external.records import RecordEncoding, RecordFormat
from model.external.sinks import SinkPolicy, SqliteTable
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from tests.catalog.catalogs import Catalog

_PUBLICATION = Publication("p", (), UpstreamSystem("74", 1), "headwater_0123456789abcdef")
_LINES = RecordEncoding(None, RecordFormat.TEXT, ())


def _created(catalog: Catalog, name: str, definition: Definition) -> GlobalId:
    id_ = catalog.allocator.user_id()
    place = "headwater", "public", name, SUPERUSER_OID
    catalog.apply(CreateItem(id_, catalog.allocator.oid(), *place, 7, definition))
    return id_


def _source(catalog: Catalog, name: str, records: UpstreamRecords) -> GlobalId:
    encoding = UpstreamTable(None) if isinstance(records, PostgresPublication) else _LINES
    return _created(catalog, name, Source(RelationDesc(()), records, encoding, 1_000, None, ("FROM …",)))


def _restored(state: CatalogState, lineage: str) -> tuple[CatalogState, tuple[Item, ...]]:
    backed_up = rows(state)
    restored = restored_catalog(backed_up, lineage)
    gone = {row for row, diff in restored.changes if diff < 0}
    come = {row for row, diff in restored.changes if diff > 0}
    assert gone <= backed_up and not come & backed_up
    return load((backed_up - gone) | come), restored.items


def test_what_reaches_other_systems_has_names_of_its_own_there() -> None:
    catalog = Catalog()
    connection = _created(catalog, "c", Connection("KAFKA", (("BROKER", "here"),)))
    kafka = _source(catalog, "kafka", KafkaTopic((), "topic", connection=connection, group_prefix="mine-"))
    postgres = _source(catalog, "postgres", PostgresPublication(connection, _PUBLICATION))
    sink = _created(
        catalog,
        "sink",
        Sink(
            kafka,
            SqliteTable("/out", "t"),
            (),
            (),
            None,
            enforced=False,
            policy=SinkPolicy(1_000, 10, True),
            generation=3,
        ),
    )
    once, items = _restored(catalog.state, "aaaa1111")
    assert {item.id for item in items} == {kafka, postgres, sink}
    twice, _ = _restored(once, "bbbb2222")
    names: list[tuple[str, str, str]] = []
    for state in (catalog.state, once, twice):
        read, followed, written = (state.items[id_].definition for id_ in (kafka, postgres, sink))
        assert isinstance(read, Source) and isinstance(read.records, KafkaTopic)
        assert isinstance(followed, Source) and isinstance(followed.records, PostgresPublication)
        assert isinstance(written, Sink)
        slot = followed.records.publication.slot
        assert len(slot) < 64 and not slot.startswith(tuple(name for _, name, _ in names))
        names.append((read.records.group_of(kafka), slot, written.lineage))
    assert [len(set(each)) for each in zip(*names, strict=True)] == [3, 3, 3]
    assert isinstance(written, Sink)
    assert (written.paused, written.why_paused, written.generation) == (True, WHY_PAUSED, 5)


def test_messages_of_a_queue_are_left_to_the_original_where_the_bucket_can_be_listed() -> None:
    catalog = Catalog()
    connection = _created(catalog, "c", Connection("AWS", (("REGION", "here"),)))
    pattern = FilePattern("*.txt", Framing.LINES)
    listed = _source(catalog, "listed", BucketObjects(connection, "bucket", "queue", pattern))
    told = _source(catalog, "told", BucketObjects(connection, None, "queue", pattern))
    state, items = _restored(catalog.state, "aaaa1111")
    queues = []
    for id_ in (listed, told):
        source = state.items[id_].definition
        assert isinstance(source, Source) and isinstance(source.records, BucketObjects)
        queues.append(source.records.queue)
    assert queues == [None, "queue"] and [item.id for item in items] == [listed]


def test_temporary_relations_have_ended_with_their_sessions() -> None:
    catalog = Catalog()
    kept = catalog.table("p")
    before = set(catalog.state.schemas)
    catalog.apply(CreateSchema(catalog.allocator.oid(), "headwater", "pg_temp_7", SUPERUSER_OID, temporary=True))
    catalog.view("v", catalog.table("t", "pg_temp_7"), schema="pg_temp_7")
    state, items = _restored(catalog.state, "aaaa1111")
    assert set(state.items) == {kept.id} and set(state.schemas) == before and items == ()


def test_a_catalog_without_any_of_that_is_restored_as_it_was() -> None:
    catalog = Catalog()
    _created(catalog, "c", Connection("KAFKA", (("BROKER", "here"),)))
    restored = restored_catalog(rows(catalog.state), "aaaa1111")
    assert restored.changes == () and restored.items == ()
