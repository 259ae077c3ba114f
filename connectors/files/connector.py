"""Files, as destinations: of the server, and in buckets."""

from __future__ import annotations

from pathlib import Path

from connectors.aws.settings import aws_login
from connectors.files.bucket_name import bucket_options
from connectors.files.objects import BucketOfFiles
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import EACH_CHANGE, Reached, SystemDestination, as_planned
from model.external.sinks import ConnectedStore, DirectoryOfFiles, FileFormat, SinkEnvelope, SinkTarget


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


DIRECTORY = SystemDestination(
    name="FILES",
    options=("PATH",),
    on_server=_directory,
    places=(DirectoryOfFiles,),
    place=as_planned,
    open_driver=_driver_of_directory,
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
    undivided=EACH_CHANGE,
)
