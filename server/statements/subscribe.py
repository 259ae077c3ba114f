"""SUBSCRIBE, as rows, through COPY and under a cursor: its beginning and end, its holds, its reads.

A subscription stands outside the transaction's order: it does not fix the transaction's read time, and COMMIT does not
validate its output. Without AS OF it begins at the transaction's read time, if fixed already.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import ExitStack, aclosing
from dataclasses import replace
from functools import partial

from catalog.builtin.registry import builtin_with_id
from catalog.durable.rows import CATALOG_SHARD_ID
from catalog.nouns.items import MaterializedView, WrittenDefinition
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from planner.interpret.parameters import bind_relation
from planner.ir.properties import relation_desc_of
from planner.ir.query import AsOf, whole_query
from planner.ir.relation import Relation
from planner.ir.scalar import SessionName
from planner.plans.copying import CopySubscribePlan
from planner.plans.subscribing import Differences, Earliest, SubscribePlan
from planner.rules.pipeline import optimize_followed
from server.ledgers.counting.positions import reads_sequences
from server.objects.maintained.description import collection_of
from server.pgwire.backend import CopyOut, Rows
from server.planning.long_texts import planned_apart
from server.planning.statement_plans import ReadSet, read_set
from server.reads.reading import Reader
from server.statements.copying.copy_options import wire_options
from server.statements.definitions.maintainable import maintenance_of
from server.statements.results import counted_rows
from server.statements.statement_session import StatementSession
from server.statements.system_query import SystemQuery
from server.subscription.buffer import Buffer
from server.subscription.envelopes import envelope_of
from server.subscription.observed import observed_events
from server.subscription.rows import RowMaker
from server.subscription.sources import constant_events, dataflow_of, ended_events, stored_columns
from server.subscription.subscription import Course, Subscription
from server.transactions.evaluating import evaluated
from server.transactions.execution import Execution
from server.transactions.permissions import require_needs
from storage.holds import StorageReadHold
from storage.subscription import SubscriptionEvent

_SNAPSHOT_BYTES_MAX = 16 << 20
"""Stored contents up to this size are read here; larger ones come through the replica, piece by piece."""


async def sequence_subscribe(
    plan: SubscribePlan, reads: ReadSet, execution: Execution, session: StatementSession
) -> Rows:
    """Returns rows for as long as the client takes them; a client that is too slow is disconnected."""
    subscription = await open_subscription(plan, reads, execution, session.disconnect)
    execution.transaction.resources.push_async_callback(subscription.aclose)
    rows = counted_rows(plan.desc, subscription, "SUBSCRIBE")
    return Rows(rows.desc, rows.batches, rows.tag, live=subscription)


async def sequence_copy_subscribe(
    plan: CopySubscribePlan, reads: ReadSet, execution: Execution, session: StatementSession
) -> CopyOut:
    desc = plan.subscribe.desc
    options = wire_options(plan.options, desc, reading=False)
    subscription = await open_subscription(plan.subscribe, reads, execution, session.disconnect)
    execution.transaction.resources.push_async_callback(subscription.aclose)
    rows = counted_rows(desc, subscription, "COPY")
    return CopyOut(desc, options, rows.batches, rows.tag, live=subscription)


async def open_subscription(
    plan: SubscribePlan, reads: ReadSet, execution: Execution, given_up: Callable[[SqlError], None]
) -> Subscription:
    """Opens a subscription, which the caller must close. `given_up` as in Subscription."""
    environment, transaction, past = execution.environment, execution.transaction, execution.planned_catalog
    _require_changing(reads)
    for id_ in sorted(reads.user & transaction.changes.created):
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'cannot subscribe to "{execution.catalog.items[id_].name}" in the transaction that creates it',
            hint="COMMIT first.",
        )
    plan, reads = await _unfolded(plan, reads, execution)
    with ExitStack() as begun:
        course = await _course(plan, reads, execution, begun)
        relation = _bound(plan.relation, execution, course.as_of)
        desc = relation_desc_of(relation)
        runner = environment.storage.runner
        context = execution.evaluation_context(course.as_of)
        envelope = envelope_of(plan.output, desc, context, plan.decimals)
        holds = [environment.collections.hold(id_, course.as_of) for id_ in _held(reads)]
        try:
            events = _events(relation, plan, reads, course, execution, holds)
            events = _while_permitted(events, execution, past)
        except BaseException:
            for hold in holds:
                hold.release()
            raise
        subscription = Subscription(
            events,
            course,
            envelope,
            RowMaker(plan.desc, progress=plan.progress),
            Buffer(environment.options.subscribe_limits, runner),
            runner,
            holds,
            _drop_error(reads, execution),
            given_up,
        )
    subscription.start()
    environment.clients.subscriptions.add(subscription)
    return subscription


async def _while_permitted(
    events: AsyncGenerator[SubscriptionEvent], execution: Execution, past: CatalogState
) -> AsyncGenerator[SubscriptionEvent]:
    """Yields events for as long as the role that subscribed has its rights, and reads by the policies of the `past`, in
    which the statement was planned; then raises 42501 or 40001."""
    environment, role, asked = execution.environment, execution.role, past
    async with aclosing(events):
        async for event in events:
            newest = execution.newest_catalog
            if newest is not asked:
                require_needs(execution.needs, role, newest, past, environment.planning)
                asked = newest
            yield event


def _require_changing(reads: ReadSet) -> None:
    """Raises 0A000 for relations without news of changes."""
    for id_ in sorted(reads.system) if reads.user else ():
        builtin = builtin_with_id(id_)
        assert builtin is not None
        raise NotSupported(
            f"SUBSCRIBE to the system relation {builtin.schema}.{builtin.name} together with other relations",
            hint="Subscribe to each by itself.",
        )
    if reads.timed and not reads.user:
        raise NotSupported("SUBSCRIBE to what depends on mz_now() alone")


async def _unfolded(plan: SubscribePlan, reads: ReadSet, execution: Execution) -> tuple[SubscribePlan, ReadSet]:
    """Replaces materialized views that fail, and would send nothing, or whose definitions have changed, by their
    definitions."""
    environment = execution.environment

    def computed(id_: GlobalId) -> bool:
        was, now = execution.catalog.items.get(id_), environment.catalog.state.items.get(id_)
        if was is None or now is None or not isinstance(was.definition, MaterializedView):
            return environment.collections.failing(id_)
        return was.definition != now.definition or environment.collections.failing(id_)

    if not any(map(computed, reads.user)):
        return plan, reads
    unfolded = await planned_apart(environment.planning.unfolded, plan.relation, execution.catalog, computed)
    return replace(plan, relation=unfolded), read_set(unfolded)


def _held(reads: ReadSet) -> list[GlobalId]:
    """Returns the collections whose past is read; system relations share the catalog's."""
    return sorted(reads.user) or [CATALOG_SHARD_ID] * bool(reads.system)


