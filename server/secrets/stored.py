"""Secrets of the catalog: read with the keyring, and brought to the newest key when the environment opens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from catalog.connections import Connection, Secret
from catalog.state import CatalogState
from model.clock import Randomness
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from server.secrets.keyring import Keyring

_Row = tuple[str, str, str]


def secret_value(keyring: Keyring, state: CatalogState, id: GlobalId) -> bytes:
    """What a secret holds. Never put it where anybody can see it."""
    item = state.items[id]
    assert isinstance(item.definition, Secret), "who asks has looked"
    return keyring.open(item.definition.sealed, str(id))


def secrets_of(keyring: Keyring, state: CatalogState, connection: Connection) -> Mapping[GlobalId, str]:
    """The texts that a connection's secrets hold; 22021 for one that is no text."""
    found = {}
    for id in sorted(connection.secrets):
        try:
            found[id] = secret_value(keyring, state, id).decode()
        except UnicodeDecodeError:
            message = f'secret "{state.items[id].name}" is not text'
            raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, message) from None
    return found


def resealed(rows: Iterable[_Row], keyring: Keyring, randomness: Randomness) -> list[tuple[_Row, int]]:
    """The updates that bring secrets among a catalog's rows under the newest key; those whose key isn't here stay."""
    changes: list[tuple[_Row, int]] = []
    for row in rows:
        kind, id, value = row
        entry = json.loads(value) if kind == "item" else {}
        if entry.get("kind") != "secret" or keyring.is_newest(entry["sealed"]):
            continue
        try:
            plain = keyring.open(entry["sealed"], id)
        except SqlError:
            continue
        sealed = value.replace(json.dumps(entry["sealed"]), json.dumps(keyring.seal(plain, id, randomness)))
        changes += [(row, -1), ((kind, id, sealed), 1)]
    return changes
