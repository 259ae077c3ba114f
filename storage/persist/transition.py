"""Changes of a shard's state: a closed union of transitions and one pure function that applies them.

A transition states its needs of the state it meets, and can so be applied to a later state when another writer came
first (`Refused` when the later state no longer allows it). Since and upper follow from the held capabilities and never
move backward, and batches stay in the order of their uppers:

    since' = max(since, min { frontier of held read capabilities })        upper' likewise over write capabilities
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

import msgspec
from msgspec.structs import replace

from model.physical.columns import arrow_schema
from model.time.antichain import Antichain
from model.types.relation_desc import RelationDesc
from storage.persist.state import Batch, CapabilityKind, Garbage, Held, Holder, Part, ShardState, meet_of, with_batch


class Refusal(StrEnum):
    """Why a transition does not fit a state."""

    EXISTS = "exists"
    ABSENT = "absent"
    UPPER_MISMATCH = "upper mismatch"
    CAPABILITY_INVALID = "capability invalid"
    SUPERSEDED = "superseded"
    FENCED = "fenced"


class TransitionRefused(Exception):
    def __init__(self, refusal: Refusal, message: str) -> None:
        super().__init__(message)
        self.refusal = refusal
        self.message = message


class Created(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    desc: RelationDesc
    timeline: bool
    retain_ms: int | None
    since: Antichain
    upper: Antichain
    held: tuple[Held, ...]


class Appended(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Appends a batch. `capability` None acts with the environment's right. `exact` demands that the frontier be at
    `batch.lower`."""

    batch: Batch
    capability: str | None = None
    exact: bool = False