async def _course(plan: SubscribePlan, reads: ReadSet, execution: Execution, holds: ExitStack) -> Course:
    """Returns from when to when, with holds at the beginning."""
    reader = Reader(execution.environment, execution)
    collections, transaction = execution.environment.collections, execution.transaction
    if isinstance(plan.as_of, Earliest):
        taken: list[StorageReadHold] = [holds.enter_context(collections.hold(id_)) for id_ in _held(reads)]
        as_of = max((hold.frontier.time or TIMESTAMP_MIN for hold in taken), default=await _now(execution))
    elif plan.as_of is None and transaction.reads.at is not None:
        as_of = transaction.reads.at
    else:
        as_of = (await reader.choose(reads, set(reads.user), plan.as_of, holds)).timestamp
    until: Timestamp | None = None
    if plan.up_to is not None:
        now = await _now(execution)
        until = Timestamp(now + 1)
        if plan.up_to.time is not None:
            until = reader.time_of(plan.up_to.time, now, "UP TO")
        until = _checked(until, as_of, plan.as_of)
    return Course(as_of, until, plan.progress, plan.output == Differences(()))


def _checked(until: Timestamp, as_of: Timestamp, written: AsOf | Earliest | None) -> Timestamp:
    """Returns the end of a subscription. Raises SqlError 22023 for an end before the beginning; an end at the beginning
    leaves nothing to give."""
    if until >= as_of:
        return until
    asked = isinstance(written, AsOf) and not written.at_least
    raise SqlError(
        Sqlstate.INVALID_PARAMETER_VALUE,
        f"UP TO {until} is before {'AS OF' if asked else 'the time at which the subscription would begin,'} {as_of}",
    )


