"""CREATE SOURCE, of any kind; … FROM KAFKA."""

from __future__ import annotations

from collections.abc import Iterator

from connectors.systems import SOURCES
from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable, generated_tables
from model.external.records import RecordEncoding
from model.types.relation_desc import RelationDesc
from planner.catalog_view import QualifiedName
from planner.plans.sources import (
    CreateSourcePlan,
    CreateWebhookPlan,
    FetchSchemasPlan,
    FindFilesPlan,
    FindPublicationPlan,
    KafkaSourcePlan,
    UpstreamPlan,
)
from planner.scope.analysis import Analysis
from planner.statements.cluster import new_cluster
from planner.statements.connections.access_objects import access_object
from planner.statements.new_names import new_object_name, progress_name
from planner.statements.sources.clauses import UpstreamClauses, decoding_of, is_named_so
from planner.statements.sources.create_webhook import plan_webhook
from planner.statements.sources.encoding import plan_encoding
from planner.statements.sources.files import FILE_OPTIONS, plan_files, plan_objects
from planner.statements.sources.generator import plan_generator
from planner.statements.sources.options import ClauseOptions
from planner.statements.sources.publication import plan_publication
from planner.statements.sources.schemas import wanted_schemas
from planner.statements.sources.tables import PlannedTables, plan_tables
from planner.statements.sources.transactions import plan_transactions
from planner.statements.sources.written_names import Named, connection_named, names_of_decoding, written_text
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import CreateSource, FromAddress, FromConnection, FromGenerator, FromWebhook

INTERVAL_MS = 1_000
"""How long a source may stand still until its frontier is bound again, by default."""
_RECORDS_MOST, _BYTES_MOST = 1_000_000, 64 << 20
"""A binding is held in memory."""
_TIME_MOST_MS = 1 << 48
_REFRESH_LEAST_MS, _REFRESH_MOST_MS = 100, 3_600_000

SourcePlan = CreateSourcePlan | CreateWebhookPlan | FetchSchemasPlan | FindPublicationPlan | FindFilesPlan


def plan(analysis: Analysis, statement: ParsedStatement) -> SourcePlan:
    node: CreateSource = statement.node
    if isinstance(node.upstream, FromWebhook):
        return plan_webhook(analysis, statement)
    name = new_object_name(analysis, node.name.parts, node.name.location)
    options = ClauseOptions(analysis, node.options)
    if node.upstream.kind not in ("FILES", "S3"):
        options.refuse(*FILE_OPTIONS)
    upstream: UpstreamPlan
    encoding: RecordEncoding | UpstreamTable
    tables: PlannedTables = ()
    if isinstance(node.upstream, FromConnection) and node.upstream.kind == "POSTGRES":
        found = plan_publication(analysis, statement, node.upstream, name, options)
        if isinstance(found, FindPublicationPlan):
            return found
        (upstream, tables), encoding, desc = found, UpstreamTable(None), RelationDesc(())
    elif isinstance(node.upstream, FromGenerator):
        upstream, encoding, desc = plan_generator(analysis, node, node.upstream, options)
        tables = plan_tables(analysis, node, name, generated_tables(upstream.kind))
    elif isinstance(node.upstream, FromAddress) and node.upstream.kind == "FILES":
        of_files = plan_files(analysis, statement, node.upstream, options)
        if isinstance(of_files, FindFilesPlan):
            return of_files
        upstream, encoding, desc = of_files
        tables = plan_tables(analysis, node, name, {})
    elif isinstance(node.upstream, FromConnection) and node.upstream.kind == "S3":
        of_objects = plan_objects(analysis, statement, node.upstream, options)
        if isinstance(of_objects, FindFilesPlan):
            return of_objects
        upstream, encoding, desc = of_objects
        tables = plan_tables(analysis, node, name, {})
    else:
        decoding = node.decoding
        system = SOURCES.get(node.upstream.kind)
        if system is not None and system.planned is not None and is_named_so(system, node.upstream):
            upstream = system.planned(UpstreamClauses(analysis, node, node.upstream))
            decoding, subject = decoding_of(system, decoding), system.subject(upstream) if system.subject else ""
        else:
            upstream = _upstream(analysis, node, name)
            subject = upstream.topic
        wanted = wanted_schemas(analysis, decoding, subject)
        if wanted:
            return FetchSchemasPlan(statement, wanted)
        encoding, desc = plan_encoding(analysis, decoding, node.columns, options)
        tables = plan_tables(analysis, node, name, {})
    transactions = plan_transactions(analysis, node.decoding.envelope)
    cluster = None if node.cluster is None and transactions is not None else new_cluster(analysis, node.cluster)
    progress = progress_name(analysis, node.progress, name, "source")
    return CreateSourcePlan(
        name=name,
        if_not_exists=node.if_not_exists,
        upstream=upstream,
        encoding=encoding,
        transactions=transactions,
        desc=desc,
        progress=progress,
        interval_ms=options.interval_ms("TIMESTAMP INTERVAL") or INTERVAL_MS,
        retain_history_ms=options.interval_ms("RETAIN HISTORY"),
        records_max=options.number("MAX BINDING RECORDS", 1, _RECORDS_MOST),
        bytes_max=options.number("MAX BINDING BYTES", 1, _BYTES_MOST),
        rest=written_text(statement, node.rest, _names(analysis, node, progress), without=node.placed),
        tables=tables,
        cluster=cluster,
    )


def _names(analysis: Analysis, node: CreateSource, progress: QualifiedName | None) -> Iterator[Named]:
    """Yields the names in the statement behind the source's own name."""
    if isinstance(node.upstream, FromConnection):
        yield connection_named(analysis, node.upstream.connection)
    yield from names_of_decoding(analysis, node.decoding)
    if node.progress is not None and progress is not None:
        yield node.progress, progress, None


def _upstream(analysis: Analysis, node: CreateSource, name: QualifiedName) -> KafkaSourcePlan:
    upstream = node.upstream
    if not isinstance(upstream, FromAddress | FromConnection) or upstream.kind != "KAFKA":
        raise analysis.unsupported("a source of this kind", node.name.location)
    connection = None
    if isinstance(upstream, FromConnection):
        connection = access_object(analysis, "connection", upstream.connection).id
    options = ClauseOptions(analysis, upstream.options)
    options.refuse(
        "SECURITY PROTOCOL",
        "SASL MECHANISMS",
        "SASL USERNAME",
        "SASL PASSWORD",
        "SSL CERTIFICATE AUTHORITY",
        "SSL CERTIFICATE",
        "SSL KEY",
    )
    brokers = options.texts("BROKER") + options.texts("BROKERS")
    start = tuple(enumerate(options.numbers("START OFFSET")))
    start_ms = options.number("START TIMESTAMP", -_TIME_MOST_MS, _TIME_MOST_MS)
    if start and start_ms is not None:
        message = "START OFFSET and START TIMESTAMP exclude each other"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
    refresh_ms = options.interval_ms("TOPIC METADATA REFRESH INTERVAL")
    if refresh_ms is not None and not _REFRESH_LEAST_MS <= refresh_ms <= _REFRESH_MOST_MS:
        raise options.invalid("TOPIC METADATA REFRESH INTERVAL")
    topic, prefix = options.text("TOPIC") or name.name, options.text("GROUP ID PREFIX") or ""
    return KafkaSourcePlan(connection, ",".join(brokers), topic, start, start_ms, prefix, refresh_ms)
