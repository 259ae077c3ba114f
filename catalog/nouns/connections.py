"""Secrets and connections in the catalog. A secret's value is stored encrypted only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.external.connections import ConnectionOptions
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret. `sealed` is its value, encrypted for this secret alone, under a key that is not in the catalog."""

    sealed: str

    @property
    def desc(self) -> RelationDesc:
        """A secret has no columns."""
        return RelationDesc(())


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection to an outer system. `of` is the kind of system (`KAFKA`); the options hold the ids of secrets."""

    of: str
    options: ConnectionOptions

    @property
    def desc(self) -> RelationDesc:
        """A connection has no columns."""
        return RelationDesc(())

    @property
    def secrets(self) -> frozenset[GlobalId]:
        """The secrets in its options."""
        return frozenset(value for _, value in self.options if isinstance(value, GlobalId))


def access_value(definition: Secret | Connection) -> dict[str, Any]:
    """Returns a secret or connection as JSON for the catalog's shard."""
    if isinstance(definition, Secret):
        return {"kind": "secret", "sealed": definition.sealed}
    options = [
        [name, {"secret": str(value)} if isinstance(value, GlobalId) else value if isinstance(value, str) else [*value]]
        for name, value in definition.options
    ]
    return {"kind": "connection", "of": definition.of, "options": options}


def access_of(value: Mapping[str, Any]) -> Secret | Connection:
    """Reads a secret or connection from the JSON that `access_value` returns."""
    if value["kind"] == "secret":
        return Secret(value["sealed"])
    return Connection(value["of"], tuple((name, _option(held)) for name, held in value["options"]))


def _option(held: Any) -> str | tuple[str, ...] | GlobalId:
    if isinstance(held, dict):
        return GlobalId.parse(held["secret"])
    return held if isinstance(held, str) else tuple(held)
