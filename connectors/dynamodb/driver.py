"""Writes documents as items of a table of DynamoDB, in portions, each of which checks that the session still owns the
sink.

    headwater_checkpoints    an item a split of a sink: who opened it last, how far it is, whether it is applying
    t                        an item a document

A portion is one transaction of DynamoDB (TransactWriteItems), with a hundred items at most. A sink's transaction that
fits into one portion changes the documents and the checkpoint at once. A larger one first marks the checkpoint as
applying; a reader sees its portions one after the other, and a session that opens after a crash stores everything again
that has changed since. A session that was replaced by another changes nothing, because each portion requires the
session's own token in the checkpoint.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from connectors.aws.clients import AwsFailure, aws_client
from connectors.dynamodb.items import (
    Item,
    items_of,
    key_attributes,
    key_letter,
    size_of,
)
from connectors.dynamodb.table import DynamodbTable
from connectors.sinks.documents import duplicate_key
from connectors.sinks.fences import (
    CHECKPOINTS,
    SplitCheckpoint,
    another_sinks,
    fenced_off,
    is_part,
    not_as_expected,
    not_empty,
    opened_at,
    overlap,
)
from connectors.sinks.messages import DELETED, EXISTS, KeyRange, Open
from connectors.sinks.table_driver import TableDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import column_from_arrow, column_name
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc

_ITEMS_MAX = 99
"""Of documents in a portion; its hundredth item is the checkpoint."""
_BYTES_MAX = 3 << 20
_ITEM_BYTES_MAX = 400 * 1024
_ATTEMPTS = 100
_UNTIL_MADE = {"Delay": 1, "MaxAttempts": 60}
_SPLIT = "split"

Write = Mapping[str, Any]
"""One item of TransactWriteItems."""


class DynamodbDriver(TableDriver):
    """A session with one table. `token` is unique to the session."""

    failures = AwsFailure

    def __init__(self, place: DynamodbTable, token: str) -> None:
        super().__init__()
        self._place = place
        self._token = token
        self._connected: Any = None
        self._waiting: list[tuple[Write, pa.Table | None]] = []
        self._bytes = 0
        self._applying = False

    def abort(self) -> None:
        """Does nothing: each request ends by itself within a time limit."""

    def close(self) -> None:
        client, self._connected = self._connected, None
        if client is not None:
            client.close()

    @property
    def _client(self) -> Any:
        assert self._connected is not None, "it is open"
        return self._connected

    @property
    def _key_desc(self) -> RelationDesc:
        sink = self.written
        assert sink.key is not None, "a sink into DynamoDB has one"
        return RelationDesc(tuple(sink.documents.columns[place] for place in sink.key))

    # Opening

    def open(self, request: Open) -> None:
        self._connected = aws_client("dynamodb", {**dict(self._place.settings), **request.secrets})
        if self._place.table == CHECKPOINTS:
            raise not_as_expected(CHECKPOINTS, "it tells how far sinks are")
        self._make(CHECKPOINTS, [(_SPLIT, "S")])
        self._make(self._place.table, [(each.name, key_letter(each.type)) for each in self._key_desc.columns])
        for _ in range(_ATTEMPTS):
            known = list(self._scanned(CHECKPOINTS))
            if self._wrote(self._taken_over(request, known)):
                return
        message = f'table "{self._place.table}" of DynamoDB: other sinks commit without a pause'
        raise SqlError(Sqlstate.CONNECTION_FAILURE, message)

    def _make(self, table: str, key: Sequence[tuple[str, str]]) -> None:
        """Creates a table with such a key, and waits until the table exists."""
        kinds = ("HASH", "RANGE")
        schema = [{"AttributeName": name, "KeyType": kind} for (name, _), kind in zip(key, kinds, strict=False)]
        letters = [{"AttributeName": name, "AttributeType": letter} for name, letter in key]
        with contextlib.suppress(self._client.exceptions.ResourceInUseException):
            self._client.create_table(
                TableName=table, KeySchema=schema, AttributeDefinitions=letters, BillingMode="PAY_PER_REQUEST"
            )
        self._client.get_waiter("table_exists").wait(TableName=table, WaiterConfig=_UNTIL_MADE)
        found = self._client.describe_table(TableName=table)["Table"]
        types = {each["AttributeName"]: each["AttributeType"] for each in found["AttributeDefinitions"]}
        has = [(each["AttributeName"], types[each["AttributeName"]]) for each in found["KeySchema"]]
        if has != list(key):
            shown = ", ".join(f"{name} {letter}" for name, letter in has)
            raise not_as_expected(table, f"its key is ({shown})")

    def _taken_over(self, request: Open, known: list[Item]) -> list[Write]:
        """Returns the writes that take the sink over from other sessions."""
        name, table = request.sink.name, self._place.table
        mine = [row for row in known if row["sink"]["S"] == name]
        for row in known:
            if row["target"]["S"] == table and row["sink"]["S"] != name:
                raise another_sinks(table, row["sink"]["S"])
        splits = [
            SplitCheckpoint(_keys(row), 0, Timestamp(int(row["frontier"]["N"])), row["applying"]["BOOL"])
            for row in mine
        ]
        self.own = opened_at(request.keys, splits)
        if request.anew or any(row["target"]["S"] != table for row in mine):
            self.own = replace(self.own, frontier=Timestamp(0))
        if not mine and request.frontier == 0 and not request.anew and any(self._scanned(table)):
            raise not_empty(table)
        self.partial = self.own.partial
        own = {_SPLIT: {"S": self._own_split}, **self._row(self.own.frontier, applying=self.partial)}
        writes = [_changed(own, next((row for row in mine if row[_SPLIT] == own[_SPLIT]), None))]
        for row in mine:
            if is_part(_keys(row), request.keys):
                writes.append(_gone(row))
            elif row[_SPLIT] != own[_SPLIT] and overlap(_keys(row), request.keys):
                writes.append(_changed({**row, "session": {"S": self._token}}, row))
        return writes

    @property
    def _own_split(self) -> str:
        return f"{self.written.name} {self.own.keys.begin}-{self.own.keys.end}"

    def _row(self, frontier: Timestamp, *, applying: bool) -> Item:
        """Returns the checkpoint of the session's split, without its key."""
        return {
            "sink": {"S": self.written.name},
            "target": {"S": self._place.table},
            "begin": {"N": str(self.own.keys.begin)},
            "end": {"N": str(self.own.keys.end)},
            "session": {"S": self._token},
            "frontier": {"N": str(frontier)},
            "applying": {"BOOL": applying},
        }

    def _scanned(self, table: str, *names: str) -> Iterator[Item]:
        """Yields all items of a table, with the named attributes only where names are given."""
        told: dict[str, Any] = {"TableName": table, "ConsistentRead": True}
        if names:
            told["ExpressionAttributeNames"] = {f"#{at}": name for at, name in enumerate(names)}
            told["ProjectionExpression"] = ", ".join(told["ExpressionAttributeNames"])
        for page in self._client.get_paginator("scan").paginate(**told):
            yield from page["Items"]

    # Transactions

    def load(self, keys: pa.Table) -> pa.Table:
        raise AssertionError("nothing is loaded from DynamoDB: parts of a transaction would count twice")

    def store(self, documents: pa.Table) -> None:
        sink = self.written
        assert sink.key is not None, "it has a key"
        self._begin()
        columns = [column_from_arrow(documents.column(column_name(at)), sink.documents.types[at]) for at in sink.key]
        keys = key_attributes(columns, self._key_desc)
        gone, there = (documents.column(name).to_pylist() for name in (DELETED, EXISTS))
        for at, (key, item) in enumerate(zip(keys, items_of(documents, sink.documents), strict=True)):
            if gone[at]:
                self._wait({"Delete": {"TableName": self._place.table, "Key": key}}, key, None)
                continue
            if size_of(item) > _ITEM_BYTES_MAX:
                raise _too_large(documents.slice(at, 1), key)
            put: dict[str, Any] = {"TableName": self._place.table, "Item": item}
            new = sink.enforced and not there[at] and not self.replaces and not self.partial
            if new:
                put["ConditionExpression"] = "attribute_not_exists(#k)"
                put["ExpressionAttributeNames"] = {"#k": self._key_desc.names[0]}
            self._wait({"Put": put}, item, documents.slice(at, 1) if new else None)

    def _begin(self) -> None:
        """Begins a transaction. The first transaction of a sink that replaces everything deletes all items first."""
        if self.replaces and not self._applying:
            self._apply_in_parts()
            for key in self._scanned(self._place.table, *self._key_desc.names):
                self._wait({"Delete": {"TableName": self._place.table, "Key": key}}, key, None)
            self._flush()

    def _wait(self, write: Write, item: Item, new: pa.Table | None) -> None:
        """Queues a write. `new` is the document where the table must not have its key yet."""
        size = size_of(item)
        if len(self._waiting) == _ITEMS_MAX or self._bytes + size > _BYTES_MAX:
            self._apply_in_parts()
            self._flush()
        self._waiting.append((write, new))
        self._bytes += size

    def _apply_in_parts(self) -> None:
        if not self._applying:
            self._write([self._moved(self.own.frontier, applying=True)], ())
            self._applying = True

    def _flush(self) -> None:
        if self._waiting:
            self._send(self._mine())

    def _send(self, checkpoint: Write) -> None:
        writes, new = zip(*self._waiting, strict=True) if self._waiting else ((), ())
        self._write([checkpoint, *writes], new)
        self._waiting, self._bytes = [], 0

    def commit(self, frontier: Timestamp) -> None:
        self._begin()
        self._send(self._moved(frontier, applying=False))
        self.own = replace(self.own, frontier=frontier)
        self._applying = self.partial = False

    def _mine(self) -> Write:
        return {"ConditionCheck": {**self._own_item(), **_condition(self._token)}}

    def _moved(self, frontier: Timestamp, *, applying: bool) -> Write:
        told = _condition(self._token)
        values = {**told["ExpressionAttributeValues"], ":f": {"N": str(frontier)}, ":a": {"BOOL": applying}}
        change = "SET frontier = :f, applying = :a"
        return {"Update": {**self._own_item(), **told, "UpdateExpression": change, "ExpressionAttributeValues": values}}

    def _own_item(self) -> dict[str, Any]:
        return {"TableName": CHECKPOINTS, "Key": {_SPLIT: {"S": self._own_split}}}

    def _write(self, writes: list[Write], new: Sequence[pa.Table | None]) -> None:
        """Writes one portion, whose first write is the checkpoint's. Raises 23505 for a document whose key the table
        already has."""
        try:
            self._client.transact_write_items(TransactItems=writes)
        except self._client.exceptions.TransactionCanceledException as failure:
            reasons = [reason.get("Code") for reason in failure.response.get("CancellationReasons", ())]
            if reasons[:1] == ["ConditionalCheckFailed"]:
                raise fenced_off() from None
            for reason, document in zip(reasons[1:], new, strict=False):
                if reason == "ConditionalCheckFailed" and document is not None:
                    raise duplicate_key(document, self.written) from None
            raise

    def _wrote(self, writes: list[Write]) -> bool:
        """Writes a transaction, and tells whether it succeeded; false means that another session has changed a
        checkpoint meanwhile."""
        try:
            self._client.transact_write_items(TransactItems=writes)
        except self._client.exceptions.TransactionCanceledException as failure:
            reasons = [reason.get("Code") for reason in failure.response.get("CancellationReasons", ())]
            if not {"ConditionalCheckFailed", "TransactionConflict"}.intersection(reasons):
                raise
            return False
        return True

    def failed(self, error: Exception) -> SqlError:
        said = " ".join(str(error).split())
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'table "{self._place.table}" of DynamoDB: {said}')


