"""Rules of held capabilities: valid uses, and the mapping between the durable record and the user's value.

A use is valid when the id is in force on the collection with the same kind, its lease has not run out, and the stated
frontier is at or after the held frontier (source: seed 2, "Capabilities").
"""

from __future__ import annotations

from msgspec.structs import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.capability import CapabilityId, ReadCapability, WriteCapability
from storage.persist.state import CapabilityKind, Held, Holder, ShardState

Capability = ReadCapability | WriteCapability


def kind_of(capability: Capability) -> CapabilityKind:
    return CapabilityKind.READ if isinstance(capability, ReadCapability) else CapabilityKind.WRITE


def new_held(
    id_: str,
    kind: CapabilityKind,
    frontier: Antichain,
    holder: Holder,
    lease_ms: int | None = None,
    now_ms: int = 0,
) -> Held:
    """Returns a record for a new capability; `lease_ms` counts from `now_ms`."""
    expires_ms = None if lease_ms is None else now_ms + lease_ms
    return Held(id=id_, kind=kind, frontier=frontier, holder=holder, lease_ms=lease_ms, expires_ms=expires_ms)


def as_read(held: Held, collection: GlobalId) -> ReadCapability:
    return ReadCapability(CapabilityId(held.id), collection, held.frontier, held.lease_ms)


def as_write(held: Held, collection: GlobalId) -> WriteCapability:
    return WriteCapability(CapabilityId(held.id), collection, held.frontier, held.lease_ms)


def validated(state: ShardState, capability: Capability, now_ms: int) -> Held:
    """Returns the record of a capability that is valid as stated; raises SqlError (object_not_in_prerequisite_state)
    else."""
    held = in_force(state, capability, now_ms)
    if not held.frontier.precedes(capability.frontier):
        raise invalid(capability, f"it holds {held.frontier}, not {capability.frontier}")
    return held


def in_force(state: ShardState, capability: Capability, now_ms: int) -> Held:
    """Returns the held record, like `validated`, but allows any later downgrade of the capability."""
    held = state.capability(capability.id)
    if held is None or held.kind is not kind_of(capability):
        raise invalid(capability, "it is not in force")
    if expired(held, now_ms):
        raise invalid(capability, "its lease has expired")
    return held


def expired(held: Held, now_ms: int) -> bool:
    return held.expires_ms is not None and held.expires_ms <= now_ms


def renewed(held: Held, now_ms: int) -> Held:
    """Returns the record with a full lease from now on."""
    return replace(held, expires_ms=None if held.lease_ms is None else now_ms + held.lease_ms)


def invalid(capability: Capability, why: str) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f"{kind_of(capability)} capability {capability.id} on {capability.collection} is not valid: {why}",
    )
