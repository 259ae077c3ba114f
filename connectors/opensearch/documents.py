"""Turns documents into items of the bulk API, which wait in a file until the version of all of them is known.

(1, 'JFK')      {"index": {"_id": "1", "version": 1795445705379, "version_type": "external_gte"}}
                {"id": 1, "origin": "JFK"}
of no row       {"delete": {"_id": "1", "version": 1795445705379, "version_type": "external_gte"}}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

import msgspec
import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.plain_columns import json_objects, text_column
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

ID_BYTES_MAX = 512
GONE = b"null"
"""The source of a document that is to go."""
_SHOWN_MAX = 100


def document_ids(documents: pa.Table, sink: SinkDescription, names: list[str]) -> list[str]:
    """Returns the _id of each document from the columns of the key, which have these names: the text of a key of one
    column, the texts of more as a JSON array. An empty text, which is no _id, and one that begins as an array does,
    are an array, too: different keys never have one _id. Raises 54000 for a key that is too long."""
    types = [sink.documents.types[place] for place in sink.key or ()]
    columns = [text_column(documents.column(name), type_).to_pylist() for name, type_ in zip(names, types, strict=True)]
    ids = [_id(texts) for texts in zip(*columns, strict=True)]
    for id_ in ids:
        if len(id_.encode()) > ID_BYTES_MAX:
            message = f"an _id of OpenSearch has {ID_BYTES_MAX} bytes at most: the key {id_[:_SHOWN_MAX]}… has more"
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    return ids


def _id(texts: tuple[str, ...]) -> str:
    if len(texts) == 1 and texts[0] and not texts[0].startswith("["):
        return str(texts[0])
    return msgspec.json.encode(texts).decode()


def sources_of(documents: pa.Table, sink: SinkDescription) -> list[bytes]:
    """Returns each document as JSON on one line."""
    return [msgspec.json.encode(each) for each in json_objects(documents, sink.documents)]


class BulkItem(msgspec.Struct, frozen=True, array_like=True):
    """A change of the document `id`: its new `source`, or `null` where it is to go."""

    id: str
    source: msgspec.Raw

    @property
    def deletes(self) -> bool:
        """Tells whether the document is to go."""
        return bytes(self.source) == GONE

    def lines(self, version: int) -> bytes:
        """Returns the item as lines of a bulk request."""
        told = {"_id": self.id, "version": version, "version_type": "external_gte"}
        if self.deletes:
            return msgspec.json.encode({"delete": told}) + b"\n"
        return msgspec.json.encode({"index": told}) + b"\n" + bytes(self.source) + b"\n"


def write_items(file: IO[bytes], items: Iterable[BulkItem]) -> None:
    """Appends items to a file."""
    for item in items:
        file.write(msgspec.json.encode(item) + b"\n")


def items_of(file: IO[bytes]) -> Iterator[BulkItem]:
    """Yields the items of a file, from its beginning."""
    file.seek(0)
    decoder = msgspec.json.Decoder(BulkItem)
    return map(decoder.decode, file)
