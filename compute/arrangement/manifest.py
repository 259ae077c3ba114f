"""The file that lists the batches of a dataflow's state, and the time up to which the state is complete."""

from __future__ import annotations

import zlib

import msgspec
import pyarrow as pa

from compute.arrangement.layout import ORDER_COLUMN, Layout, identity_of

MANIFEST_NAME = "manifest.json"


class FileEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A batch file, as BatchFile is. Older code, which named no format, wrote format 1.

    `goes_on`: the file continues the batch of the file before it, with greater hashes.
    """

    name: str
    rows: int
    bytes: int
    checksum: int
    format: int = 1
    goes_on: bool = False


class ArrangementEntry(msgspec.Struct, frozen=True):
    """An arrangement in the manifest, exact from `since` on. `schema` is the layout's, serialized by Arrow; `files`
    go from the oldest batch to the youngest."""

    schema: bytes
    sums: int
    since: int
    files: tuple[FileEntry, ...]

    @property
    def layout(self) -> Layout:
        """Returns the layout; CorruptManifest when no layout has such a schema."""
        fields = list(pa.ipc.read_schema(pa.py_buffer(self.schema)))
        key = tuple(field.type for field in fields if field.name.startswith("k"))
        values = tuple(field.type for field in fields if field.name.startswith("c"))
        layout = Layout(key, values, self.sums, any(field.name == ORDER_COLUMN for field in fields))
        if identity_of(layout) != (self.schema, self.sums):
            raise CorruptManifest("an arrangement has a schema that no layout has")
        return layout


class Manifest(msgspec.Struct, frozen=True):
    """The state of the dataflow `fingerprint` at times before `upper`."""

    fingerprint: str
    upper: int
    arrangements: dict[str, ArrangementEntry]


class _Envelope(msgspec.Struct, frozen=True):
    checksum: int
    manifest: msgspec.Raw


class CorruptManifest(Exception):
    """The manifest's bytes are damaged."""


def encode_manifest(manifest: Manifest) -> bytes:
    data = msgspec.json.encode(manifest)
    return msgspec.json.encode(_Envelope(zlib.crc32(data), msgspec.Raw(data)))


def decode_manifest(data: bytes) -> Manifest:
    try:
        envelope = msgspec.json.decode(data, type=_Envelope)
        if zlib.crc32(envelope.manifest) != envelope.checksum:
            raise CorruptManifest("its checksum is wrong")
        return msgspec.json.decode(envelope.manifest, type=Manifest)
    except msgspec.DecodeError as error:
        raise CorruptManifest(str(error)) from error
