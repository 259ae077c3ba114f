"""CREATE, ALTER and DROP READ HOLD: seed 2's capabilities with names, as part of the transaction."""

from __future__ import annotations

from contextlib import ExitStack
from typing import assert_never

from catalog.changes.change import CreateReadHold, DropReadHold, TransferReadHold
from catalog.changes.read_holds import read_hold_named, require_free_name, require_owner
from catalog.nouns.items import HeldObject, ReadHold
from model.errors.sql_error import NotSupported, Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId, Namespace
from model.time.timestamp import Timestamp
from planner.ir.query import AsOf
from planner.ir.relation import Get
from planner.plans.read_holds import (
    AdvanceReadHoldPlan,
    CloneReadHoldPlan,
    CreateReadHoldPlan,
    DropReadHoldPlan,
    ReadHoldPlan,
    TransferReadHoldPlan,
)
from server.ledgers.read_holds import HoldMove, in_force
from server.objects.maintained.description import collection_of
from server.pgwire.backend import Command
from server.planning.long_texts import planned_apart
from server.planning.statement_plans import ReadSet, read_set
from server.reads.reading import Reader
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.writing import item_of


async def sequence_read_hold(plan: ReadHoldPlan, execution: Execution, session: StatementSession) -> Command:
    match plan:
        case CreateReadHoldPlan() | CloneReadHoldPlan():
            return await _create(plan, execution, session)
        case AdvanceReadHoldPlan() | TransferReadHoldPlan():
            return await _alter(plan, execution, session)
        case DropReadHoldPlan():
            return _drop(plan, execution, session)
        case _:
            assert_never(plan)


async def _create(
    plan: CreateReadHoldPlan | CloneReadHoldPlan, execution: Execution, session: StatementSession
) -> Command:
    execution.transaction.require_writable("CREATE READ HOLD")
    if plan.if_not_exists and plan.name in execution.catalog.read_holds:
        message = f'read hold "{plan.name}" already exists, skipping'
        session.notice(Severity.NOTICE, Sqlstate.DUPLICATE_OBJECT, message)
        return Command("CREATE READ HOLD")
    require_free_name(execution.catalog, plan.name)
    hold = await (_fresh(plan, execution) if isinstance(plan, CreateReadHoldPlan) else _cloned(plan, execution))
    execution.change_catalog(CreateReadHold(hold))
    return Command("CREATE READ HOLD")


async def _fresh(plan: CreateReadHoldPlan, execution: Execution) -> ReadHold:
    """Returns a new hold at one time on all inputs of the objects; the transaction holds them until it commits."""
    objects = tuple([HeldObject(id_, await _inputs(id_, execution)) for id_ in plan.objects])
    inputs = sorted({id_ for held in objects for id_ in held.inputs})
    storage, transaction = execution.environment.storage, execution.transaction
    with ExitStack() as chosen:
        time = await _time(plan, inputs, execution, chosen)
        transaction.reads.holds.extend(storage.reads.hold(id_, time) for id_ in inputs)
    capabilities = tuple((id_, execution.environment.randomness.token()) for id_ in inputs)
    transaction.hold_origins.update((capability, time) for _, capability in capabilities)
    return _named(plan.name, plan.lease_ms, objects, capabilities, execution)


async def _cloned(plan: CloneReadHoldPlan, execution: Execution) -> ReadHold:
    source = read_hold_named(execution.catalog, plan.source)
    _require_committed(source, execution)
    in_force(execution.environment.storage, source)
    capabilities = _derived(source, execution)
    lease_ms = source.lease_ms if plan.lease_ms is None else plan.lease_ms
    return _named(plan.name, lease_ms, source.objects, capabilities, execution)


def _named(
    name: str,
    lease_ms: int | None,
    objects: tuple[HeldObject, ...],
    capabilities: tuple[tuple[GlobalId, str], ...],
    execution: Execution,
) -> ReadHold:
    owner = execution.ddl_session.role(execution.catalog)
    oid = execution.environment.catalog.allocator.oid()
    return ReadHold(oid, name, owner, execution.asker.now_ms(), lease_ms, objects, capabilities)


def _derived(source: ReadHold, execution: Execution) -> tuple[tuple[GlobalId, str], ...]:
    """Returns new capabilities that begin at those of `source`."""
    derived = tuple((id_, execution.environment.randomness.token()) for id_, _ in source.capabilities)
    origins = zip(derived, source.capabilities, strict=True)
    execution.transaction.hold_origins.update((fresh, origin) for (_, fresh), (_, origin) in origins)
    return derived


