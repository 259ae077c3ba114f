"""Notes the reads that COMMIT repeats: of system relations by name, and under conditions on mz_now().

Reads of users' collections are validated by whether the collections changed. Of the catalog, a transaction relies on
its questions by name (`names_read`), and almost every change concerns something else: the answers are computed again,
and only a different answer is a conflict. A condition on mz_now() may change its answer although no row has changed.

    valid at t  iff  answer(query, catalog at t - 1, mz_now() = t - 1) is the answer given before

mz_now() as a value is the transaction's read timestamp, and no conflict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.changes.change import Change
from catalog.durable.rows import CATALOG_SHARD_ID
from catalog.nouns.items import MaterializedView
from catalog.state.catalog_state import CatalogState
from model.time.timestamp import Timestamp
from planner.functions.volatility import relation_calls_volatile
from planner.interpret.parameters import bind_query
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.relation import Map, Project, Relation, Union
from planner.ir.scalar import Literal, Scalar, SessionName, SessionValue, scalar_type
from planner.ir.visit import rewrite_scalar
from server.planning.names_read import reads_by_name
from server.planning.statement_plans import ReadSet
from server.transactions.execution import Execution
from server.transactions.transaction_writes import BufferedWrite

_NOTED_MAX = 1_000


@dataclass(frozen=True, slots=True)
class NotedRead:
    """A read of `execution`'s transaction. In `query` only mz_now() is unbound.

    `state`: the catalog of the answer: the committed catalog `base`, with the transaction's `changes` so far.
    `writes`: the transaction's writes so far.
    """

    query: Query
    reads: ReadSet
    execution: Execution
    base: CatalogState
    state: CatalogState
    changes: tuple[Change, ...]
    writes: tuple[BufferedWrite, ...]


def note(query: Query, reads: ReadSet, execution: Execution) -> None:
    """Notes that the transaction has read `query`, as planned, at its read timestamp."""
    transaction, planning = execution.transaction, execution.environment.planning
    read_ts, state = transaction.reads.at, execution.catalog
    if transaction.read_only or read_ts is None:
        return
    items = (state.items.get(id_) for id_ in reads.user)
    views = {item.id for item in items if item is not None and isinstance(item.definition, MaterializedView)}
    temporal = any(planning.is_temporal(state, id_) for id_ in views)
    system = bool(reads.system) and reads_by_name(query.relation)
    if not (system or reads.timed or temporal):
        return
    values = dict(execution.session_values(read_ts))
    del values[SessionName.MZ_NOW]
    if temporal:
        unfolded = planning.unfolded(query.relation, state, lambda id_: planning.is_temporal(state, id_))
        query = replace(query, relation=unfolded)
    query = _with_values(bind_query(query, execution.parameters, values), read_ts)
    timed = SessionName.MZ_NOW in reads_of(query.relation).session_values
    if not (timed or system):
        return
    if relation_calls_volatile(query.relation) or len(transaction.reads.noted) >= _NOTED_MAX:
        # Not to be repeated: that nothing has changed is all that can be said.
        transaction.reads.unrepeatable = transaction.reads.unrepeatable or timed
        transaction.reads.ids |= {CATALOG_SHARD_ID} if system else set()
        return
    if timed and not transaction.explicit:
        transaction.reads.holds.append(execution.environment.storage.reads.hold_everything(read_ts))
    base, state = execution.environment.catalog.at(read_ts), execution.state_at(read_ts)
    buffers = tuple(transaction.changes.buffered), tuple(transaction.writes.buffered)
    transaction.reads.noted.append(NotedRead(query, replace(reads, timed=timed), execution, base, state, *buffers))


def _with_values(query: Query, now: Timestamp) -> Query:
    """Binds mz_now() where it is only a value: in the last projections, if no LIMIT follows."""
    if query.finishing.limit is not None or query.finishing.offset is not None:
        return query

    def bound(scalar: Scalar, level: int) -> Scalar | None:
        here = level == 0 and scalar == SessionValue(SessionName.MZ_NOW)
        return Literal(now, scalar_type(scalar)) if here else None

    def within(relation: Relation) -> Relation:
        match relation:
            case Project(input=inner):
                return replace(relation, input=within(inner))
            case Map(input=inner, scalars=scalars):
                shown = tuple(rewrite_scalar(scalar, bound) for scalar in scalars)
                return replace(relation, input=within(inner), scalars=shown)
            case Union(inputs=inputs):
                return Union(tuple(map(within, inputs)))
            case _:
                return relation

    return replace(query, relation=within(query.relation))