class CapabilitiesChanged(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Changes capabilities: the capabilities `needs` must be in force; then `drop` are dropped and `put` put in place
    (by id)."""

    needs: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    put: tuple[Held, ...] = ()


class RetentionChanged(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Changes how long a shard keeps its history. `retain_ms` is as in ShardState. What was compacted away before does
    not come back."""

    retain_ms: int | None


class Widened(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The shard gets more columns. `desc` is the old description, perhaps with columns added at the end; older
    pieces have NULL in the added columns."""

    desc: RelationDesc


class ShardDropped(msgspec.Struct, frozen=True, tag=True):
    """The environment gives up writing; its read capability goes once no statement holds the collection."""


class Compacted(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The named batches are replaced by one batch (None: nothing was left) with the same contents from its since on."""

    replaced: tuple[int, ...]
    batch: Batch | None


class Collected(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The garbage under these keys was deleted."""

    keys: tuple[str, ...]


Transition = (
    Created | Appended | CapabilitiesChanged | RetentionChanged | Widened | ShardDropped | Compacted | Collected
)


def apply(shard: str, state: ShardState | None, transition: Transition, seqno: int) -> ShardState:
    """Returns the state at version `seqno`; Refused when `transition` does not fit `state`."""
    if isinstance(transition, Created):
        if state is not None:
            raise TransitionRefused(Refusal.EXISTS, f"collection {shard} exists, or has existed")
        return ShardState(
            shard=shard,
            seqno=seqno,
            desc=transition.desc,
            timeline=transition.timeline,
            retain_ms=transition.retain_ms,
            since=transition.since,
            upper=transition.upper,
            held=transition.held,
        )
    if state is None:
        raise TransitionRefused(Refusal.ABSENT, f"collection {shard} does not exist")
    match transition:
        case Appended():
            changed = _append(state, transition)
        case CapabilitiesChanged():
            changed = _change_capabilities(state, transition)
        case RetentionChanged(retain_ms=retain_ms):
            changed = replace(state, retain_ms=retain_ms)
        case Widened(desc=desc):
            before, after = list(arrow_schema(state.desc)), list(arrow_schema(desc))
            assert after[: len(before)] == before, "columns are added at the end"
            changed = replace(state, desc=desc)
        case ShardDropped():
            own_writes = tuple(
                h.id for h in state.held if h.holder is Holder.ENVIRONMENT and h.kind is CapabilityKind.WRITE
            )
            changed = replace(_change_capabilities(state, CapabilitiesChanged(drop=own_writes)), dropped=True)
        case Compacted():
            changed = _compact(state, transition, seqno)
        case Collected():
            gone = set(transition.keys)
            changed = replace(state, garbage=tuple(g for g in state.garbage if g.key not in gone))
        case _:
            assert_never(transition)
    assert changed.in_order, f"the batches of {shard} are out of order"
    return _let_go_when_unreadable(replace(changed, seqno=seqno), seqno)


def _append(state: ShardState, appended: Appended) -> ShardState:
    batch = appended.batch
    if appended.capability is None:
        frontier = state.write_frontier
        acting = {h.id for h in state.held if h.kind is CapabilityKind.WRITE and h.holder is Holder.ENVIRONMENT}
        if state.dropped:
            raise TransitionRefused(Refusal.ABSENT, f"collection {state.shard} was dropped")
    else:
        held = state.capability(appended.capability)
        if held is None or held.kind is not CapabilityKind.WRITE:
            raise TransitionRefused(
                Refusal.CAPABILITY_INVALID, f"no write capability {appended.capability} on {state.shard}"
            )
        frontier = held.frontier
        acting = {held.id}
    fits = frontier == batch.lower if appended.exact else frontier.precedes(batch.lower)
    if not fits or not batch.lower.precedes(batch.upper):
        raise TransitionRefused(
            Refusal.UPPER_MISMATCH,
            f"collection {state.shard} is complete up to {frontier}, the append begins at {batch.lower}",
        )
    held_now = tuple(replace(h, frontier=h.frontier.join(batch.upper)) if h.id in acting else h for h in state.held)
    writes = [h.frontier for h in held_now if h.kind is CapabilityKind.WRITE]
    upper = state.upper.join(meet_of(writes) if writes else batch.upper)
    state = replace(state, held=held_now, upper=upper)
    if not batch.pieces:
        return state
    batch = replace(batch, id=state.next_batch)
    return replace(state, batches=with_batch(state.batches, batch), next_batch=state.next_batch + 1)


def _change_capabilities(state: ShardState, change: CapabilitiesChanged) -> ShardState:
    ids = {held.id for held in state.held}
    for id_ in change.needs:
        if id_ not in ids:
            raise TransitionRefused(Refusal.CAPABILITY_INVALID, f"capability {id_} on {state.shard} is not in force")
    put = {held.id: held for held in change.put}
    for held in state.held:
        # A concurrent move of the same capability may have gone further already.
        if held.id in put:
            later = put[held.id].frontier.join(held.frontier)
            put[held.id] = replace(put[held.id], frontier=later)
    for id_, fresh in put.items():
        if id_ not in ids:
            passed = state.since if fresh.kind is CapabilityKind.READ else state.upper
            put[id_] = replace(fresh, frontier=fresh.frontier.join(passed))
    gone = put.keys() | set(change.drop)
    held_now = (*(h for h in state.held if h.id not in gone), *put.values())
    touched = {h.kind for h in (*state.held, *put.values()) if h.id in gone}
    state = replace(state, held=held_now)
    if CapabilityKind.READ in touched:
        state = replace(state, since=state.since.join(meet_of(state.frontiers_of(CapabilityKind.READ))))
    if CapabilityKind.WRITE in touched:
        state = replace(state, upper=state.upper.join(meet_of(state.frontiers_of(CapabilityKind.WRITE))))
    return state


def _compact(state: ShardState, compacted: Compacted, seqno: int) -> ShardState:
    replaced = set(compacted.replaced)
    if not replaced <= {batch.id for batch in state.batches}:
        raise TransitionRefused(Refusal.SUPERSEDED, f"batches of {state.shard} were compacted by another")
    kept = tuple(batch for batch in state.batches if batch.id not in replaced)
    removed = [part for batch in state.batches if batch.id in replaced for part in batch.parts]
    if compacted.batch is not None:
        # What was chosen may lie anywhere, not even side by side.
        kept = with_batch(kept, replace(compacted.batch, id=state.next_batch))
    return replace(
        state,
        batches=kept,
        garbage=(*state.garbage, *_garbage(removed, seqno)),
        next_batch=state.next_batch + 1,
    )


def _let_go_when_unreadable(state: ShardState, seqno: int) -> ShardState:
    if not state.since.empty or not state.batches:
        return state
    parts = [part for batch in state.batches for part in batch.parts]
    return replace(state, batches=(), garbage=(*state.garbage, *_garbage(parts, seqno)))


def _garbage(parts: list[Part], seqno: int) -> tuple[Garbage, ...]:
    return tuple(Garbage(key=part.key, removed=seqno) for part in parts)
