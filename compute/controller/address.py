"""A replica that somebody else started, at an address that does not change."""

from __future__ import annotations

from compute.controller.link import Link, ReplicaUnavailable, open_link


class AddressHost:
    """`address` is `unix:/path` or `host:port`; `secret` is what that replica was started with."""

    def __init__(self, address: str, secret: str) -> None:
        self._address = address
        self._secret = secret

    @property
    def pid(self) -> int | None:
        return None

    @property
    def address(self) -> str:
        return self._address

    @property
    def secret(self) -> str:
        return self._secret

    @property
    def stopped(self) -> bool:
        """Elsewhere nobody can tell."""
        return False

    async def connect(self) -> Link:
        try:
            return await open_link(self._address)
        except OSError as error:
            raise ReplicaUnavailable(f"nobody listens at {self._address}: {error}") from error

    async def replace(self) -> None:
        """Whoever started the replica ends it; here there is nothing to do but to come back later."""

    async def stop(self) -> None:
        """The replica waits for its next environment."""
