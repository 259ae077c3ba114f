"""Values encrypted with AES-GCM. An encrypted text names its key, and decrypts only for the secret it was made for.

k1:7f0c2a9d51e6b843:<base64 of the nonce and what AES-GCM makes>
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Randomness

KEY_BYTES = 32
_FORM = "k1"
_NONCE_BYTES = 12
_ID_DIGITS = 16
_HINT = "Give the server the key that it had: --secrets-key-file, or HEADWATER_SECRETS_KEY."


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys, the newest first: it encrypts, and the others decrypt older texts. Without keys, `why` is the
    reason. The keys are never printed."""

    keys: tuple[bytes, ...] = field(repr=False)
    why: str = ""

    def seal(self, value: bytes, owner: str, randomness: Randomness) -> str:
        """Encrypts a value for the secret `owner`; raises 55000 when there is no key."""
        if not self.keys:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f"there is no key for secrets: {self.why}", hint=_HINT
            )
        key = self.keys[0]
        nonce = bytes.fromhex(randomness.token())[:_NONCE_BYTES]
        sealed = AESGCM(key).encrypt(nonce, value, owner.encode())
        return f"{_FORM}:{key_id(key)}:{base64.b64encode(nonce + sealed).decode()}"

    def open(self, sealed: str, owner: str) -> bytes:
        """Decrypts a text for the secret `owner`; raises 55000 when its key is missing, XX001 when it was made for
        another secret, or changed."""
        form, id, text = sealed.split(":")
        assert form == _FORM, "there is one form"
        key = next((key for key in self.keys if key_id(key) == id), None)
        if key is None:
            message = "a secret cannot be decrypted: its key is not here"
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint=_HINT)
        data = base64.b64decode(text)
        try:
            return AESGCM(key).decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], owner.encode())
        except InvalidTag:
            raise SqlError(Sqlstate.DATA_CORRUPTED, "a secret is damaged: it does not open with its key") from None

    def is_newest(self, sealed: str) -> bool:
        """Tells whether a text is encrypted with the newest key."""
        return bool(self.keys) and sealed.split(":")[1] == key_id(self.keys[0])


def key_id(key: bytes) -> str:
    """Returns the name of a key in encrypted texts, a hash that reveals nothing about the key."""
    return hashlib.sha256(b"headwater secrets key " + key).hexdigest()[:_ID_DIGITS]


def new_key(randomness: Randomness) -> bytes:
    return bytes.fromhex(randomness.token() + randomness.token())


def keys_of(text: str) -> tuple[bytes, ...]:
    """Reads keys in base64, one per line or separated by commas, the newest first; raises ValueError for a wrong
    one."""
    written = [part for line in text.splitlines() for part in line.partition("#")[0].replace(",", " ").split()]
    try:
        keys = tuple(base64.b64decode(part, validate=True) for part in written)
    except ValueError:
        keys = ()
    if not keys or any(len(key) != KEY_BYTES for key in keys):
        raise ValueError(f"a key for secrets is {KEY_BYTES} bytes in base64")
    return keys


def key_text(key: bytes) -> str:
    return base64.b64encode(key).decode()