async def _inputs(id_: GlobalId, execution: Execution) -> tuple[GlobalId, ...]:
    """Returns the collections read for an object."""
    if id_.namespace is Namespace.SYSTEM:
        raise NotSupported("a read hold on a system relation")
    desc = item_of(execution.catalog, id_).desc
    planning = execution.environment.planning
    reads = read_set(await planned_apart(planning.executable, Get(id_, desc), execution.catalog))
    if reads.system:
        raise NotSupported("a read hold on a view of system relations")
    for input_ in reads.user & execution.transaction.changes.created:
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'cannot hold "{item_of(execution.catalog, input_).name}" in the transaction that creates it',
            hint="COMMIT first.",
        )
    state = execution.environment.catalog.state
    return tuple(sorted(collection_of(state, id_) for id_ in reads.user))


async def _time(plan: CreateReadHoldPlan, inputs: list[GlobalId], execution: Execution, chosen: ExitStack) -> Timestamp:
    """Returns AT's time, or that of a read now; the transaction's time once it has read."""
    reader, read_ts = Reader(execution.environment, execution), execution.transaction.reads.at
    if plan.at is None and read_ts is not None:
        return read_ts
    reads = ReadSet(frozenset(inputs), frozenset(), False)
    answer = await reader.choose(reads, set(inputs), plan.at, chosen)
    _require_past(answer.timestamp, answer.read_ts)
    return answer.timestamp


def _require_past(time: Timestamp, now: Timestamp) -> None:
    """Raises an error for a hold in the future, which would hold nothing until then, and mislead its user."""
    if time > now:
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE, f"a read hold cannot be at {time}, which is in the future: it is {now}"
        )


async def _alter(
    plan: AdvanceReadHoldPlan | TransferReadHoldPlan, execution: Execution, session: StatementSession
) -> Command:
    execution.transaction.require_writable("ALTER READ HOLD")
    tag = Command("ALTER READ HOLD")
    if plan.if_exists and plan.name not in execution.catalog.read_holds:
        _notice_missing(plan.name, session)
        return tag
    hold = read_hold_named(execution.catalog, plan.name)
    require_owner(execution.catalog, hold, execution.asker.user)
    _require_committed(hold, execution)
    held = in_force(execution.environment.storage, hold)
    if isinstance(plan, TransferReadHoldPlan):
        role = execution.catalog.role_named(plan.owner)
        if role is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'role "{plan.owner}" does not exist')
        execution.change_catalog(TransferReadHold(hold.name, role.oid, _derived(hold, execution)))
        return tag
    time = None if plan.time is None else await _advanced(plan.time, execution)
    for record in held.values():
        if time is not None and not record.frontier.less_equal(time):
            raise SqlError(
                Sqlstate.INVALID_PARAMETER_VALUE,
                f'read hold "{hold.name}" is at {record.frontier.time}, and cannot go back to {time}',
            )
    execution.transaction.hold_moves.append(HoldMove(hold.oid, time))
    return tag


async def _advanced(to: AsOf, execution: Execution) -> Timestamp:
    environment = execution.environment
    now = await environment.oracle.read_ts()
    time = Reader(environment, execution).time_of(to.time, now, "ADVANCE TO")
    _require_past(time, now)
    return time


def _drop(plan: DropReadHoldPlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable("DROP READ HOLD")
    names = list(dict.fromkeys(plan.names))
    for name in names:
        if plan.if_exists and name not in execution.catalog.read_holds:
            _notice_missing(name, session)
            continue
        hold = read_hold_named(execution.catalog, name)
        require_owner(execution.catalog, hold, execution.asker.user)
        execution.change_catalog(DropReadHold(name))
    return Command("DROP READ HOLD")


def _require_committed(hold: ReadHold, execution: Execution) -> None:
    """Raises an error for an uncommitted hold: its capabilities exist from COMMIT on."""
    if any(capability in execution.transaction.hold_origins for _, capability in hold.capabilities):
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'read hold "{hold.name}" is created or transferred by this transaction',
            hint="COMMIT first.",
        )


def _notice_missing(name: str, session: StatementSession) -> None:
    message = f'read hold "{name}" does not exist, skipping'
    session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, message)
