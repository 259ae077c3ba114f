"""The manifest of a backup: the one file that makes what lies in a place a backup.

    backup/<name>.json      the manifest, written last
    state/<name>/<number>   states of shards, some megabytes a file
    part/…                  parts under the keys that they have in the system; backups of one place share them

The manifest names the files of states, and the states name the parts, each with its length and its CRC-32. A manifest
has a checksum of its own, and a format: every later format keeps that member, so that a reader which does not know it
says so, instead of misreading the rest.
"""

from __future__ import annotations

import re
import zlib

import msgspec

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

FORMAT = 1
MANIFEST_PREFIX = "backup/"
STATE_PREFIX = "state/"
_SUFFIX = ".json"
_NAME = re.compile(r"([0-9]{13}|[1-9][0-9]{13,18})-[0-9a-f]{8}")
_TOKEN_DIGITS = 8


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


def backup_name(timestamp: int, token: str) -> str:
    """Returns a new backup's name; `token` is a text of hexadecimal digits that no other backup has."""
    return f"{timestamp:013d}-{token[:_TOKEN_DIGITS]}"


def timestamp_of(name: str) -> int | None:
    """Returns the timestamp that a backup's name tells; None for what is no name of a backup."""
    return int(name.partition("-")[0]) if _NAME.fullmatch(name) else None


def manifest_key(name: str) -> str:
    """Returns the key of a backup's manifest."""
    return f"{MANIFEST_PREFIX}{name}{_SUFFIX}"


def name_of(key: str) -> str | None:
    """Returns the name of the backup whose manifest has the key; None for another file."""
    name = key.removeprefix(MANIFEST_PREFIX).removesuffix(_SUFFIX)
    return name if timestamp_of(name) is not None and key == manifest_key(name) else None


def state_key(name: str, number: int) -> str:
    """Returns the key of a backup's file of states."""
    return f"{STATE_PREFIX}{name}/{number:06d}"


def encode_manifest(manifest: BackupManifest) -> bytes:
    """Returns the manifest's file."""
    body = msgspec.json.encode(manifest)
    sealed = _Sealed(format=FORMAT, checksum=zlib.crc32(body), manifest=msgspec.Raw(body))
    return msgspec.json.encode(sealed)


def decode_manifest(key: str, data: bytes) -> BackupManifest:
    """Reads a manifest's file; raises SqlError (data_corrupted) when it is damaged, or of a later format, or names
    files that are no states of its own."""
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
        manifest = msgspec.json.decode(sealed.manifest, type=BackupManifest)
    except msgspec.DecodeError as error:
        raise _damaged(key, str(error)) from error
    if name_of(key) != manifest.name:
        raise _damaged(key, f'it is the manifest of backup "{manifest.name}"')
    for number, file in enumerate(manifest.states):
        if file.key != state_key(manifest.name, number):
            raise _damaged(key, f'it names "{file.key}" as a file of states')
    return manifest


def _damaged(key: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.DATA_CORRUPTED, f"backup {key} is damaged", detail=detail)
