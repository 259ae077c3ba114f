"""Hashes that Materialize and the extension pgcrypto have beside PostgreSQL's: by algorithm, checksums, Kafka's; UUIDs
of names, as the extension uuid-ossp has them."""

from __future__ import annotations

import hashlib
import hmac
import uuid
import zlib
from collections.abc import Callable
from functools import partial

from model.types.scalar_type import BOOL, BYTEA, INT4, TEXT, UINT4, UUID
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function
from planner.functions.signature import Function

_NAMESPACES = {
    "uuid_nil": str(uuid.UUID(int=0)),
    "uuid_ns_dns": str(uuid.NAMESPACE_DNS),
    "uuid_ns_url": str(uuid.NAMESPACE_URL),
    "uuid_ns_oid": str(uuid.NAMESPACE_OID),
    "uuid_ns_x500": str(uuid.NAMESPACE_X500),
}
_ALGORITHMS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
# Kafka's default partitioner hashes keys with this seed.
_MURMUR_SEED, _MURMUR_M, _MURMUR_R = 0x9747B28C, 0x5BD1E995, 24
_U32 = 0xFFFFFFFF


def digest(data: bytes, algorithm: str) -> bytes:
    """Computes a hash; raises 22023 for an unknown algorithm."""
    return hashlib.new(_algorithm(algorithm), data, usedforsecurity=False).digest()


def keyed_digest(data: bytes, key: bytes, algorithm: str) -> bytes:
    """Computes HMAC, RFC 2104; raises 22023 for an algorithm that there is not."""
    return hmac.digest(key, data, _algorithm(algorithm))


def _algorithm(name: str) -> str:
    if name.lower() not in _ALGORITHMS:
        raise invalid_parameter(f'invalid hash algorithm "{name}"')
    return name.lower()


def kafka_murmur2(data: bytes) -> int:
    """Computes Murmur2 as Kafka's default partitioner takes it: its lower 31 bits."""
    value = _MURMUR_SEED ^ len(data)
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        piece = int.from_bytes(data[at : at + 4], "little") * _MURMUR_M & _U32
        piece = (piece ^ piece >> _MURMUR_R) * _MURMUR_M & _U32
        value = (value * _MURMUR_M & _U32) ^ piece
    if whole < len(data):
        value = (value ^ int.from_bytes(data[whole:], "little")) * _MURMUR_M & _U32
    value = (value ^ value >> 13) * _MURMUR_M & _U32
    return (value ^ value >> 15) & 0x7FFFFFFF


def _bytes(evaluate: Callable[..., object]) -> Callable[..., object]:
    """Applies a function of bytes to texts, as UTF-8."""

    def of_texts(*values: str) -> object:
        return evaluate(*(value.encode() for value in values))

    return of_texts


FUNCTIONS: tuple[Function, ...] = (
    function("crc32", (BYTEA,), UINT4, zlib.crc32),
    function("crc32", (TEXT,), UINT4, _bytes(zlib.crc32)),
    function("kafka_murmur2", (BYTEA,), INT4, kafka_murmur2),
    function("kafka_murmur2", (TEXT,), INT4, _bytes(kafka_murmur2)),
    function("constant_time_eq", (BYTEA, BYTEA), BOOL, hmac.compare_digest),
    function("constant_time_eq", (TEXT, TEXT), BOOL, _bytes(hmac.compare_digest)),
    function("digest", (BYTEA, TEXT), BYTEA, digest, fallible=True),
    function("digest", (TEXT, TEXT), BYTEA, lambda data, name: digest(data.encode(), name), fallible=True),
    function("hmac", (BYTEA, BYTEA, TEXT), BYTEA, keyed_digest, fallible=True),
    function(
        "hmac",
        (TEXT, TEXT, TEXT),
        BYTEA,
        lambda data, key, name: keyed_digest(data.encode(), key.encode(), name),
        fallible=True,
    ),
    function("uuid_generate_v3", (UUID, TEXT), UUID, uuid.uuid3),
    function("uuid_generate_v5", (UUID, TEXT), UUID, uuid.uuid5),
    *(function(name, (), UUID, partial(uuid.UUID, value)) for name, value in _NAMESPACES.items()),
)
