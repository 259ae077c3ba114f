"""Encodes documents as messages, in the formats that the sink names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from connectors.kafka.destination import DestinationTopic, MessageFormat
from connectors.kafka.registered_schema import registered_schema
from connectors.sinks.avro_messages import AvroPart
from connectors.sinks.description import SinkDescription
from connectors.sinks.message_parts import (
    Encode,
    Rows,
    json_rows,
    json_text,
    key_desc,
    message_keys,
    message_values,
    plain_text,
    text_rows,
)
from connectors.sinks.messages import DELETED
from model.physical.columns import column_from_arrow, column_name

_Part = tuple[Rows, Encode]
Headers = Sequence[tuple[str, bytes | None]]


@dataclass(frozen=True, slots=True)
class Message:
    """A message for a topic. `number` chooses the partition, by its remainder; without a number the key chooses it."""

    key: bytes | None
    value: bytes | None
    headers: Headers = ()
    number: int | None = None


class MessageEncoding:
    """Encodes a sink's documents. `secrets` are those of registries: `key PASSWORD`, `value PASSWORD`, ….
    Construction registers the schemas, and so blocks, and raises Unreachable where the registry does not answer."""

    def __init__(self, sink: SinkDescription, place: DestinationTopic, secrets: Mapping[str, str]) -> None:
        self._sink = sink
        self._place = place
        self._envelope = place.envelope
        self._key = None if sink.key is None else _key_part(sink, place, secrets)
        self._value = _value_part(sink, place, secrets)

    def messages(self, documents: pa.Table) -> Iterable[Message]:
        """Encodes documents as messages, in the documents' order."""
        keyed = self._keyed(documents)
        place = self._place
        if place.headers is None and place.partition_by is None:
            return (Message(key, value) for key, value in keyed)
        # With either of these there is one message a document.
        headers, numbers = self._headers(documents), self._numbers(documents)
        return (Message(*each) for each in zip(*zip(*keyed, strict=True), headers, numbers, strict=True))

    def _headers(self, documents: pa.Table) -> Iterable[Headers]:
        """Returns each document's headers; a deletion has none."""
        if self._place.headers is None:
            return [()] * documents.num_rows
        type_ = self._sink.documents.types[self._place.headers]
        maps = column_from_arrow(documents.column(column_name(self._place.headers)), type_)
        gone = documents.column(DELETED).to_pylist()
        return [() if is_gone else _as_bytes(held) for held, is_gone in zip(maps, gone, strict=True)]

    def _numbers(self, documents: pa.Table) -> Iterable[int | None]:
        """Returns the number that chooses each document's partition, with 0 for NULL; None where the sink names no
        column for it."""
        if self._place.partition_by is None:
            return [None] * documents.num_rows
        numbers = documents.column(column_name(self._place.partition_by)).to_pylist()
        return [int(number or 0) for number in numbers]

    def _keyed(self, documents: pa.Table) -> Iterable[tuple[bytes | None, bytes | None]]:
        """Yields key and value of each document."""
        rows, encode = self._value
        values = message_values(documents, self._sink, self._envelope, rows)
        encoded = (None if value is None else encode(value) for value in values)
        if self._key is None:
            return ((None, value) for value in encoded)
        key_rows, encode_key = self._key
        keys = message_keys(documents, self._sink, key_rows)
        return ((encode_key(key), value) for key, value in zip(keys, encoded, strict=True))


def _as_bytes(held: Any) -> Headers:
    """Returns a map's entries; none of NULL."""
    return [(key, value.encode() if isinstance(value, str) else value) for key, value in held or ()]


def _key_part(sink: SinkDescription, place: DestinationTopic, secrets: Mapping[str, str]) -> _Part:
    match place.key_format.name:
        case "TEXT":
            return text_rows, plain_text
        case "JSON":
            return json_rows, json_text
        case _:
            part = AvroPart.of_keys(key_desc(sink))
            return part.rows, part.encoder(_registered(place.key_format, f"{place.topic}-key", part, "key ", secrets))


def _value_part(sink: SinkDescription, place: DestinationTopic, secrets: Mapping[str, str]) -> _Part:
    if place.value_format.name == "JSON":
        return json_rows, json_text
    part = AvroPart.of_values(sink.documents, place.envelope)
    return part.rows, part.encoder(_registered(place.value_format, f"{place.topic}-value", part, "value ", secrets))


def _registered(format_: MessageFormat, subject: str, part: AvroPart, prefix: str, secrets: Mapping[str, str]) -> int:
    assert format_.registry is not None, "Avro's schemas are registered"
    own = {name.removeprefix(prefix): value for name, value in secrets.items() if name.startswith(prefix)}
    return registered_schema({**dict(format_.registry), **own}, subject, part.schema)
