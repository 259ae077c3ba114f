"""A replica that somebody else started, at an address that does not change."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

from compute.controller.link import Host, Link, ReplicaUnavailable, Silence, open_link
from compute.processes import LOOKS_APART_S, UsableTime
from compute.protocol.link_tls import trusting
from compute.protocol.siblings import StatesPlace

_SILENT_LOOKS = 60
_STANDSTILL_LOOKS = 60


@dataclass(slots=True)
class CountedLooks:
    """A wait of a bounded number of looks, of which `left` are left."""

    left: int

    def hopeless(self) -> bool:
        self.left -= 1
        return self.left <= 0


def standstill_of(host: Host | None) -> Silence:
    """Returns how long to wait, from now on, for work of a replica's that should take a second or two: by the time in
    which a process here could have worked; by a number of looks elsewhere, and without a replica."""
    pid = None if host is None else host.pid
    return CountedLooks(_STANDSTILL_LOOKS) if pid is None else UsableTime(pid, _STANDSTILL_LOOKS * LOOKS_APART_S)


class AddressHost:
    """A host at a fixed address. `address` is `unix:/path` or `host:port`; `secret` is the replica's start secret;
    `authorities` have signed the certificate that the replica shows, None: it shows none."""

    def __init__(self, address: str, secret: str, authorities: Path | None = None) -> None:
        """Raises OSError for a file of authorities that can't be used."""
        self._address = address
        self._secret = secret
        self._tls = None if authorities is None else trusting(authorities)

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
            return await open_link(self._address, self._tls)
        except ssl.SSLError as error:
            raise ReplicaUnavailable(f"no trusted replica at {self._address}: {error}") from error
        except OSError as error:
            raise ReplicaUnavailable(f"nobody listens at {self._address}: {error}") from error

    async def replace(self) -> None:
        """Does nothing: the replica's owner ends it, and the controller tries again later."""

    async def stop(self) -> None:
        """Does nothing: the replica waits for its next environment."""
