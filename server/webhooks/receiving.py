"""A request becomes rows of its source, durable before it is answered.

    source found -> within its rate -> checked -> decoded -> written by group commit -> answered

Rows go where rows of tables go: many requests become durable in one commit. The collection is the environment's own, so
no replica stands between, and a webhook source is complete at a time when tables are.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pyarrow as pa

from catalog.nouns.items import Item
from catalog.nouns.webhooks import WebhookSource
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from planner.functions.growing import bytes_of
from server.environment.environment import Environment
from server.http.exchange import Exchange
from server.http.limits import HttpLimits, RateLimit
from server.http.request import Answer, Refused, RequestHeaders, require_method
from server.ledgers.committed_catalog import CommittedCatalog
from server.planning.long_texts import beside
from server.webhooks.checking import RequestChecks
from server.webhooks.decoding import decoded_body
from server.webhooks.evaluating import TOO_MANY, RequestEvaluations
from server.webhooks.request import named_source
from storage.persist.state import Part
from timeline.commit_part import CommitPart
from timeline.fence import Fenced
from timeline.group_commit import WriteRequest

_ROWS_AT_ONCE = 100
"""More rows are made beside the event loop."""
_UNKNOWN = "there is no webhook source of this name"


class WebhookReceiver:
    """Answers requests to webhook sources."""

    def __init__(self, environment: Environment, limits: HttpLimits) -> None:
        self._environment = environment
        self._limits = limits
        self._evaluations = RequestEvaluations(environment, limits.evaluation_s, limits.rows_bytes_max)
        self._checks = RequestChecks(self._evaluations)
        self._rates: dict[GlobalId, RateLimit] = {}

    async def answer(self, exchange: Exchange) -> Answer:
        try:
            require_method(exchange.head, "POST", of="to webhook sources")
            item = self._admit(exchange.head.path)
            body = await exchange.body()
            return await self._receive(item, exchange.head.headers, body)
        except (SqlError, Fenced):
            return Answer(503, "the request can't be served now", retry=True)

    def _admit(self, path: str) -> Item:
        """Returns the source that a path names, before anything of the body is read. Refused with 404, or 429 beyond
        the source's rate."""
        item = self._found(path)
        if item is None:
            raise Refused(404, _UNKNOWN)
        per_second = self._limits.requests_per_second
        if per_second is not None:
            if item.id not in self._rates:
                state = self._environment.catalog.state
                self._rates = {id_: rate for id_, rate in self._rates.items() if id_ in state.items}
                self._rates[item.id] = RateLimit(per_second, self._environment.clock)
            if not self._rates[item.id].take():
                raise Refused(429, f"a webhook source takes {per_second} requests a second", retry=True)
        return item

    async def _receive(self, item: Item, headers: RequestHeaders, body: bytes) -> Answer:
        """Returns 200 when the rows are durable. Raises Refused when none of them is stored, or, with 503, when that
        is unknown."""
        state = self._environment.catalog.state
        if state.items.get(item.id) is None:
            raise Refused(404, _UNKNOWN)
        database = state.full_name(item).database
        await self._checks.require(item, headers, body, database)
        rows = await self._rows(item, headers, body, database)
        if rows:
            await self._write(item, rows)
        return Answer(200)

    def _found(self, path: str) -> Item | None:
        name = named_source(path)
        item = None if name is None else self._environment.catalog.state.find(name)
        return item if item is not None and isinstance(item.definition, WebhookSource) else None

    async def _rows(self, item: Item, headers: RequestHeaders, body: bytes, database: str) -> list[Row]:
        source, limits = item.definition, self._limits
        assert isinstance(source, WebhookSource), "it was found"
        form = source.format
        kept: Row = tuple(headers.value(each.header, as_bytes=each.as_bytes) for each in form.header_columns)
        if form.headers is not None:
            chosen = [name for name in headers.names if name in form.headers]
            kept = (headers.as_map(chosen, as_bytes=False), *kept)
        values = await decoded_body(body, form.body, self._evaluations, database, limits.rows_max)
        if len(body) + len(values) * bytes_of(kept) > limits.rows_bytes_max or len(values) > limits.rows_max:
            raise Refused(413, TOO_MANY)
        return [(value, *kept) for value in values]

    async def _write(self, item: Item, rows: list[Row]) -> None:
        storage = self._environment.storage
        writer = storage.part_writer(item.id, item.desc)
        updates: list[pa.Table | Part] = []
        try:
            if len(rows) > _ROWS_AT_ONCE:
                await writer.add(await beside(rows_to_arrow, rows, item.desc))
            else:
                await writer.add(rows_to_arrow(rows, item.desc))
            updates = await writer.finish()
            request = WriteRequest(tables={item.id: updates}, parts=[_SourceStays(self._environment.catalog, item.id)])
            async with asyncio.timeout(self._limits.commit_s):
                await self._environment.committer.submit(request)
        except (SqlError, Fenced, TimeoutError) as error:
            if isinstance(error, SqlError) and error.sqlstate is Sqlstate.STATEMENT_COMPLETION_UNKNOWN:
                raise Refused(503, "whether the rows were written is not known", retry=True) from None
            await writer.abandon()
            storage.stage.settle([each.key for each in updates if isinstance(each, Part)])
            if isinstance(error, SqlError) and error.sqlstate is Sqlstate.UNDEFINED_TABLE:
                raise Refused(404, _UNKNOWN) from None
            raise Refused(503, "nothing can be written now", retry=True) from None


@dataclass(frozen=True, slots=True)
class _SourceStays(CommitPart):
    """Requires the source to exist still when its rows are committed."""

    catalog: CommittedCatalog
    id: GlobalId

    def validate(self, timestamp: Timestamp) -> None:
        if self.id not in self.catalog.state.items:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, _UNKNOWN)