async def _now(execution: Execution) -> Timestamp:
    return await execution.environment.oracle.read_ts()


def _bound(relation: Relation, execution: Execution, as_of: Timestamp) -> Relation:
    """Binds parameters and the session's present values; mz_now() goes on."""
    values = dict(execution.session_values(as_of))
    del values[SessionName.MZ_NOW]
    return bind_relation(relation, execution.parameters, values)


def _events(
    relation: Relation,
    plan: SubscribePlan,
    reads: ReadSet,
    course: Course,
    execution: Execution,
    holds: Sequence[StorageReadHold],
) -> AsyncGenerator[SubscriptionEvent]:
    environment, storage = execution.environment, execution.environment.storage
    if course.until == course.as_of:
        return ended_events(course.as_of)
    if not reads.user and reads_sequences(relation):
        raise NotSupported("a sequence in SUBSCRIBE", hint="No time applies to how far it has come.")
    if reads.system:
        observed = SystemQuery(relation, execution)
        desc = relation_desc_of(relation)
        return observed_events(observed, desc, course.as_of, environment.clock, snapshot=plan.snapshot)
    if not reads.user:
        desc = relation_desc_of(relation)
        rows = evaluated(whole_query(relation), execution, course.as_of)
        return constant_events(rows, desc, course.as_of, snapshot=plan.snapshot)
    stored = stored_columns(relation)
    item = None if stored is None else execution.catalog.items.get(stored[0])
    if stored is not None and item is not None and isinstance(item.definition, WrittenDefinition):
        id_, columns = stored
        if not plan.snapshot or storage.reads.stored_bytes(id_) <= _SNAPSHOT_BYTES_MAX:
            followed = storage.reads.follow(id_, course.as_of, projection=columns, snapshot=plan.snapshot)
            # It has a hold of its own on what it reads.
            return _read_on(followed, holds, lambda: {str(id_): storage.reads.version(id_)})
    ids = (environment.numbers.transient_id(), environment.numbers.transient_id())
    relation = optimize_followed(relation)
    imports = environment.collections.imports_of(relation)
    description = dataflow_of(relation, imports, ids, course.as_of, course.until, snapshot=plan.snapshot)
    maintenance_of(description)
    versions = partial(environment.dataflows.controller.reports.versions, ids[1])
    return _read_on(environment.compute.subscribe(description, execution.cluster.oid), holds, versions)


async def _read_on(
    events: AsyncGenerator[SubscriptionEvent],
    holds: Sequence[StorageReadHold],
    versions: Callable[[], Mapping[str, int]],
) -> AsyncGenerator[SubscriptionEvent]:
    """Yields the events. Holds move on with the versions of the shards being read: otherwise the files of a
    subscription's whole life would be kept.
    """
    async with contextlib.aclosing(events):
        async for event in events:
            now = versions()
            for hold in holds:
                if (seqno := now.get(str(hold.collection))) is not None:
                    hold.reads_from(seqno)
            yield event


def _drop_error(reads: ReadSet, execution: Execution) -> Callable[[], SqlError | None]:
    """Returns a function that explains the end of changes by a dropped or replaced item."""
    state = execution.catalog
    items = [state.items[id_] for id_ in sorted(reads.named) if id_ in state.items]
    read = {item.id: (item.name, collection_of(state, item.id)) for item in items}

    def error() -> SqlError | None:
        now = execution.environment.catalog.state
        for id_, (name, collection) in read.items():
            if id_ not in now.items:
                return SqlError(Sqlstate.UNDEFINED_TABLE, f'subscription ended: relation "{name}" was dropped')
            if collection_of(now, id_) != collection:
                message = f'subscription ended: relation "{name}" was replaced'
                return SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
        return None

    return error
