"""OpenSearch, as a connection and as a destination."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from connectors.client_settings import divided
from connectors.opensearch.index import OPENSEARCH_SETTINGS, OpensearchIndex
from connectors.option_values import require_all, secret, text_or_secret, url, wrong
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import Options, Reached, SystemConnection, SystemDestination
from model.errors.sqlstate import Sqlstate
from model.external.sinks import ConnectedTable, SinkTarget
from model.ids.global_id import GlobalId

_INDEX = re.compile(r"(?![-_+.])[^\x00-\x20\x7f\\/*?\"<>|,#:]+")
_INDEX_BYTES_MAX = 255


def _check(options: Options) -> None:
    require_all(options, "an OPENSEARCH", "URL")
    if ("PASSWORD" in options) != ("USERNAME" in options):
        given, other = ("PASSWORD", "USERNAME") if "PASSWORD" in options else ("USERNAME", "PASSWORD")
        raise wrong(given, f"needs {other} beside it")
    if "SSL CERTIFICATE AUTHORITY" in options and not str(options["URL"]).startswith("https:"):
        raise wrong("SSL CERTIFICATE AUTHORITY", "needs a URL that begins with https")


def _ask(options: Options, secrets: Mapping[GlobalId, str], _by_password: bool) -> None:
    from connectors.opensearch.client import ask_opensearch

    ask_opensearch(OPENSEARCH_SETTINGS.all(options, secrets))


def _target(clauses: SinkClauses) -> SinkTarget:
    """Plans an index, by default named as the relation."""
    clauses.refuse_messages()
    index = clauses.text("TABLE") or clauses.relation
    if not _INDEX.fullmatch(index) or index != index.lower() or len(index.encode()) > _INDEX_BYTES_MAX:
        raise clauses.invalid("TABLE")
    if clauses.key is None:
        raise clauses.lacks("a KEY", Sqlstate.SYNTAX_ERROR)
    return ConnectedTable(clauses.into, clauses.connection, (index,))


def _place(target: SinkTarget, reached: Reached) -> OpensearchIndex:
    assert isinstance(target, ConnectedTable), "an index is told as a table"
    (index,) = target.table
    settings = divided(OPENSEARCH_SETTINGS.all, OPENSEARCH_SETTINGS.hidden(reached.options), reached.options)
    return OpensearchIndex(*settings, index)


def _driver(place: OpensearchIndex, token: str, directory: Path) -> Driver:
    from connectors.opensearch.driver import OpensearchDriver

    return OpensearchDriver(place, token, directory)


CONNECTION = SystemConnection(
    name="OPENSEARCH",
    checks={
        "URL": url,
        "USERNAME": text_or_secret,
        "PASSWORD": secret,
        "SSL CERTIFICATE AUTHORITY": text_or_secret,
    },
    check_together=_check,
    ask=_ask,
)
DESTINATION = SystemDestination(
    name="OPENSEARCH",
    options=("TABLE",),
    connection="OPENSEARCH",
    connected=_target,
    places=(OpensearchIndex,),
    place=_place,
    open_driver=_driver,
    promise="Exactly once: a document is as of a time, and later ones follow; a transaction appears in parts",
    pushed=True,
    undivided="An index there has one checkpoint, which one session moves.",
)
