"""Where schemas are that records were written with, as a replica is told: plain data, without secrets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class RegistryPlace:
    """What the connection `id` says, by names of its options; of secrets it has the ids."""

    id: GlobalId
    options: tuple[tuple[str, str | GlobalId], ...]

    @property
    def secrets(self) -> tuple[GlobalId, ...]:
        return tuple(value for _, value in self.options if isinstance(value, GlobalId))

    def texts(self, secrets: Mapping[GlobalId, str]) -> dict[str, str]:
        """The options, `secrets` among them."""
        return {name: secrets[value] if isinstance(value, GlobalId) else value for name, value in self.options}
