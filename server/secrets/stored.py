"""Secrets of the catalog: read with the keyring, and brought to the newest key when the environment opens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from catalog.nouns.connections import Connection, Secret
from catalog.nouns.sources import LeftSlot
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.process.redaction import remember
from model.time.clock import Randomness
from server.secrets.keyring import Keyring

_Row = tuple[str, str, str]


def secret_value(keyring: Keyring, state: CatalogState, id: GlobalId) -> bytes:
    """Returns the value of a secret. Never put it where anybody can see it."""
    item = state.items[id]
    assert isinstance(item.definition, Secret), "who asks has looked"
    return keyring.open(item.definition.sealed, str(id))


def secrets_of(keyring: Keyring, state: CatalogState, connection: Connection) -> Mapping[GlobalId, str]:
    """Returns the texts of a connection's secrets; raises 22021 for one that is no text."""
    found = {}
    for id in sorted(connection.secrets):
        found[id] = _text(secret_value(keyring, state, id), state.items[id].name)
    return found


def left_secrets(keyring: Keyring, slot: LeftSlot) -> Mapping[GlobalId, str]:
    """Returns the texts of the secrets that reach a left slot; raises 22021 for one that is no text."""
    return {id: _text(keyring.open(sealed, str(id)), str(id)) for id, sealed in slot.sealed}


def _text(value: bytes, name: str) -> str:
    try:
        text = value.decode()
        remember([text])
        return text
    except UnicodeDecodeError:
        raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, f'secret "{name}" is not text') from None


def resealed(rows: Iterable[_Row], keyring: Keyring, randomness: Randomness) -> list[tuple[_Row, int]]:
    """Returns the updates that encrypt the secrets in a catalog's rows with the newest key; secrets whose key is
    missing stay."""
    changes: list[tuple[_Row, int]] = []
    for row in rows:
        kind, key, value = row
        anew = value
        for id, sealed in _sealed_in(kind, key, value):
            if keyring.is_newest(sealed):
                continue
            try:
                plain = keyring.open(sealed, id)
            except SqlError:
                continue
            anew = anew.replace(json.dumps(sealed), json.dumps(keyring.seal(plain, id, randomness)))
        if anew != value:
            changes += [(row, -1), ((kind, key, anew), 1)]
    return changes


def _sealed_in(kind: str, key: str, value: str) -> list[tuple[str, str]]:
    """Returns the encrypted texts of a row, with the ids of their secrets."""
    if kind == "item":
        entry = json.loads(value)
        return [(key, entry["sealed"])] if entry["kind"] == "secret" else []
    return [(id, sealed) for id, sealed in json.loads(value)["sealed"]] if kind == "left_slot" else []
