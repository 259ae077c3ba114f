"""The manifest of a backup: the one file that makes what lies in a place a backup.

    backup/<name>.json      the manifest, written last
    state/<name>/<number>   states of shards, some megabytes a file
    part/…                  parts under the keys that they have in the system; backups of one place share them

The manifest names the files of states, and the states name the parts, each with its length and its CRC-32. A manifest
has a checksum of its own, and a format: every later format keeps that member, so that a reader which does not know it
says so, instead of misreading the rest.
"""

from __future__ import annotations

import zlib

import msgspec

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

FORMAT = 1
MANIFEST_PREFIX = "backup/"
STATE_PREFIX = "state/"
_SUFFIX = ".json"


class StateFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file with the states of some shards."""

    key: str
    bytes: int
    checksum: int


class BackupManifest(msgspec.Struct, frozen=True, kw_only=True):
    """A whole backup.

    `timestamp`: everything committed up to it is there, and nothing later
    `records`: values of consensus that are no shards, by their keys
    `parts`, `part_bytes`: how many parts the states name, and their length
    """

    name: str
    timestamp: int
    version: str
    records: dict[str, bytes]
    states: tuple[StateFile, ...]
    shards: int
    parts: int
    part_bytes: int


class _Sealed(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    checksum: int
    manifest: msgspec.Raw


class _OfFormat(msgspec.Struct, frozen=True, kw_only=True):
    format: int


def manifest_key(name: str) -> str:
    """Returns the key of a backup's manifest."""
    return f"{MANIFEST_PREFIX}{name}{_SUFFIX}"


def name_of(key: str) -> str | None:
    """Returns the name of the backup whose manifest has the key; None for another file."""
    if not key.startswith(MANIFEST_PREFIX) or not key.endswith(_SUFFIX):
        return None
    return key.removeprefix(MANIFEST_PREFIX).removesuffix(_SUFFIX)


def encode_manifest(manifest: BackupManifest) -> bytes:
    """Returns the manifest's file."""
    body = msgspec.json.encode(manifest)
    sealed = _Sealed(format=FORMAT, checksum=zlib.crc32(body), manifest=msgspec.Raw(body))
    return msgspec.json.encode(sealed)


def decode_manifest(key: str, data: bytes) -> BackupManifest:
    """Reads a manifest's file; SqlError (data_corrupted) when it is damaged, or of a later format."""
    try:
        format_ = msgspec.json.decode(data, type=_OfFormat).format
        if format_ > FORMAT:
            raise SqlError(
                Sqlstate.FEATURE_NOT_SUPPORTED,
                f"backup {key} was written by a newer Headwater: its format is {format_}, known are up to {FORMAT}",
                hint="Restore it with that version, or a later one.",
            )
        sealed = msgspec.json.decode(data, type=_Sealed)
        if zlib.crc32(bytes(sealed.manifest)) != sealed.checksum:
            raise _damaged(key, "its checksum does not match")
        return msgspec.json.decode(sealed.manifest, type=BackupManifest)
    except msgspec.DecodeError as error:
        raise _damaged(key, str(error)) from error


def _damaged(key: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.DATA_CORRUPTED, f"backup {key} is damaged", detail=detail)
