"""CREATE SOURCE … FROM WEBHOOK: what rows become of requests, and which requests count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from model.errors.sqlstate import Sqlstate
from model.external.webhooks import (
    BodyFormat,
    CheckedInput,
    ChosenHeaders,
    HeaderColumn,
    RequestCheck,
    RequestFormat,
    RequestPart,
)
from planner.catalog_view import CLUSTER
from planner.plans.sources import CreateWebhookPlan
from planner.scope.analysis import Analysis
from planner.statements.cluster import new_cluster
from planner.statements.connections.access_objects import access_object
from planner.statements.expression_text import expression_text
from planner.statements.kept_rules import planned_check
from planner.statements.new_names import new_object_name
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import (
    CheckInput,
    CreateSource,
    DataFormat,
    Decoding,
    FromWebhook,
    PlainFormat,
    WebhookCheck,
)


def plan_webhook(analysis: Analysis, statement: ParsedStatement) -> CreateWebhookPlan:
    node: CreateSource = statement.node
    upstream = node.upstream
    assert isinstance(upstream, FromWebhook), "who asks has looked"
    name = new_object_name(analysis, node.name.parts, node.name.location)
    _refuse(analysis, node)
    single = tuple(HeaderColumn(each.header.lower(), each.column, each.as_bytes) for each in upstream.header_columns)
    check = None if upstream.check is None else _check(analysis, upstream.check)
    format_ = RequestFormat(_body(analysis, upstream.body), _headers(upstream.headers), single, check)
    _require_different(analysis, [column.name for column in format_.columns])
    retained = ClauseOptions(analysis, node.options).interval_ms("RETAIN HISTORY")
    return CreateWebhookPlan(name, node.if_not_exists, format_, retained)


def _refuse(analysis: Analysis, node: CreateSource) -> None:
    """Raises 0A000 for clauses that apply to other sources only."""
    if node.cluster is not None and new_cluster(analysis, node.cluster) != new_cluster(analysis, CLUSTER):
        hint = "The server itself writes it: leave IN CLUSTER out."
        raise analysis.unsupported(f'a webhook source in the cluster "{node.cluster}"', node.name.location, hint=hint)
    if node.columns:
        hint = "INCLUDE HEADER … AS names the columns of headers; a view renames others."
        raise analysis.unsupported("a list of columns of a webhook source", node.name.location, hint=hint)
    if node.decoding != Decoding():
        raise analysis.unsupported(
            "FORMAT and ENVELOPE of a webhook source", node.name.location, hint="See BODY FORMAT."
        )
    if node.progress is not None:
        hint = "There is no upstream whose records could be read again."
        raise analysis.unsupported("EXPOSE PROGRESS of a webhook source", node.progress.location, hint=hint)
    ClauseOptions(analysis, node.options).refuse(
        "TIMESTAMP INTERVAL",
        "DECODING ERRORS",
        "KEY DECODING ERRORS",
        "VALUE DECODING ERRORS",
        "MAX BINDING RECORDS",
        "MAX BINDING BYTES",
    )


def _body(analysis: Analysis, data: DataFormat) -> BodyFormat:
    if not isinstance(data, PlainFormat):
        raise analysis.unsupported("this BODY FORMAT", hint="It is JSON, JSON ARRAY, TEXT or BYTES.")
    return BodyFormat.JSON_ARRAY if data.array else BodyFormat[data.kind]


def _headers(chosen: Sequence[tuple[str, bool]] | None) -> ChosenHeaders | None:
    if chosen is None:
        return None

    def those(left_out: bool) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name.lower() for name, out in chosen if out is left_out))

    return ChosenHeaders(those(False), those(True))


def _require_different(analysis: Analysis, names: Iterable[str]) -> None:
    """Raises 42701 for a name that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, f'column "{name}" specified more than once')
        seen.add(name)


def _check(analysis: Analysis, node: WebhookCheck) -> RequestCheck:
    inputs = tuple(_input(analysis, each) for each in node.inputs)
    _require_different(analysis, [each.name for each in inputs])
    check = RequestCheck(inputs, expression_text(analysis, node.condition))
    planned_check(analysis.context, check)
    return check


def _input(analysis: Analysis, node: CheckInput) -> CheckedInput:
    if node.secret is None:
        part = RequestPart[node.what]
        return CheckedInput(part, None, node.name or part.value, node.as_bytes)
    secret = access_object(analysis, "secret", node.secret)
    return CheckedInput(RequestPart.SECRET, secret.id, node.name or secret.name.name, node.as_bytes)
