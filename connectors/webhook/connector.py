"""HTTP endpoints, as a connection and as a destination."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.option_values import require_all, secret, text_or_secret, url
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import EACH_CHANGE, Options, Reached, SystemConnection, SystemDestination
from connectors.webhook.endpoint import Endpoint
from connectors.webhook.endpoint_probe import ask_endpoint
from model.external.sinks import ConnectedStore, SinkEnvelope, SinkTarget
from model.ids.global_id import GlobalId

_TIMEOUT_S = 10.0


def _check(options: Options) -> None:
    require_all(options, "a WEBHOOK", "URL")


def _ask(options: Options, _secrets: Mapping[GlobalId, str], _by_password: bool) -> None:
    ask_endpoint(str(options["URL"]), _TIMEOUT_S)


def _target(clauses: SinkClauses) -> SinkTarget:
    envelope = clauses.envelope()
    if envelope is SinkEnvelope.DEBEZIUM:
        raise clauses.unsupported(f"ENVELOPE {envelope.name} of a webhook")
    clauses.refuse_formats_but("JSON", "a webhook")
    return ConnectedStore(clauses.into, clauses.connection, (), envelope, "JSON")


def _place(_target: SinkTarget, reached: Reached) -> Endpoint:
    hidden = tuple((name, value) for name, value in reached.options.items() if isinstance(value, GlobalId))
    told = reached.options.get("AUTHORIZATION")
    return Endpoint(str(reached.options["URL"]), told if isinstance(told, str) else None, hidden)


def _driver(place: Endpoint, _token: str, _directory: Path) -> Driver:
    from connectors.webhook.driver import WebhookDriver

    return WebhookDriver(place)


CONNECTION = SystemConnection(
    name="WEBHOOK",
    checks={"URL": url, "AUTHORIZATION": text_or_secret, "SIGNING SECRET": secret},
    check_together=_check,
    ask=_ask,
)
DESTINATION = SystemDestination(
    name="WEBHOOK",
    options=(),
    connection="WEBHOOK",
    connected=_target,
    places=(Endpoint,),
    place=_place,
    open_driver=_driver,
    promise="At least once: a request that is sent again has the idempotency key that it had",
    repeated=True,
    pushed=True,
    undivided=EACH_CHANGE,
)
