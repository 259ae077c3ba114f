"""Capabilities: the durable right to read from, or write to, a collection (source: seed 2, "Capabilities").

A held ReadCapability keeps `since` from passing its frontier; a held WriteCapability does the same for `upper`.
Whoever presents the id has the right; every use is checked against what storage has durably recorded.
"""

from dataclasses import dataclass
from typing import NewType

from model.ids.global_id import GlobalId
from model.time.antichain import Antichain

CapabilityId = NewType("CapabilityId", str)
"""Assigned by storage, unique for ever."""


@dataclass(frozen=True, slots=True)
class ReadCapability:
    """The right to read a collection from `frontier` on. `lease_ms` is the lease's length in milliseconds; None never
    expires."""

    id: CapabilityId
    collection: GlobalId
    frontier: Antichain
    lease_ms: int | None = None


@dataclass(frozen=True, slots=True)
class WriteCapability:
    """The right to write a collection from `frontier` on. `lease_ms` is the lease's length in milliseconds; None never
    expires."""

    id: CapabilityId
    collection: GlobalId
    frontier: Antichain
    lease_ms: int | None = None
