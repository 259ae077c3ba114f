"""A replica that somebody else started, at an address that does not change."""

from __future__ import annotations

from dataclasses import dataclass

from compute.controller.link import Link, ReplicaUnavailable, Silence, open_link
from compute.protocol.siblings import StatesPlace

_SILENT_LOOKS = 60


@dataclass(slots=True)
class CountedLooks:
    """So many are `left`."""

    left: int

    def hopeless(self) -> bool:
        self.left -= 1
        return self.left <= 0


class AddressHost:
    """A host at a fixed address. `address` is `unix:/path` or `host:port`; `secret` is the replica's start secret."""

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

    @property
    def states(self) -> StatesPlace | None:
        """Returns nothing: the replica's owner has chosen the place."""
        return None

    def silence(self) -> Silence:
        """Returns how long a silence is borne: elsewhere nobody can tell a machine that is slow from one that is gone,
        so it has a bounded time."""
        return CountedLooks(_SILENT_LOOKS)

    async def connect(self) -> Link:
        try:
            return await open_link(self._address)
        except OSError as error:
            raise ReplicaUnavailable(f"nobody listens at {self._address}: {error}") from error

    async def replace(self) -> None:
        """Does nothing: the replica's owner ends it, and the controller tries again later."""

    async def stop(self) -> None:
        """Does nothing: the replica waits for its next environment."""
