"""Hashes that PostgreSQL does not have, by the values that their makers publish."""

from __future__ import annotations

import uuid

import pytest

from model.errors.sql_error import SqlError
from planner.functions.registry import FUNCTIONS

_HOUR_TICKS = 3600 * 10_000_000


def _call(key: str, *arguments: object) -> object:
    return FUNCTIONS[key].evaluate(*arguments)


# Apache Kafka's own tests of its murmur2, without the sign.
@pytest.mark.parametrize(
    ("text", "hashed"),
    [
        ("21", -973932308),
        ("foobar", -790332482),
        ("a-little-bit-long-string", -985981536),
        ("a-little-bit-longer-string", -1486304829),
        ("abc", 479470107),
    ],
)
def test_kafka_murmur2_is_kafkas(text: str, hashed: int) -> None:
    assert _call("kafka_murmur2_text", text) == hashed & 0x7FFFFFFF
    assert _call("kafka_murmur2_bytea", text.encode()) == hashed & 0x7FFFFFFF


def test_crc32_has_the_check_value_of_its_catalogue() -> None:
    assert _call("crc32_text", "123456789") == 0xCBF43926


def test_hmac_of_rfc_4231s_second_case() -> None:
    found = _call("hmac_text_text_text", "what do ya want for nothing?", "Jefe", "SHA256")
    assert isinstance(found, bytes)
    assert found.hex() == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"


def test_digest_is_the_function_of_the_algorithms_name() -> None:
    assert _call("digest_text_text", "abc", "sha512") == _call("sha512_bytea", b"abc")


@pytest.mark.parametrize("key", ["digest_text_text", "hmac_text_text_text"])
def test_an_unknown_algorithm_is_refused(key: str) -> None:
    with pytest.raises(SqlError, match='invalid hash algorithm "rot13"') as caught:
        _call(key, *["a"] * (len(FUNCTIONS[key].arguments) - 1), "rot13")
    assert caught.value.sqlstate.value == "22023"


def test_a_uuid_of_a_name_is_rfc_4122s() -> None:
    found = _call("uuid_generate_v5_uuid_text", uuid.NAMESPACE_DNS, "python.org")
    assert found == uuid.UUID("886313e1-3b8a-5372-9b90-0c9aee199e5d")
    found = _call("uuid_generate_v3_uuid_text", _call("uuid_ns_dns"), "python.org")
    assert found == uuid.UUID("6fa459ea-ee8a-3ca4-894e-db77e160355e")


def test_a_uuid_of_the_present_time_stands_for_no_machine() -> None:
    found = _call("uuid_generate_v1mc")
    assert isinstance(found, uuid.UUID)
    assert found.version == 1
    assert abs(uuid.uuid1().time - found.time) < _HOUR_TICKS
    assert found.node >> 40 & 1


@pytest.mark.parametrize("count", [0, 1025])
def test_random_bytes_are_few(count: int) -> None:
    drawn = _call("gen_random_bytes_int4", 1024)
    assert isinstance(drawn, bytes)
    assert len(drawn) == 1024
    with pytest.raises(SqlError, match="Length not in range"):
        _call("gen_random_bytes_int4", count)


def test_equality_in_constant_time_is_equality() -> None:
    assert _call("constant_time_eq_text_text", "ä", "ä") is True
    assert _call("constant_time_eq_bytea_bytea", b"a", b"ab") is False
