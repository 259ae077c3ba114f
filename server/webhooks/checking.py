"""Runs a source's check on a request. The values of secrets never show: neither a condition's error nor the compared
values are reported."""

from __future__ import annotations

from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.items import Item
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.external.webhooks import CheckedInput, RequestCheck, RequestPart
from model.types.datum import Datum
from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.catalog_view import PlanningContext
from planner.ir.query import whole_query
from planner.ir.relation import Constant, Map
from planner.ir.scalar import Scalar
from planner.statements.kept_rules import planned_check
from server.http.request import Refused, RequestHeaders
from server.planning.long_texts import beside, is_long_text
from server.secrets.stored import secret_value
from server.webhooks.decoding import body_text
from server.webhooks.evaluating import RequestEvaluations

_KEPT_MAX = 1_000
_FAILED = "the check failed"


class RequestChecks:
    """The checks of all webhook sources, each planned once."""

    def __init__(self, evaluations: RequestEvaluations) -> None:
        self._evaluations = evaluations
        self._planned: dict[RequestCheck, Scalar] = {}

    async def require(self, item: Item, headers: RequestHeaders, body: bytes, database: str) -> None:
        """Raises Refused with 403 for a request that fails the check, for whatever reason; with 400 for one without
        the text that the check needs."""
        source = item.definition
        assert isinstance(source, WebhookSource), "who asks has looked"
        check = source.format.check
        if check is None:
            return
        environment = self._evaluations.environment
        state = environment.catalog.state
        try:
            condition = await self._condition(check, state, database)
            row = tuple(self._value(each, headers, body, state) for each in check.inputs)
            columns = RelationDesc(tuple(ColumnDesc(each.name, each.type) for each in check.inputs))
            relation = Map(Constant(((row, 1),), columns), (condition,), ("passes",))
            (answer,) = await self._evaluations.rows(whole_query(relation), database, 1)
        except SqlError as error:
            # The message may quote what the check was told.
            raise Refused(403, f"{_FAILED}: it can't be evaluated (SQLSTATE {error.sqlstate.value})") from None
        if answer[-1] is not True:
            raise Refused(403, _FAILED)

    async def _condition(self, check: RequestCheck, state: CatalogState, database: str) -> Scalar:
        if check not in self._planned:
            if len(self._planned) == _KEPT_MAX:
                self._planned.clear()
            context = PlanningContext(StateCatalogView(state), database, (), "")
            if is_long_text(check.sql):
                condition = await beside(planned_check, context, check)
            else:
                condition = planned_check(context, check)
            self._planned[check] = condition
            return condition
        return self._planned[check]

    def _value(self, each: CheckedInput, headers: RequestHeaders, body: bytes, state: CatalogState) -> Datum:
        match each.part:
            case RequestPart.HEADERS:
                return headers.as_map([*headers.names], as_bytes=each.as_bytes)
            case RequestPart.BODY:
                return body if each.as_bytes else body_text(body)
            case RequestPart.SECRET:
                assert each.secret is not None, "a secret has an id"
                value = secret_value(self._evaluations.environment.outside.keyring, state, each.secret)
                if each.as_bytes:
                    return value
                try:
                    return value.decode()
                except UnicodeDecodeError:
                    raise Refused(403, f"{_FAILED}: a secret that it is told as text is not text") from None
