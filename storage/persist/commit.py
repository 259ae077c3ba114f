"""Group commit: prepared writes of many shards, fences and other keys, in one compare-and-set.

Equation: the outcome is Committed iff at one moment all preconditions held, all transitions fitted, and all writes
became durable. An unknown outcome is resolved before returning: the same bytes are tried again (they can land only
once, since they expect exact versions) and, once they can't, looked for. An error says that nothing was written, and
never will be, unless it is statement_completion_unknown.

    writes               an append to u1's shard, whose newest version is 41, and one to the catalog's, at 7
    preconditions        the fence is at version 3
    one compare-and-set  expects u1 at 41, the catalog at 7, the fence at 3; writes version 42 of u1, 8 of the catalog

Where another has written version 42 of u1 meanwhile (a compaction, say), the transition is tried on what is there now;
where it does not fit (the frontier has moved), the outcome is Conflict, and says which shard refused, and why.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.antichain import Antichain
from model.time.clock import Clock, SystemClock
from storage.persist.location import Consensus, Indeterminate
from storage.persist.retry import ATTEMPTS_MAX, back_off, retried
from storage.persist.shard import PreparedWrite, ShardMachine
from storage.persist.state import Part, ShardState
from storage.persist.transition import Refusal, Transition, TransitionRefused
from storage.persist.version import (
    ROLLUP_VERSIONS,
    Version,
    advance_state,
    decode_version,
    encode_version,
    rollup_due,
)

REBASES_MAX = 64
_SYSTEM_CLOCK = SystemClock()


@dataclass(frozen=True, slots=True)
class Committed:
    """Everything is durable; the states that resulted, by shard."""

    states: Mapping[str, ShardState]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Nothing was written. Why, by key of consensus; the machines have been refreshed."""

    refusals: Mapping[str, TransitionRefused]


CommitOutcome = Committed | Conflict


@dataclass(frozen=True, slots=True)
class _Attempt:
    expected: dict[str, int | None]
    writes: dict[str, bytes]
    states: dict[ShardMachine, ShardState]


async def commit(
    consensus: Consensus,
    prepared: Sequence[PreparedWrite],
    preconditions: Mapping[str, int | None] | None = None,
    extra_writes: Mapping[str, tuple[int | None, bytes]] | None = None,
    *,
    token: str,
    clock: Clock = _SYSTEM_CLOCK,
    doubtful: Callable[[], None] | None = None,
) -> CommitOutcome:
    """Writes everything in one compare-and-set, or nothing.

    `preconditions`: keys with the version at which each must be (a fence).
    `extra_writes`: further keys to write, with the version at which each must be.
    `token`: unique to the intent; committing again with the token of a commit that took place changes nothing.
    `doubtful`: called when consensus has been silent for half a minute; the outcome is asked for until known. Without
        `doubtful`, SqlError (statement_completion_unknown) is raised instead.
    """
    preconditions = preconditions or {}
    extra_writes = extra_writes or {}
    intents: dict[ShardMachine, list[Transition]] = {}
    for write in prepared:
        intents.setdefault(write.machine, []).extend(write.transitions)
    machines = sorted(intents, key=lambda machine: machine.key)
    async with contextlib.AsyncExitStack() as stack:
        for machine in machines:
            await stack.enter_async_context(machine.lock)
        fixed = {**preconditions, **{key: seqno for key, (seqno, _) in extra_writes.items()}}
        landing = _Landing(consensus, clock, doubtful)
        outcome = await _commit_locked(consensus, machines, intents, fixed, extra_writes, token, clock, landing)
    if isinstance(outcome, Committed):
        for write in prepared:
            write.machine.stage.settle(list(write.parts))
    return outcome


async def _commit_locked(
    consensus: Consensus,
    machines: Sequence[ShardMachine],
    intents: Mapping[ShardMachine, Sequence[Transition]],
    fixed: Mapping[str, int | None],
    extra_writes: Mapping[str, tuple[int | None, bytes]],
    token: str,
    clock: Clock,
    landing: _Landing,
) -> CommitOutcome:
    for _ in range(REBASES_MAX):
        attempt, refusals = _attempt(machines, intents, fixed, extra_writes, token)
        if attempt is None:
            # The known states may be old: what does not fit them may fit the newest.
            seqnos = [m.seqno for m in machines]
            for machine in machines:
                await retried(machine.refresh, clock)
            if seqnos != [m.seqno for m in machines]:
                continue
        if attempt is not None:
            if await landing.lands(attempt):
                for machine, state in attempt.states.items():
                    machine.adopt(state)
                return Committed({m.shard: state for m, state in attempt.states.items()})
            for machine in machines:
                await retried(machine.refresh, clock)
        heads = await retried(lambda: consensus.head(list(fixed)), clock)
        for key, head in heads.items():
            if (None if head is None else head.seqno) != fixed[key]:
                refusals[key] = TransitionRefused(Refusal.FENCED, f"{key} was changed by another")
        if refusals:
            if await _took_place(consensus, machines, token, clock):
                return Committed({m.shard: m.state for m in machines})
            return Conflict(refusals)
    raise _unknown()


