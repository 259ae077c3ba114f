"""Debezium's JSON: what a change has made of a row (ENVELOPE DEBEZIUM), and of which transaction it is.

    {"before": …, "after": {"id": 1, "n": 2}, "op": "u", "transaction": {"id": …}, …}

`after` is the row; it is null where the row is gone (`op` d), and where all rows are (`op` t), which can't be followed.
With schemas, that is the `payload` beside a `schema`; keys have the same form. What the row was before is in our own
collection.

A topic of its own says when transactions begin and end:

    {"status": "END", "id": …, "data_collections": [{"data_collection": "a.b.c", "event_count": 2}, …], …}

In Avro both have the same fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from connectors.sources.decode.formats import decode_text
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json, checked_json, write_jsonb

_WITH_SCHEMA = {"schema", "payload"}
_GONE = {"c": False, "r": False, "u": False, "d": True}
"""Whether a row is gone, by the kind of change."""
_EMPTIED = "t"
_TOLD_LENGTH = 40


@dataclass(frozen=True, slots=True)
class TransactionBegin:
    """A transaction with this id has begun."""

    id: str


@dataclass(frozen=True, slots=True)
class TransactionEnd:
    """A transaction has ended; `events` are the numbers of its events, by collection."""

    id: str
    events: Mapping[str, int]


def decode_debezium_key(value: bytes) -> str:
    """Decodes a key to jsonb; raises SqlError when it is no JSON."""
    return write_jsonb(_payload(value))


def decode_after(value: bytes) -> str | None:
    """Decodes a change to the new row as jsonb; returns None for a deleted row. Raises SqlError when the value is no
    change."""
    change = _payload(value)
    if not isinstance(change, dict) or "after" not in change:
        message = 'it is no change of a row as Debezium writes it: there is no "after"'
        raise SqlError(Sqlstate.INVALID_JSON_TEXT, message)
    after = change["after"]
    require_followable(change.get("op"), gone=after is None)
    return None if after is None else write_jsonb(after)


def require_followable(op: Any, *, gone: bool) -> None:
    """Raises SqlError for a kind of change that cannot be applied: TRUNCATE, and unknown kinds. None is a change
    that does not name its kind."""
    if op == _EMPTIED:
        message = "the table was emptied (TRUNCATE), and which rows it had is not told"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if op is not None and (_GONE.get(op) if isinstance(op, str) else None) is not gone:
        told = f"op is {str(op)[:_TOLD_LENGTH]}, and after is {'' if gone else 'not '}null"
        message = f"it is no change of a row as Debezium writes it: {told}"
        raise SqlError(Sqlstate.INVALID_JSON_TEXT, message)


def _payload(value: bytes) -> Json:
    whole = checked_json(decode_text(value))
    return whole["payload"] if isinstance(whole, dict) and whole.keys() == _WITH_SCHEMA else whole


def transaction_of(change: Any) -> str | None:
    """Returns the id of a change's transaction; None for a record that belongs to none: a record without a value, a
    row of a first snapshot, a value that is no change."""
    transaction = _field(change, "transaction")
    id_ = _field(transaction, "id")
    return id_ if isinstance(id_, str) else None


def boundary_of(told: Any) -> TransactionBegin | TransactionEnd | None:
    """Reads a record of the transactions' topic; returns None when the record is neither a beginning nor an end."""
    id_, status = _field(told, "id"), _field(told, "status")
    if not isinstance(id_, str) or status not in ("BEGIN", "END"):
        return None
    if status == "BEGIN":
        return TransactionBegin(id_)
    events: dict[str, int] = {}
    collections = _field(told, "data_collections")
    for each in collections if isinstance(collections, list) else ():
        name, count = _field(each, "data_collection"), _field(each, "event_count")
        if isinstance(name, str) and isinstance(count, int):
            events[name] = events.get(name, 0) + count
    return TransactionEnd(id_, events)


def load_debezium(value: bytes) -> Any:
    """Loads JSON, without what is not looked at being checked; None for anything else."""
    try:
        whole = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return whole["payload"] if isinstance(whole, dict) and whole.keys() == _WITH_SCHEMA else whole


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
