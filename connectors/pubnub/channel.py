"""The place of a source at PubNub: a channel."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class PubnubChannel:
    """Messages of a channel of PubNub.

    `origin`: the server's address
    `listener`: the name by which the server is told of the client; empty until the source has an id
    """

    origin: str
    subscribe_key: str
    channel: str
    listener: str = ""

    @property
    def connection(self) -> GlobalId | None:
        """Returns None: the origin is in the source itself."""
        return None

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Returns no settings: no client reads it."""
        return ()

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the description needs none."""
        return ()
