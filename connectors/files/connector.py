"""Files, as sources and as destinations: of the server, and in buckets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from connectors.aws.settings import aws_login
from connectors.files.bucket_name import bucket_options
from connectors.files.objects import BucketOfFiles
from connectors.gauge import Gauge, Partition
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.sources.description import FilesOfServer, ObjectsOfBucket
from connectors.system import EACH_CHANGE, FILES, InstalledSource, Reached, SystemDestination, SystemSource, as_planned
from connectors.upstream import Arrived, RangeReader, UpstreamReader
from model.external.files import BucketObjects, FilePattern, Framing
from model.external.sinks import ConnectedStore, DirectoryOfFiles, FileFormat, SinkEnvelope, SinkTarget
from model.ids.global_id import GlobalId
from model.time.clock import Clock
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT8, TEXT

_BYTES = Gauge(ColumnDesc("key", TEXT, nullable=False), ColumnDesc("byte_offset", INT8, nullable=False))


def _directory(clauses: SinkClauses) -> SinkTarget:
    return DirectoryOfFiles(clauses.path(), clauses.file_format())


def _driver_of_directory(place: DirectoryOfFiles, token: str, _directory: Path) -> Driver:
    from connectors.files.directory import DirectoryStore
    from connectors.files.driver import FilesDriver

    return FilesDriver(DirectoryStore(place.path, token), place.format)


def _bucket(clauses: SinkClauses) -> SinkTarget:
    options, connection = bucket_options(clauses), clauses.connection
    format_ = clauses.file_format().value.upper()
    return ConnectedStore(clauses.into, connection, options, SinkEnvelope.CHANGES, format_)


def _place_of_bucket(target: SinkTarget, reached: Reached) -> BucketOfFiles:
    assert isinstance(target, ConnectedStore) and isinstance(target.format, str), "files need no registry"
    told = dict(target.options)
    format_ = FileFormat(target.format.lower())
    return BucketOfFiles(*aws_login(reached.options), told["BUCKET"], told.get("PREFIX", ""), format_)


def _driver_of_bucket(place: BucketOfFiles, _token: str, directory: Path) -> Driver:
    from connectors.files.bucket import BucketStore
    from connectors.files.driver import FilesDriver

    return FilesDriver(BucketStore(place, directory), place.format)


def _restored_pattern(stored: Mapping[str, Any]) -> FilePattern:
    columns = None if stored["columns"] is None else tuple(stored["columns"])
    fields = tuple(stored.get("fields", ()))
    return FilePattern(**{**stored, "framing": Framing(stored["framing"]), "columns": columns, "fields": fields})


def _stored_objects(objects: BucketObjects) -> dict[str, Any]:
    return {**asdict(objects), "connection": str(objects.connection)}


def _restored_objects(stored: Mapping[str, Any]) -> BucketObjects:
    connection, files = GlobalId.parse(stored["connection"]), _restored_pattern(stored["files"])
    return BucketObjects(connection, stored["bucket"], stored["queue"], files)


def _objects_elsewhere(objects: BucketObjects, _lineage: str) -> BucketObjects:
    """Returns objects without the queue, whose messages reach one reader only; a bucket can be listed instead."""
    return objects if objects.bucket is None else replace(objects, queue=None)


def _place_of_files(files: FilePattern, installed: InstalledSource) -> FilesOfServer:
    return FilesOfServer(files, _parquet(files, installed), installed.created_ms if files.once else None)


def _place_of_objects(objects: BucketObjects, installed: InstalledSource) -> ObjectsOfBucket:
    files = objects.files
    until_ms = installed.created_ms if files.once else None
    login = aws_login(installed.options)
    return ObjectsOfBucket(*login, objects.bucket, objects.queue, files, _parquet(files, installed), until_ms)


def _parquet(files: FilePattern, installed: InstalledSource) -> RelationDesc | None:
    """Returns the columns of files of Parquet, under their own names."""
    if files.columns is None:
        return None
    named = zip(files.columns, installed.desc.columns, strict=True)
    return RelationDesc(tuple(replace(column, name=name) for name, column in named))


def _open_files(
    place: FilesOfServer, _settings: Mapping[str, str], clock: Clock, arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.files.source.directory_space import DirectorySpace
    from connectors.files.source.reader import FilesReader

    return FilesReader(place.files, place.parquet, place.until_ms, DirectorySpace(place.files.pattern), clock, arrived)


def _open_objects(
    place: ObjectsOfBucket, settings: Mapping[str, str], clock: Clock, arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.files.source.bucket_space import BucketSpace
    from connectors.files.source.reader import FilesReader

    space = BucketSpace(settings, place.bucket, place.queue, place.files.pattern)
    return FilesReader(place.files, place.parquet, place.until_ms, space, clock, arrived)


def _open_range_of_files(
    place: FilesOfServer, versions: Mapping[Partition, str | None], _settings: Mapping[str, str], _clock: Clock
) -> RangeReader:
    from connectors.files.source.directory_space import DirectorySpace
    from connectors.files.source.whole_files import WholeFiles

    return WholeFiles(DirectorySpace(place.files.pattern), place.parquet, versions)


def _open_range_of_objects(
    place: ObjectsOfBucket, versions: Mapping[Partition, str | None], settings: Mapping[str, str], _clock: Clock
) -> RangeReader:
    from connectors.files.source.bucket_space import BucketSpace
    from connectors.files.source.whole_files import WholeFiles

    space = BucketSpace(settings, place.bucket, place.queue, place.files.pattern)
    return WholeFiles(space, place.parquet, versions)


FILES_SOURCE = SystemSource(
    name="FILES",
    kind="files",
    gauge=_BYTES,
    places=(FilePattern, FilesOfServer),
    stored=asdict,
    restored=_restored_pattern,
    stored_as="files",
    place=_place_of_files,
    on_server=True,
    open=_open_files,
    open_range=_open_range_of_files,
)
OBJECTS_SOURCE = SystemSource(
    name="S3",
    kind="s3",
    gauge=_BYTES,
    places=(BucketObjects, ObjectsOfBucket),
    stored=_stored_objects,
    restored=_restored_objects,
    stored_as="objects",
    place=_place_of_objects,
    connection="AWS",
    elsewhere=_objects_elsewhere,
    open=_open_objects,
    open_range=_open_range_of_objects,
)
DIRECTORY = SystemDestination(
    name="FILES",
    options=("PATH",),
    on_server=_directory,
    places=(DirectoryOfFiles,),
    place=as_planned,
    open_driver=_driver_of_directory,
    promise=FILES,
    undivided=EACH_CHANGE,
)
BUCKET = SystemDestination(
    name="S3",
    options=("BUCKET", "PREFIX"),
    connection="AWS",
    connected=_bucket,
    places=(BucketOfFiles,),
    place=_place_of_bucket,
    open_driver=_driver_of_bucket,
    promise=FILES,
    undivided=EACH_CHANGE,
)
