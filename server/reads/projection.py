"""The projection that takes values of sequences and locks of advisory kind: computed by the server, over rows from
below."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Row
from planner.interpret.parameters import bind_query
from planner.ir.relation import Constant, Let
from server.ledgers.counting.split import BELOW, Split
from server.transactions.execution import Execution


def projected(parts: Split, rows: Sequence[Row], execution: Execution) -> AsyncGenerator[list[Row]]:
    """Yields, in batches, the part above the split, over `rows` of the part below. It is computed on the event loop,
    batch by batch of what is read, since it is made of little but questions to the server."""
    bound = bind_query(parts.above, execution.parameters, execution.session_values(TIMESTAMP_MIN))
    below = Constant(tuple((row, 1) for row in rows), parts.below.desc)
    query = replace(bound, relation=Let(BELOW, below, bound.relation))
    work = execution.work(query, TIMESTAMP_MIN, system=False)
    return execution.environment.evaluations.here.rows(work, execution.facts)