def _condition(token: str) -> dict[str, Any]:
    """Returns the condition that the checkpoint is still the session's."""
    return {
        "ConditionExpression": "#s = :s",
        "ExpressionAttributeNames": {"#s": "session"},
        "ExpressionAttributeValues": {":s": {"S": token}},
    }


def _changed(row: Item, known: Item | None) -> Write:
    """Returns the write that puts a checkpoint on condition that it still is as known."""
    put: dict[str, Any] = {"TableName": CHECKPOINTS, "Item": row}
    if known is not None:
        return {"Put": {**put, **_as_known(known)}}
    put["ConditionExpression"] = "attribute_not_exists(#k)"
    put["ExpressionAttributeNames"] = {"#k": _SPLIT}
    return {"Put": put}


def _gone(known: Item) -> Write:
    """Returns the write that deletes a checkpoint on condition that it still is as known."""
    return {"Delete": {"TableName": CHECKPOINTS, "Key": {_SPLIT: known[_SPLIT]}, **_as_known(known)}}


def _as_known(known: Item) -> dict[str, Any]:
    return {
        "ConditionExpression": "#s = :s AND frontier = :f AND applying = :a",
        "ExpressionAttributeNames": {"#s": "session"},
        "ExpressionAttributeValues": {":s": known["session"], ":f": known["frontier"], ":a": known["applying"]},
    }


def _keys(row: Item) -> KeyRange:
    return KeyRange(int(row["begin"]["N"]), int(row["end"]["N"]))


def _too_large(document: pa.Table, key: Item) -> SqlError:
    shown = ", ".join(f"{name} = {next(iter(attribute.values()))}" for name, attribute in key.items())
    message = f"an item of DynamoDB has {_ITEM_BYTES_MAX:,} bytes at most: the document of {shown[:100]} has more"
    return SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
