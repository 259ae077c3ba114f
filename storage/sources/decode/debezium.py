"""Debezium's JSON: what a change has made of a row (ENVELOPE DEBEZIUM).

    {"before": …, "after": {"id": 1, "n": 2}, "op": "u", "transaction": {"id": …}, …}

`after` is the row; it is null where the row is gone. With schemas, that is the `payload` beside a `schema`; keys have
the same form. What the row was before is in our own collection.
"""

from __future__ import annotations

from model.errors import SqlError
from model.sqlstate import Sqlstate
from model.text.json_text import Json, checked_json, write_jsonb
from storage.sources.decode.formats import decode_text

_WITH_SCHEMA = {"schema", "payload"}


def decode_debezium_key(value: bytes) -> str:
    """A key as jsonb. SqlError when it is no JSON."""
    return write_jsonb(_payload(value))


def decode_after(value: bytes) -> str | None:
    """The row as jsonb; None when there is none any more. SqlError when this is no change."""
    change = _payload(value)
    if not isinstance(change, dict) or "after" not in change:
        message = 'it is no change of a row as Debezium writes it: there is no "after"'
        raise SqlError(Sqlstate.INVALID_JSON_TEXT, message)
    after = change["after"]
    return None if after is None else write_jsonb(after)


def _payload(value: bytes) -> Json:
    whole = checked_json(decode_text(value))
    return whole["payload"] if isinstance(whole, dict) and whole.keys() == _WITH_SCHEMA else whole
