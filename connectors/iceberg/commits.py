"""Commits of Iceberg's that pyiceberg has otherwise: without a second try, and with few manifests left behind."""

from __future__ import annotations

from collections.abc import Mapping

from pyiceberg.io import FileIO
from pyiceberg.manifest import ManifestContent, ManifestFile
from pyiceberg.table import Table, Transaction
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.snapshots import Operation
from pyiceberg.table.update import AssertTableUUID, TableUpdate
from pyiceberg.table.update.snapshot import _ManifestMergeManager, _OverwriteFiles

_MANIFEST_BYTES, _MANIFESTS = 8 << 20, 100
"""As Iceberg's own by default: manifests are merged once there are so many, to files of this size."""


class FencedTransaction(Transaction):
    """A transaction of pyiceberg that fails where the table has changed since it was loaded. pyiceberg's own would
    retry on top of the other session's commit, and so undo the fence."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._known: tuple[tuple[TableUpdate, ...], TableMetadata] | None = None

    @property
    def table_metadata(self) -> TableMetadata:
        """The metadata as the staged changes make it; computed once per set of changes, because it copies the whole
        history of the table."""
        if not self._updates:
            return self._table.metadata
        if self._known is None or self._known[0] is not self._updates:
            self._known = self._updates, super().table_metadata
        return self._known[1]

    def commit_transaction(self) -> Table:
        same = AssertTableUUID(uuid=self.table_metadata.table_uuid)
        try:
            self._table._do_commit(self._updates, (*self._requirements, same))
        except Exception:
            self._failed = True
            raise
        return self._table


class MergingOverwrite(_OverwriteFiles):
    """An overwrite that removes files and adds others. Removals of earlier snapshots are dropped from the manifests,
    and small manifests are merged, as pyiceberg's appends do: otherwise each commit would read all manifests ever
    written."""

    def __init__(self, transaction: Transaction, io: FileIO, told: Mapping[str, str]) -> None:
        super().__init__(Operation.OVERWRITE, transaction, io, snapshot_properties=dict(told))

    def _process_manifests(self, manifests: list[ManifestFile]) -> list[ManifestFile]:
        told = [each for each in manifests if each.added_snapshot_id == self.snapshot_id or _has_files(each)]
        data = [each for each in told if each.content == ManifestContent.DATA]
        others = [each for each in told if each.content != ManifestContent.DATA]
        merging = _ManifestMergeManager(_MANIFEST_BYTES, _MANIFESTS, merge_enabled=True, snapshot_producer=self)
        return merging.merge_manifests(data) + others


def _has_files(manifest: ManifestFile) -> bool:
    return manifest.has_added_files() or manifest.has_existing_files()
