"""The one file that says which batches make up the state of a dataflow, and up to which time it is complete."""

from __future__ import annotations

import zlib

import msgspec

MANIFEST_NAME = "manifest.json"


class FileEntry(msgspec.Struct, frozen=True):
    """A batch file; `checksum` is the CRC-32 of its bytes."""

    name: str
    rows: int
    bytes: int
    checksum: int


class ArrangementEntry(msgspec.Struct, frozen=True):
    """`schema` is the layout's, serialized by Arrow; files from the oldest batch to the youngest. What they hold is
    exact from `since` on."""

    schema: bytes
    sums: int
    since: int
    files: tuple[FileEntry, ...]


class Manifest(msgspec.Struct, frozen=True):
    """The state of the dataflow `fingerprint` at times before `upper`."""

    fingerprint: str
    upper: int
    arrangements: dict[str, ArrangementEntry]


class _Envelope(msgspec.Struct, frozen=True):
    checksum: int
    manifest: msgspec.Raw


class CorruptManifest(Exception):
    """The manifest's bytes are not what was written."""


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
