"""Webhook sources in the catalog, and their form in its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.external.webhooks import (
    BodyFormat,
    CheckedInput,
    ChosenHeaders,
    HeaderColumn,
    RequestCheck,
    RequestFormat,
    RequestPart,
)
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc


@dataclass(frozen=True, slots=True)
class WebhookSource:
    """A source that receives rows by HTTP requests. Without an upstream to read again, a webhook source needs no remap
    collection: the rows are stored and written like a table's."""

    desc: RelationDesc
    format: RequestFormat
    retain_history_ms: int | None

    @property
    def secrets(self) -> frozenset[GlobalId]:
        """The secrets that its check uses."""
        return frozenset() if self.format.check is None else self.format.check.secrets


def webhook_value(source: WebhookSource) -> dict[str, Any]:
    """Returns the stored value of a webhook source: all but the columns."""
    form = source.format
    return {
        "kind": "webhook source",
        "body": form.body.value,
        "headers": None if form.headers is None else [list(form.headers.named), list(form.headers.left_out)],
        "header_columns": [[each.header, each.column, each.as_bytes] for each in form.header_columns],
        "check": None if form.check is None else _check_value(form.check),
        "retain_history_ms": source.retain_history_ms,
    }


def _check_value(check: RequestCheck) -> dict[str, Any]:
    inputs = [
        [each.part.value, None if each.secret is None else str(each.secret), each.name, each.as_bytes]
        for each in check.inputs
    ]
    return {"inputs": inputs, "sql": check.sql}


def webhook_of(value: dict[str, Any], desc: RelationDesc) -> WebhookSource:
    """Reads a webhook source from the JSON that `webhook_value` returns."""
    headers, check = value["headers"], value["check"]
    form = RequestFormat(
        BodyFormat(value["body"]),
        None if headers is None else ChosenHeaders(tuple(headers[0]), tuple(headers[1])),
        tuple(HeaderColumn(*each) for each in value["header_columns"]),
        None if check is None else RequestCheck(tuple(map(_input_of, check["inputs"])), check["sql"]),
    )
    return WebhookSource(desc, form, value["retain_history_ms"])


def _input_of(value: list[Any]) -> CheckedInput:
    part, secret, name, as_bytes = value
    return CheckedInput(RequestPart(part), None if secret is None else GlobalId.parse(secret), name, as_bytes)
