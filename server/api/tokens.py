"""Keeps what is known of the tokens that users have been given in the place of a password.

A token stands for a role as the role was when the token was given: for 12 hours, and no longer once the role is altered
or dropped. Only digests of tokens are kept, and only in this process: a restart voids all of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from catalog.nouns.items import Role
from model.time.clock import Clock, Randomness

LIFE_S = 12 * 60 * 60
OF_ROLE_MAX, ALL_MAX = 1_000, 20_000


@dataclass(frozen=True, slots=True)
class GivenToken:
    """A token as it was given. `with_password`: its holder has proven a password. `until_ns`: the end, by the clock
    that never jumps."""

    role: Role
    with_password: bool
    until_ns: int


class Tokens:
    """The tokens that are good. Of a role's very many, and of very many altogether, the oldest are void. `roles` are
    the present ones by oid."""

    def __init__(self, clock: Clock, randomness: Randomness, roles: Callable[[], Mapping[int, Role]]) -> None:
        self._clock = clock
        self._randomness = randomness
        self._roles = roles
        # All live equally long: those that end first come first.
        self._given: dict[bytes, GivenToken] = {}
        self._of_role: dict[int, dict[bytes, None]] = {}

    def __len__(self) -> int:
        return len(self._given)

    def give(self, role: Role, *, with_password: bool) -> str:
        """Returns a new token of a role."""
        now_ns = self._clock.elapsed_ns()
        while self._given and (oldest := next(iter(self._given))) and self._is_superfluous(oldest, now_ns):
            self._forget(oldest)
        token = self._randomness.token()
        key = _digest(token)
        of_role = self._of_role.setdefault(role.oid, {})
        if len(of_role) >= OF_ROLE_MAX:
            self._forget(next(iter(of_role)))
            of_role = self._of_role.setdefault(role.oid, {})
        of_role[key] = None
        self._given[key] = GivenToken(role, with_password, now_ns + LIFE_S * 1_000_000_000)
        return token

    def of(self, token: str) -> GivenToken | None:
        """Returns what a token stands for; None for an unknown or a void one."""
        key = _digest(token)
        given = self._given.get(key)
        if given is None:
            return None
        # Every change of a role makes another value, also one that makes the role again as it was.
        if given.until_ns <= self._clock.elapsed_ns() or self._roles().get(given.role.oid) is not given.role:
            self._forget(key)
            return None
        return given

    def _is_superfluous(self, key: bytes, now_ns: int) -> bool:
        return self._given[key].until_ns <= now_ns or len(self._given) >= ALL_MAX

    def _forget(self, key: bytes) -> None:
        given = self._given.pop(key)
        of_role = self._of_role[given.role.oid]
        del of_role[key]
        if not of_role:
            del self._of_role[given.role.oid]


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
