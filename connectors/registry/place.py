"""The address of a schema registry in a description for a replica: plain data, without the values of secrets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class RegistryPlace:
    """The options of the schema registry connection `id`, by name; a secret is given by its id."""

    id: GlobalId
    options: tuple[tuple[str, str | GlobalId], ...]

    @property
    def secrets(self) -> tuple[GlobalId, ...]:
        return tuple(value for _, value in self.options if isinstance(value, GlobalId))

    def texts(self, secrets: Mapping[GlobalId, str]) -> dict[str, str]:
        """Returns the options as texts, with the values of `secrets` in place of their ids."""
        return {name: secrets[value] if isinstance(value, GlobalId) else value for name, value in self.options}
