"""Plans of statements about sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from connectors.upstream import UpstreamRecords
from model.external.files import BucketObjects, FilePattern
from model.external.generators import UpstreamTable
from model.external.publications import Publication, PublishedTable
from model.external.records import RecordEncoding, SchemaLanguage
from model.external.webhooks import RequestFormat
from model.ids.cluster_id import FIRST_CLUSTER
from model.ids.global_id import GlobalId
from model.ids.written_text import WrittenText
from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.catalog_view import FoundUpstream, QualifiedName
from planner.syntax.connection_statements import AddedSubsources, AlterOwnObject, RefreshedSubsources
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import CreateSource, CreateTableFromSource, FoundSchemas


@dataclass(frozen=True, slots=True)
class FindFilesPlan:
    """A statement that waits for the columns of the first of `files`; planned once its clauses have the columns. With a
    `delimiter` the columns are in the header of a CSV file; None: in a Parquet file.
    """

    statement: ParsedStatement
    files: FilePattern | BucketObjects
    delimiter: str | None

    def answered(self, columns: tuple[ColumnDesc, ...]) -> ParsedStatement:
        node = self.statement.node
        assert isinstance(node, CreateSource), "others read none"
        return replace(self.statement, node=replace(node, found_columns=columns))


@dataclass(frozen=True, slots=True)
class FindPublicationPlan:
    """A statement that waits for the list of a publication's tables; planned once its clauses have the list."""

    statement: ParsedStatement
    connection: GlobalId
    publication: str

    def answered(self, publication: Publication) -> ParsedStatement:
        node = self.statement.node
        assert isinstance(node, CreateSource), "others ask for none"
        return replace(self.statement, node=replace(node, published=publication))


@dataclass(frozen=True, slots=True)
class FindUpstreamPlan:
    """A statement that adds tables to a source, or refreshes tables. The statement waits for the source's definition
    and upstream's answers; planned once its clauses have both.
    """

    statement: ParsedStatement
    source: GlobalId

    def answered(self, found: FoundUpstream) -> ParsedStatement:
        node = self.statement.node
        match node:
            case CreateTableFromSource():
                told: CreateTableFromSource | AlterOwnObject = replace(node, found=found)
            case AlterOwnObject(action=(AddedSubsources() | RefreshedSubsources()) as action):
                told = replace(node, action=replace(action, found=found))
            case _:
                raise AssertionError("others add no tables")
        return replace(self.statement, node=told)


@dataclass(frozen=True, slots=True)
class AddedTable:
    """A table that reads from a source. `published`: the table's name upstream, for systems with tables; `rest`: the
    text of CREATE TABLE behind the source's name, None for a subsource.
    """

    name: QualifiedName
    encoding: RecordEncoding | UpstreamTable
    desc: RelationDesc
    published: PublishedTable | None
    retain_history_ms: int | None
    rest: WrittenText | None


@dataclass(frozen=True, slots=True)
class AddTablesPlan:
    """CREATE TABLE … FROM SOURCE, and ALTER SOURCE … ADD SUBSOURCE."""

    source: GlobalId
    tables: tuple[AddedTable, ...]
    if_not_exists: bool = False


@dataclass(frozen=True, slots=True)
class RefreshTablesPlan:
    """ALTER SOURCE … REFRESH: of these tables, or of all that have changed. `published` is what upstream has now."""

    source: GlobalId
    tables: tuple[GlobalId, ...]
    published: tuple[PublishedTable, ...]


@dataclass(frozen=True, slots=True)
class TransactionsPlan:
    """The transactions by which a source's tables are bound together: `source` reports the transactions, and calls the
    source's collection `counted_as` in its reports."""

    source: GlobalId
    counted_as: str


@dataclass(frozen=True, slots=True)
class WantedSchema:
    """A schema of a registry: the one of a number, else the newest of a subject. `part` is key or value; one that is
    not `required` may not be there."""

    connection: GlobalId
    language: SchemaLanguage
    part: str
    subject: str
    number: int | None
    required: bool


@dataclass(frozen=True, slots=True)
class FetchSchemasPlan:
    """A statement that waits for schemas from registries; planned once its clauses have the schemas."""

    statement: ParsedStatement
    wanted: tuple[WantedSchema, ...]

    def answered(self, by_part: Mapping[str, str | None]) -> ParsedStatement:
        node = self.statement.node
        assert isinstance(node, CreateSource | CreateTableFromSource), "others ask for none"
        schemas = FoundSchemas(by_part.get("key"), by_part.get("value"))
        return replace(self.statement, node=replace(node, decoding=replace(node.decoding, found=schemas)))


@dataclass(frozen=True, slots=True)
class CreateSourcePlan:
    """CREATE SOURCE, of any kind.

    `progress`: the name for the source's progress relation; None: any free name
    `rest`: the statement's text behind the source's name
    `records_max`, `bytes_max`: the most that one binding covers, if given
    `tables`: the tables created with the source, each with its name and columns upstream
    `cluster`: the oid of the cluster that runs it; None: that of the source that tells of its transactions
    """

    name: QualifiedName
    if_not_exists: bool
    upstream: UpstreamRecords
    encoding: RecordEncoding | UpstreamTable
    transactions: TransactionsPlan | None
    desc: RelationDesc
    progress: QualifiedName | None
    interval_ms: int
    retain_history_ms: int | None
    records_max: int | None
    bytes_max: int | None
    rest: WrittenText
    tables: tuple[tuple[QualifiedName, str, RelationDesc], ...] = ()
    cluster: int | None = FIRST_CLUSTER


@dataclass(frozen=True, slots=True)
class CreateWebhookPlan:
    """CREATE SOURCE … FROM WEBHOOK: a source that others write to over HTTP."""

    name: QualifiedName
    if_not_exists: bool
    format: RequestFormat
    retain_history_ms: int | None
