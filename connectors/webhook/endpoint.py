"""An endpoint that documents are posted to, as the replica is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A URL that documents are posted to. `authorization` is the value of the header where that is not a secret;
    otherwise `secrets` has the secret's id."""

    url: str
    authorization: str | None
    secrets: tuple[tuple[str, GlobalId], ...]
