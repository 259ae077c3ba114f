"""Delta Lake, as a destination on the server and in buckets."""

from __future__ import annotations

from pathlib import Path

from connectors.aws.settings import aws_login
from connectors.delta.table import DeltaPlace
from connectors.files.bucket_name import bucket_options
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import ONE_COMMIT_AFTER_THE_OTHER, Reached, SystemDestination
from model.external.sinks import ConnectedStore, LakeDirectory, SinkEnvelope, SinkTarget


def _directory(clauses: SinkClauses) -> SinkTarget:
    clauses.refuse_messages()
    return LakeDirectory(clauses.into, clauses.path())


def _bucket(clauses: SinkClauses) -> SinkTarget:
    clauses.refuse_messages()
    told = bucket_options(clauses)
    if "PREFIX" not in clauses:
        raise clauses.lacks("PREFIX")
    envelope = SinkEnvelope.CHANGES if clauses.key is None else SinkEnvelope.UPSERT
    return ConnectedStore(clauses.into, clauses.connection, told, envelope)


def _place(target: SinkTarget, reached: Reached) -> DeltaPlace:
    if isinstance(target, LakeDirectory):
        return DeltaPlace(target.path)
    assert isinstance(target, ConnectedStore), "it is in a bucket"
    told = dict(target.options)
    return DeltaPlace(f"s3://{told['BUCKET']}/{told['PREFIX'].strip('/')}", *aws_login(reached.options))


def _driver(place: DeltaPlace, _token: str, directory: Path) -> Driver:
    from connectors.delta.driver import DeltaDriver

    return DeltaDriver(place, directory)


DESTINATION = SystemDestination(
    name="DELTA",
    options=("PATH", "BUCKET", "PREFIX"),
    on_server=_directory,
    connection="AWS",
    connected=_bucket,
    places=(DeltaPlace,),
    place=_place,
    open_driver=_driver,
    undivided=ONE_COMMIT_AFTER_THE_OTHER,
)
