"""A table of Delta Lake, in a directory of the server's or in a bucket.

Each transaction is one commit of the table's log: rows, and as an application's transaction (`txn`) of the sink's name
how far it is. A session begins with a commit of the same transaction, after which those of sessions before find the
table changed, and fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError

from connectors.aws.clients import AwsFailure, aws_login
from connectors.aws.settings import ENDPOINT, KEY, KEY_ID, REGION, TOKEN
from connectors.delta.table import DeltaPlace
from connectors.sinks.fences import another_sinks, fenced_off, not_empty
from connectors.sinks.lake_columns import lake_schema
from connectors.sinks.lake_driver import GONE, LakeDriver, require_lake_columns
from connectors.sinks.messages import Open
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import Timestamp

_OWNER = "headwater.sink"
_PATIENCE = {"connect_timeout": "5s", "timeout": "30s", "max_retries": "3", "retry_timeout": "30s"}


class DeltaDriver(LakeDriver):
    """A session with one table of Delta Lake."""

    failures = (DeltaError, OSError, *AwsFailure)

    def __init__(self, place: DeltaPlace, directory: Path) -> None:
        super().__init__(directory)
        self._place = place
        self._opened: DeltaTable | None = None
        self._name = ""

    @property
    def _table(self) -> DeltaTable:
        assert self._opened is not None, "it is open"
        return self._opened

    def take_over(self, request: Open) -> Timestamp:
        place, self._name = self._place, request.sink.name
        options = _storage_options({**dict(place.settings), **request.secrets})
        schema = lake_schema(request.sink)
        try:
            self._opened = table = DeltaTable(place.uri, storage_options=options)
        except TableNotFoundError:
            self._opened = DeltaTable.create(
                place.uri,
                schema,
                configuration={_OWNER: self._name},
                storage_options=options,
                commit_properties=self._told(Timestamp(0)),
                raise_if_key_not_exists=False,
            )
            return Timestamp(0)
        self._require_ours(schema)
        told = table.transaction_version(self._name)
        at = Timestamp(told or 0)
        if at == 0 and request.frontier == 0 and not request.anew and table.count():
            raise not_empty(place.uri)
        table.create_write_transaction([], "append", table.schema(), commit_properties=self._told(at))
        # To that commit, and not to the newest: what another session has done since must be seen as that.
        table.load_as_version(table.version() + 1)
        return at

    def _require_ours(self, schema: pa.Schema) -> None:
        table, uri = self._table, self._place.uri
        owner = table.metadata().configuration.get(_OWNER)
        if owner is None:
            table.alter.set_table_properties({_OWNER: self._name}, raise_if_not_exists=False)
        elif owner != self._name:
            raise another_sinks(uri, owner)
        require_lake_columns(uri, schema, pa.schema(table.schema().to_arrow()))

    def _told(self, frontier: Timestamp) -> CommitProperties:
        """Returns properties of a commit that fails where another came before, and says how far the table is."""
        return CommitProperties(app_transactions=[Transaction(self._name, int(frontier))], max_commit_retries=0)

    def rows_of(self, keys: pa.Table) -> pa.Table:
        first = keys.column_names[0]
        wanted = pc.field(first).isin(pc.unique(keys.column(first).combine_chunks()))
        rows: pa.Table = self._table.to_pyarrow_dataset().to_table(filter=wanted)
        return rows

    def overwrite(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        write_deltalake(self._table, rows, mode="overwrite", commit_properties=self._told(frontier))

    def append(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        write_deltalake(self._table, rows, mode="append", commit_properties=self._told(frontier))

    def merge(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        same = " AND ".join(f"t.{name} = s.{name}" for name in map(_quoted, self.key_names))
        merger = self._table.merge(rows, same, "s", "t", commit_properties=self._told(frontier))
        merger.when_matched_delete(f"s.{GONE}").when_matched_update_all(except_cols=[GONE]).when_not_matched_insert_all(
            predicate=f"NOT s.{GONE}", except_cols=[GONE]
        ).execute()

    def failed(self, error: Exception) -> SqlError:
        if isinstance(error, CommitFailedError):
            return fenced_off()
        said = " ".join(str(error).split())
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'Delta table "{self._place.uri}": {said}')


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _storage_options(settings: Mapping[str, str]) -> dict[str, str] | None:
    """Returns the options of Delta's client of buckets, which commits by creating an object only where none exists;
    None for a directory."""
    if not settings:
        return None
    login = aws_login(settings)
    options = {
        "AWS_REGION": settings[REGION],
        "AWS_ACCESS_KEY_ID": login[KEY_ID],
        "AWS_SECRET_ACCESS_KEY": login[KEY],
        "aws_conditional_put": "etag",
        **_PATIENCE,
    }
    if TOKEN in login:
        options["AWS_SESSION_TOKEN"] = login[TOKEN]
    if ENDPOINT in settings:
        options |= {"AWS_ENDPOINT_URL": settings[ENDPOINT], "AWS_ALLOW_HTTP": "true"}
    return options
