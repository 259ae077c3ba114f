"""Writes documents of an index of OpenSearch: a document's version is the frontier of the transaction that wrote it.

    headwater_checkpoints/<index>    the sink, the session that opened last, the frontier, whether it is applying
    <index>/<key>                    a document

OpenSearch has no transactions. A transaction first marks the checkpoint as applying, then writes the documents by bulk
requests, and then moves the checkpoint. The checkpoint changes only where nobody else has changed it since, so a
session that was replaced by another begins no transaction. A session that opens after a crash stores everything again
that has changed since the checkpoint.

A document of version 40 is what the key had right before the time 40. So whoever writes twice, or late, does no harm:
the index takes no document of a lower version than the index knows, and a higher version is newer. The version of a
deleted document is known for `gc_deletes`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from connectors.opensearch.answers import (
    BulkTold,
    Checkpoint,
    CheckpointTold,
    Counted,
    Documents,
    IndexTold,
    Outcome,
    Page,
)
from connectors.opensearch.client import ATTEMPTS, BACK_OFF, BUSY, OpensearchClient, OpensearchFailure, reason_of
from connectors.opensearch.documents import GONE, BulkItem, document_ids, items_of, sources_of, write_items
from connectors.opensearch.index import OpensearchIndex
from connectors.sinks.documents import duplicate_key
from connectors.sinks.fences import CHECKPOINTS, SplitCheckpoint, another_sinks, fenced_off, not_as_expected, not_empty
from connectors.sinks.messages import DELETED, EXISTS, Open
from connectors.sinks.table_driver import TableDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import column_name
from model.time.timestamp import Timestamp

_IN_MEMORY = 16 << 20
_BULK_BYTES, _BULK_ITEMS = 5 << 20, 5_000
_ASKED_IDS = 1_000
_SCROLLED, _KEPT = 5_000, "5m"
_GC_DELETES = "1h"
_TAKEN = (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.CONFLICT)
"""The statuses of items that need nothing more: written, deleted, or there in a newer version."""


class OpensearchDriver(TableDriver):
    """A session with one index. `token` is unique to the session."""

    failures = OpensearchFailure

    def __init__(self, place: OpensearchIndex, token: str, directory: Path) -> None:
        super().__init__()
        self._place = place
        self._token = token
        self._directory = directory
        self._connected: OpensearchClient | None = None
        self._waiting: IO[bytes] | None = None
        self._uuid = ""
        self._known: dict[str, str | int] = {}
        """The condition under which the checkpoint is still as this session has left it."""

    def abort(self) -> None:
        """Stops retries. A request that is under way ends by itself, within a time limit."""
        if self._connected is not None:
            self._connected.ended.set()

    def close(self) -> None:
        client, self._connected = self._connected, None
        if client is not None:
            client.ended.set()
            client.close()
        self._forget()

    @property
    def _client(self) -> OpensearchClient:
        assert self._connected is not None, "it is open"
        return self._connected

    # Opening

    def open(self, request: Open) -> None:
        self._connected = OpensearchClient({**dict(self._place.settings), **request.secrets})
        index, sink = self._place.index, request.sink
        if index == CHECKPOINTS:
            raise not_as_expected(CHECKPOINTS, "it tells how far sinks are")
        self._made(CHECKPOINTS, {"mappings": {"dynamic": False}})
        self._uuid = self._made(index, {"settings": {"index": {"gc_deletes": _GC_DELETES}}})
        for _ in range(ATTEMPTS):
            row = self._checkpoint()
            if row is not None and row.sink != sink.name:
                raise another_sinks(index, row.sink)
            if row is None and not (request.frontier or request.anew) and self._count():
                raise not_empty(index)
            # An index that was dropped, and made again, has nothing of what the checkpoint tells.
            stands = row is not None and row.uuid == self._uuid and not request.anew
            self.own = SplitCheckpoint(request.keys, 0, Timestamp(row.frontier if row is not None and stands else 0))
            self.partial = row is not None and row.applying
            if self._moved(self.own.frontier, applying=self.partial):
                return
        raise OpensearchFailure("other sessions of the sink open without a pause")

    def _made(self, index: str, body: dict[str, Any]) -> str:
        """Creates an index where there is none, and returns its uuid."""
        while (
            found := self._client.ask("GET", index, expected=(HTTPStatus.NOT_FOUND,))
        ).status == HTTPStatus.NOT_FOUND:
            made = self._client.ask("PUT", index, body=body, expected=(HTTPStatus.BAD_REQUEST,))
            if made.status == HTTPStatus.BAD_REQUEST and "already exists" not in made.reason:
                raise OpensearchFailure(made.reason, made.status)
        told = found.read(dict[str, IndexTold])
        if list(told) != [index]:
            raise not_as_expected(index, f"it is an alias of {', '.join(told)}")
        return told[index].settings.index.uuid

    def _checkpoint(self) -> Checkpoint | None:
        """Reads the checkpoint, and remembers the state that it is in."""
        told = self._client.ask("GET", CHECKPOINTS, "_doc", self._place.index, expected=(HTTPStatus.NOT_FOUND,))
        found = told.read(CheckpointTold)
        self._remember(found)
        return found.source

    def _remember(self, told: CheckpointTold) -> None:
        if told.number is None or told.term is None:
            self._known = {"op_type": "create"}
        else:
            self._known = {"if_seq_no": told.number, "if_primary_term": told.term}

    def _count(self) -> int:
        """Counts the documents of the index."""
        self._client.ask("POST", self._place.index, "_refresh")
        return self._client.ask("GET", self._place.index, "_count").read(Counted).count

    def _moved(self, frontier: Timestamp, *, applying: bool) -> bool:
        """Moves the checkpoint, and tells whether it was still in the state that is remembered."""
        row = Checkpoint(self.written.name, self._token, self._uuid, frontier, applying)
        path = CHECKPOINTS, "_doc", self._place.index
        told = self._client.ask("PUT", *path, body=row, expected=(HTTPStatus.CONFLICT,), **self._known)
        if told.status == HTTPStatus.CONFLICT:
            return False
        self._remember(told.read(CheckpointTold))
        return True

    # Transactions

    def load(self, keys: pa.Table) -> pa.Table:
        raise AssertionError("nothing is loaded from OpenSearch: parts of a transaction would count twice")

    def store(self, documents: pa.Table) -> None:
        sink = self.written
        assert sink.key is not None, "a sink into OpenSearch has one"
        ids = document_ids(documents, sink, [column_name(place) for place in sink.key])
        gone = documents.column(DELETED)
        if sink.enforced and not self.replaces and not self.partial:
            new = pc.invert(pc.or_(gone, documents.column(EXISTS))).to_pylist()
            self._require_none(documents, [(at, ids[at]) for at, is_new in enumerate(new) if is_new])
        sources = sources_of(documents, sink)
        told = zip(ids, sources, gone.to_pylist(), strict=True)
        if self._waiting is None:
            self._waiting = tempfile.SpooledTemporaryFile(_IN_MEMORY, dir=str(self._directory))  # noqa: SIM115
        items = (BulkItem(id_, msgspec.Raw(GONE if is_gone else source)) for id_, source, is_gone in told)
        write_items(self._waiting, items)

    def _require_none(self, documents: pa.Table, new: Sequence[tuple[int, str]]) -> None:
        """Raises 23505 for a document whose key the index has, though the sink says that it is new."""
        for start in range(0, len(new), _ASKED_IDS):
            asked = {id_: at for at, id_ in new[start : start + _ASKED_IDS]}
            told = self._client.ask("POST", self._place.index, "_mget", body={"ids": list(asked)}, _source="false")
            for document in told.read(Documents).docs:
                if document.found and document.id in asked:
                    raise duplicate_key(documents.slice(asked[document.id], 1), self.written)

    def commit(self, frontier: Timestamp) -> None:
        if self._waiting is not None or self.replaces:
            self._move(self.own.frontier, applying=True)
            if self._waiting is not None:
                self._write(items_of(self._waiting), frontier)
            if self.replaces:
                self._write((BulkItem(id_, msgspec.Raw(GONE)) for id_ in self._older(frontier)), frontier)
        self._move(frontier, applying=False)
        self.own = replace(self.own, frontier=frontier)
        self.partial = False
        self._forget()

    def _move(self, frontier: Timestamp, *, applying: bool) -> None:
        if not self._moved(frontier, applying=applying):
            raise fenced_off()

    def _forget(self) -> None:
        """Forgets the documents of the transaction."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.close()

    def _older(self, version: int) -> Iterator[str]:
        """Yields the ids of the documents that have a lower version."""
        client, index = self._client, self._place.index
        client.ask("POST", index, "_refresh")
        asked = {"size": _SCROLLED, "version": True, "_source": False, "sort": ["_doc"], "query": {"match_all": {}}}
        page = client.ask("POST", index, "_search", body=asked, scroll=_KEPT).read(Page)
        while page.hits.hits:
            yield from (hit.id for hit in page.hits.hits if hit.version < version)
            on = {"scroll": _KEPT, "scroll_id": page.scroll}
            page = client.ask("POST", "_search", "scroll", body=on).read(Page)
        client.ask("DELETE", "_search", "scroll", body={"scroll_id": page.scroll}, expected=(HTTPStatus.NOT_FOUND,))

    def _write(self, items: Iterable[BulkItem], version: int) -> None:
        portion: list[tuple[BulkItem, bytes]] = []
        size = 0
        for item in items:
            lines = item.lines(version)
            if portion and (len(portion) == _BULK_ITEMS or size + len(lines) > _BULK_BYTES):
                self._write_portion(portion)
                portion, size = [], 0
            portion.append((item, lines))
            size += len(lines)
        if portion:
            self._write_portion(portion)

    def _write_portion(self, portion: list[tuple[BulkItem, bytes]]) -> None:
        """Writes items until all are taken: those that the server is too busy for are sent again, ever later."""
        attempt = 1
        while True:
            self._require_own()
            lines = b"".join(lines for _, lines in portion)
            told = self._client.ask("POST", self._place.index, "_bulk", body=lines).read(BulkTold).items
            outcomes = [outcome for result in told for outcome in result.values()]
            if len(outcomes) != len(portion):
                raise OpensearchFailure("the answer to a bulk request does not tell of each of its items")
            again, reason = [], ""
            for waiting, outcome in zip(portion, outcomes, strict=True):
                item, _ = waiting
                if outcome.status in BUSY:
                    again.append(waiting)
                    reason = reason_of(outcome.error)
                elif outcome.status not in _TAKEN and not (item.deletes and outcome.status == HTTPStatus.NOT_FOUND):
                    raise self._refused(item, outcome)
            if not again:
                return
            if attempt == ATTEMPTS or self._client.ended.wait(BACK_OFF.delay_s(attempt)):
                raise OpensearchFailure(f"documents were not taken: {reason}", HTTPStatus.TOO_MANY_REQUESTS)
            portion, attempt = again, attempt + 1

    def _require_own(self) -> None:
        """Raises 55000 where another session has opened the index: a retry may come long after the first attempt."""
        known = self._known
        self._checkpoint()
        if self._known != known:
            raise fenced_off()

    def _refused(self, item: BulkItem, outcome: Outcome) -> SqlError:
        wrong = outcome.status == HTTPStatus.BAD_REQUEST
        why = reason_of(outcome.error)
        message = f'index "{self._place.index}" of OpenSearch refused the document "{item.id}": {why}'
        return SqlError(Sqlstate.DATATYPE_MISMATCH if wrong else Sqlstate.CONNECTION_FAILURE, message)

    def failed(self, error: Exception) -> SqlError:
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'index "{self._place.index}" of OpenSearch: {error}')
