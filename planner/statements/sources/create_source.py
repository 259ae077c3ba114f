"""CREATE SOURCE, of any kind."""

from __future__ import annotations

from collections.abc import Iterator

from connectors.systems import SOURCES
from connectors.upstream import UpstreamRecords
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
)
from planner.scope.analysis import Analysis
from planner.statements.cluster import new_cluster
from planner.statements.new_names import new_object_name, progress_name
from planner.statements.sources.clauses import UpstreamClauses, decoding_of, is_named_so
from planner.statements.sources.create_webhook import plan_webhook
from planner.statements.sources.encoding import plan_encoding
from planner.statements.sources.files import FILE_OPTIONS, plan_files, plan_objects
from planner.statements.sources.generator import plan_generator
from planner.statements.sources.publication import plan_publication
from planner.statements.sources.schemas import wanted_schemas
from planner.statements.sources.source_options import ClauseOptions
from planner.statements.sources.tables import PlannedTables, plan_tables
from planner.statements.sources.transactions import plan_transactions
from planner.statements.sources.written_names import Named, connection_named, names_of_decoding, written_text
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import CreateSource, FromAddress, FromConnection, FromGenerator, FromWebhook

INTERVAL_MS = 1_000
"""How long a source may stand still until its frontier is bound again, by default."""
_RECORDS_MOST, _BYTES_MOST = 1_000_000, 64 << 20
"""A binding is held in memory."""

SourcePlan = CreateSourcePlan | CreateWebhookPlan | FetchSchemasPlan | FindPublicationPlan | FindFilesPlan


def plan(analysis: Analysis, statement: ParsedStatement) -> SourcePlan:
    node: CreateSource = statement.node
    if isinstance(node.upstream, FromWebhook):
        return plan_webhook(analysis, statement)
    name = new_object_name(analysis, node.name.parts, node.name.location)
    options = ClauseOptions(analysis, node.options)
    if node.upstream.kind not in ("FILES", "S3"):
        options.refuse(*FILE_OPTIONS)
    upstream: UpstreamRecords
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
        system = SOURCES.get(node.upstream.kind)
        if system is None or system.planned is None or not is_named_so(system, node.upstream):
            raise analysis.unsupported("a source of this kind", node.name.location)
        upstream = system.planned(UpstreamClauses(analysis, node, node.upstream))
        decoding, subject = decoding_of(system, node.decoding), system.subject(upstream) if system.subject else ""
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
