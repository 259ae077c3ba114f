"""Verifiers check proofs of a password (RFC 5802); their text is pg_authid's:

SCRAM-SHA-256$4096:salt$stored key:server key
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Self

import scramp
from scramp.utils import saslprep

from model.time.clock import Randomness

ITERATIONS = 4096
_ITERATIONS_MAX = 1_000_000
_SALT_BYTES = 16
_KEY_BYTES = 32
_HASH = "sha256"
_TEXT = re.compile(r"SCRAM-SHA-256\$(\d{1,9}):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]{44}):([A-Za-z0-9+/=]{44})")


@dataclass(frozen=True, slots=True)
class Verifier:
    """Checks proofs of one password; computed once, in milliseconds."""

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int = ITERATIONS

    @classmethod
    def of(cls, password: str, randomness: Randomness) -> Self:
        """Returns the password's verifier with a new salt. As PostgreSQL does, a text that SASLprep refuses, such as an
        emoji, is taken as it is."""
        salt = bytes.fromhex(randomness.token())[:_SALT_BYTES]
        return cls(salt, *_keys(password, salt, ITERATIONS))

    def is_of(self, password: str) -> bool:
        """Returns whether it is the verifier of a password. That takes a time in proportion to the iterations; more
        than a million are not made, since whoever sets a password chooses their number."""
        if self.iterations > _ITERATIONS_MAX:
            return False
        stored_key, _ = _keys(password, self.salt, self.iterations)
        return hmac.compare_digest(stored_key, self.stored_key)

    @classmethod
    def is_one(cls, text: str) -> bool:
        """Returns whether a text is a verifier already."""
        return cls.read(text) is not None

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Returns what a verifier's text says; None where it is none."""
        match = _TEXT.fullmatch(text)
        if match is None:
            return None
        try:
            salt, stored, server = (base64.b64decode(part, validate=True) for part in match.groups()[1:])
        except ValueError:
            return None
        if len(stored) != _KEY_BYTES or len(server) != _KEY_BYTES or not int(match[1]):
            return None
        return cls(salt, stored, server, int(match[1]))

    @property
    def text(self) -> str:
        salt, stored, server = (
            base64.b64encode(part).decode() for part in (self.salt, self.stored_key, self.server_key)
        )
        return f"SCRAM-SHA-256${self.iterations}:{salt}${stored}:{server}"


def _keys(password: str, salt: bytes, iterations: int) -> tuple[bytes, bytes]:
    """Returns the stored key and the server key of a password."""
    try:
        prepared = saslprep(password) or password
    except scramp.ScramException:
        prepared = password
    salted = hashlib.pbkdf2_hmac(_HASH, prepared.encode(), salt, iterations)
    client_key = hmac.digest(salted, b"Client Key", _HASH)
    return hashlib.new(_HASH, client_key).digest(), hmac.digest(salted, b"Server Key", _HASH)
