"""Slots that dropped sources have left: remembered with all that is needed to drop them, whatever else is dropped."""

from __future__ import annotations

import pytest

from catalog.changes.change import AlterConnection, CreateItem, DropItems, ForgetSlot
from catalog.durable.rows import diff, load, rows
from catalog.nouns.connections import Connection
from catalog.nouns.items import SUPERUSER_OID, Definition, Item
from catalog.nouns.sources import Source
from catalog.state.catalog_state import CatalogState
from catalog.state.left_slots import left_slot_named
from connectors.postgres.publication import PostgresPublication
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable
from model.external.publications import Publication, UpstreamSystem
from model.time.clock import SystemRandomness
from model.types.relation_desc import RelationDesc
from server.secrets.keyring import Keyring
from server.secrets.stored import left_secrets, resealed
from tests.catalog.catalogs import Catalog
from tests.catalog.miniature import Miniature

OLD, NEW = bytes(32), bytes(range(32))
RANDOMNESS = SystemRandomness()
PUBLICATION = Publication("p", (), UpstreamSystem("74", 1), "slot")


def _created(catalog: Catalog, name: str, definition: Definition) -> Item:
    id_ = catalog.allocator.user_id()
    place = "headwater", "public", name, SUPERUSER_OID
    return catalog.apply(CreateItem(id_, catalog.allocator.oid(), *place, 7, definition)).items[id_]


def _with_source() -> tuple[Catalog, Item, Item, Item]:
    """A catalog with a secret, a connection that uses it, and a source that reads by that."""
    catalog = Catalog()
    secret = catalog.secret("password", "")
    catalog.alter_secret(secret, Keyring((OLD,)).seal(b"first", str(secret.id), RANDOMNESS))
    options = (("HOST", "here"), ("PASSWORD", secret.id))
    connection = _created(catalog, "pg", Connection("POSTGRES", options))
    records = PostgresPublication(connection.id, PUBLICATION)
    source = _created(
        catalog, "bank", Source(RelationDesc(()), records, UpstreamTable(None), 1_000, None, ("FROM POSTGRES",))
    )
    return catalog, secret, connection, source


def _reached_by(state: CatalogState, *keys: bytes) -> tuple[object, list[str]]:
    """Its host, and its connection's secrets."""
    slot = left_slot_named(state, "slot")
    assert slot is not None and (slot.system, slot.source_name) == ("74", "bank")
    return dict(slot.connection.options)["HOST"], list(left_secrets(Keyring(keys), slot).values())


def test_a_slot_is_left_by_the_drop_of_its_source_and_stands_in_rows() -> None:
    catalog, _, connection, source = _with_source()
    assert catalog.state.left_slots == {}
    before = catalog.state
    after = catalog.apply(DropItems((source.id,), cascade=False))
    assert after.left_slots["slot"].source == source.id
    assert left_slot_named(after, "another") is None
    changes = diff(before, after)
    assert load((rows(before) - {r for r, d in changes if d < 0}) | {r for r, d in changes if d > 0}) == after
    assert not any("first" in value for _, _, value in rows(after))
    assert catalog.apply(ForgetSlot("slot")).left_slots == {}
    assert not [kind for kind, _, _ in rows(catalog.state) if kind == "left_slot"]
    assert catalog.apply(DropItems((connection.id,), cascade=False)).left_slots == {}


def test_it_is_reached_as_its_connection_is_and_as_it_was_last() -> None:
    catalog, secret, connection, source = _with_source()
    catalog.apply(DropItems((source.id,), cascade=False))
    assert _reached_by(catalog.state, OLD) == ("here", ["first"])
    catalog.alter_secret(secret, Keyring((OLD,)).seal(b"second", str(secret.id), RANDOMNESS))
    assert isinstance(connection.definition, Connection)
    moved = Connection("POSTGRES", (("HOST", "there"), ("PASSWORD", secret.id)))
    catalog.apply(AlterConnection(connection.id, connection.definition, moved))
    assert _reached_by(catalog.state, OLD) == ("there", ["second"])
    catalog.apply(DropItems((connection.id,), cascade=False))
    catalog.apply(DropItems((secret.id,), cascade=False))
    assert _reached_by(load(rows(catalog.state)), OLD) == ("there", ["second"])


def test_all_may_go_at_once() -> None:
    catalog, secret, _, _ = _with_source()
    catalog.apply(DropItems((secret.id,), cascade=True))
    assert catalog.state.items == {}
    assert _reached_by(catalog.state, OLD) == ("here", ["first"])


def test_a_source_that_never_was_leaves_nothing() -> None:
    catalog, _, _, source = _with_source()
    made = CreateItem(
        catalog.allocator.user_id(), catalog.allocator.oid(), "headwater", "public", "two", 10, 7, source.definition
    )
    before = catalog.state
    assert catalog.apply(made, DropItems((made.id,), cascade=False)).left_slots == before.left_slots


def test_its_secrets_come_under_the_newest_key() -> None:
    catalog, secret, _, _ = _with_source()
    catalog.apply(DropItems((secret.id,), cascade=True))
    before, ring = rows(catalog.state), Keyring((NEW, OLD))
    changes = resealed(before, ring, RANDOMNESS)
    after = load((before - {row for row, diff in changes if diff < 0}) | {row for row, diff in changes if diff > 0})
    assert _reached_by(after, NEW) == ("here", ["first"])
    assert resealed(rows(after), ring, RANDOMNESS) == []


def test_a_slot_may_be_forgotten_whose_server_will_not_come_back() -> None:
    catalog, _, _, source = _with_source()
    server = Miniature(catalog.apply(DropItems((source.id,), cascade=False)), catalog.allocator)
    listed = "SELECT replication_slot, source_name, attempts, error FROM mz_internal.mz_left_replication_slots"
    assert server.execute(listed)[0].rows == (("slot", "bank", "0", None),)
    server.execute("DROP REPLICATION SLOT slot, slot")
    assert server.execute(listed)[0].rows == () and server.state.left_slots == {}
    with pytest.raises(SqlError, match='replication slot "slot" does not exist') as refused:
        server.execute("DROP REPLICATION SLOT slot")
    assert refused.value.sqlstate is Sqlstate.UNDEFINED_OBJECT
    server.execute("DROP REPLICATION SLOT IF EXISTS slot")
