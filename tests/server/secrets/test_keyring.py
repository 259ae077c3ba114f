"""Sealed values open with their key and for their secret, and for nothing else."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.durable.rows import load, rows
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import SystemRandomness
from server.secrets.keyring import Keyring, key_text, keys_of, new_key
from server.secrets.stored import resealed, secret_value
from tests.catalog.catalogs import Catalog

RANDOMNESS = SystemRandomness()
OLD, NEW, OTHER = new_key(RANDOMNESS), new_key(RANDOMNESS), new_key(RANDOMNESS)


@given(st.binary(max_size=200), st.text(max_size=20))
def test_what_is_sealed_opens_as_it_was(value: bytes, owner: str) -> None:
    sealed = Keyring((OLD,)).seal(value, owner, RANDOMNESS)
    assert Keyring((NEW, OLD)).open(sealed, owner) == value
    assert Keyring((OLD,)).seal(value, owner, RANDOMNESS) != sealed


@given(st.binary(min_size=1, max_size=50), st.data())
def test_a_changed_text_does_not_open(value: bytes, data: st.DataObject) -> None:
    ring = Keyring((OLD,))
    form, id, text = ring.seal(value, "u1", RANDOMNESS).split(":")
    whole = bytearray(base64.b64decode(text))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    with pytest.raises(SqlError) as failure:
        ring.open(f"{form}:{id}:{base64.b64encode(whole).decode()}", "u1")
    assert failure.value.sqlstate is Sqlstate.DATA_CORRUPTED


def test_a_secret_s_text_is_no_other_secret_s() -> None:
    sealed = Keyring((OLD,)).seal(b"x", "u1", RANDOMNESS)
    with pytest.raises(SqlError) as failure:
        Keyring((OLD,)).open(sealed, "u2")
    assert failure.value.sqlstate is Sqlstate.DATA_CORRUPTED


@pytest.mark.parametrize("keys", [(), (OTHER,)])
def test_without_its_key_nothing_opens(keys: tuple[bytes, ...]) -> None:
    sealed = Keyring((OLD,)).seal(b"x", "u1", RANDOMNESS)
    with pytest.raises(SqlError) as failure:
        Keyring(keys).open(sealed, "u1")
    assert failure.value.sqlstate is Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE and failure.value.hint is not None


def test_nothing_is_sealed_without_a_key() -> None:
    with pytest.raises(SqlError, match="there is no key for secrets: it is lost"):
        Keyring((), "it is lost").seal(b"x", "u1", RANDOMNESS)


def test_a_keyring_does_not_print_its_keys() -> None:
    assert key_text(OLD) not in repr(Keyring((OLD,))) and repr(OLD) not in repr(Keyring((OLD,)))


def test_keys_are_read_as_they_are_written() -> None:
    assert keys_of(f"# the newest\n{key_text(NEW)}\n\n{key_text(OLD)} # older\n") == (NEW, OLD)
    assert keys_of(f"{key_text(NEW)},{key_text(OLD)}") == (NEW, OLD)


@pytest.mark.parametrize(
    "text",
    ["", "x", key_text(b"short"), f"{key_text(OLD)} é", "# only a comment"],
    ids=["nothing", "a letter", "short", "behind it more", "comment"],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="32 bytes in base64"):
        keys_of(text)


def test_a_new_key_seals_the_catalog_s_secrets_anew() -> None:
    catalog = Catalog()
    first, lost = catalog.secret("first", "k1:unknown:eA=="), catalog.secret("lost", "k1:unknown:eA==")
    old = Keyring((OLD,))
    catalog.alter_secret(first, old.seal(b"one", str(first.id), RANDOMNESS))
    before = rows(catalog.state)
    ring = Keyring((NEW, OLD))
    changes = resealed(before, ring, RANDOMNESS)
    after = load((before - {row for row, diff in changes if diff == -1}) | {row for row, diff in changes if diff == 1})
    assert len(changes) == 2 and resealed(rows(after), ring, RANDOMNESS) == []
    assert secret_value(Keyring((NEW,)), after, first.id) == b"one"
    assert after.items[lost.id] == catalog.state.items[lost.id]
