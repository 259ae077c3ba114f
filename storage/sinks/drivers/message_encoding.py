"""Messages of a sink's documents, in the formats that it was told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa

from storage.sinks.avro_messages import AvroPart
from storage.sinks.description import DestinationTopic, MessageFormat, SinkDescription
from storage.sinks.message_parts import (
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
from storage.sinks.registered_schema import registered_schema

_Part = tuple[Rows, Encode]


class MessageEncoding:
    """`secrets` are those of registries: `key PASSWORD`, `value PASSWORD`, …. It registers schemas, and blocks for
    that; Unreachable where it can't."""

    def __init__(self, sink: SinkDescription, place: DestinationTopic, secrets: Mapping[str, str]) -> None:
        self._sink = sink
        self._envelope = place.envelope
        self._key = None if sink.key is None else _key_part(sink, place, secrets)
        self._value = _value_part(sink, place, secrets)

    def messages(self, documents: pa.Table) -> Iterable[tuple[bytes | None, bytes | None]]:
        """Key and value of each."""
        rows, encode = self._value
        values = message_values(documents, self._sink, self._envelope, rows)
        encoded = (None if value is None else encode(value) for value in values)
        if self._key is None:
            return ((None, value) for value in encoded)
        key_rows, encode_key = self._key
        keys = message_keys(documents, self._sink, key_rows)
        return ((encode_key(key), value) for key, value in zip(keys, encoded, strict=True))


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