def _attempt(
    machines: Sequence[ShardMachine],
    intents: Mapping[ShardMachine, Sequence[Transition]],
    fixed: Mapping[str, int | None],
    extra_writes: Mapping[str, tuple[int | None, bytes]],
    token: str,
) -> tuple[_Attempt | None, dict[str, TransitionRefused]]:
    expected = dict(fixed)
    writes = {key: data for key, (_, data) in extra_writes.items()}
    states = {}
    refusals = {}
    for machine in machines:
        transitions = tuple(intents[machine])
        try:
            state = advance_state(machine.shard, machine.known_state(), transitions)
        except TransitionRefused as refused:
            refusals[machine.key] = refused
            continue
        except SqlError:
            raise
        except Exception as defect:
            raise _unwritable(machine, defect) from defect
        rollup = state if rollup_due(state.seqno) else None
        expected[machine.key] = machine.seqno
        try:
            writes[machine.key] = encode_version(Version(token=token, transitions=transitions, rollup=rollup))
        except Exception as defect:
            raise _unwritable(machine, defect) from defect
        states[machine] = state
    return (None if refusals else _Attempt(expected, writes, states)), refusals


class _Landing:
    """Makes attempts durable one after the other, and finds out whether each succeeded."""

    def __init__(self, consensus: Consensus, clock: Clock, doubtful: Callable[[], None] | None) -> None:
        self._consensus = consensus
        self._clock = clock
        self._doubtful = doubtful

    async def lands(self, attempt: _Attempt) -> bool:
        """Returns whether the attempt became durable, for certain. Raises SqlError when consensus refused for another
        reason."""
        in_doubt = False
        for tries in itertools.count():
            try:
                done = await self._consensus.compare_and_set(attempt.expected, attempt.writes)
                return done or (in_doubt and await self._landed(attempt))
            except Indeterminate:
                in_doubt = True
            except SqlError as refused:
                # An answer about this try: one before it may have landed all the same.
                if not in_doubt or refused.sqlstate is Sqlstate.STATEMENT_COMPLETION_UNKNOWN:
                    raise
            if tries + 1 == ATTEMPTS_MAX:
                if self._doubtful is None:
                    break
                self._doubtful()
            await back_off(self._clock, tries)
        raise _unknown()

    async def _landed(self, attempt: _Attempt) -> bool:
        """Returns whether an attempt that can no longer land has landed: its versions are stored, byte for byte.

        Every version still stored must be the attempt's, since another writer may have written equal bytes to some of
        the keys. A missing key says nothing: its shard may have been dropped and forgotten meanwhile.
        """
        seen = gone = False
        for key, data in attempt.writes.items():
            before = attempt.expected[key]
            seqno = (before or 0) + 1
            versions = await self._consensus.scan(key, seqno)
            if not versions:
                if before is not None and (await self._consensus.head([key]))[key] is not None:
                    return False
                gone = gone or before is not None
            elif versions[0].seqno > seqno:
                gone = True
            elif versions[0].data != data:
                return False
            else:
                seen = True
        if gone and not seen:
            raise _unknown()
        return seen


async def _took_place(consensus: Consensus, machines: Sequence[ShardMachine], token: str, clock: Clock) -> bool:
    """Returns whether a recent version of the shards carries the token."""
    for machine in machines:
        if machine.seqno is None:
            continue
        since = max(1, machine.seqno - ROLLUP_VERSIONS)
        try:
            versions = await retried(partial(consensus.scan, machine.key, since), clock)
        except SqlError as error:
            raise _unknown() from error
        if any(decode_version(machine.shard, version.data).token == token for version in versions):
            return True
    return False


async def compare_and_append(
    machine: ShardMachine,
    updates: Sequence[pa.Table | Part],
    expected_upper: Antichain,
    new_upper: Antichain,
    *,
    token: str,
    preconditions: Mapping[str, int | None] | None = None,
) -> CommitOutcome:
    """Appends when the shard's write frontier is exactly `expected_upper`; idempotent by `token`."""
    write = await machine.prepare_append(updates, expected_upper, new_upper, exact=True)
    return await commit(machine.consensus, [write], preconditions, token=token)


def _unwritable(machine: ShardMachine, defect: Exception) -> SqlError:
    """Returns the error of a defect before anything was written."""
    return SqlError(
        Sqlstate.INTERNAL_ERROR,
        f"internal error: a change of collection {machine.shard} can't be recorded",
        detail=f"{type(defect).__name__}: {defect}",
    )


def _unknown() -> SqlError:
    return SqlError(
        Sqlstate.STATEMENT_COMPLETION_UNKNOWN, "the consensus store does not say whether the write took place"
    )
