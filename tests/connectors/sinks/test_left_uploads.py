"""Uploads that sessions of a sink have left in its bucket, however they ended: their parts cost who owns the bucket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import boto3
import pytest

from connectors.files.objects import BucketOfFiles
from tests.connectors.sinks.destinations import RealDestination
from tests.connectors.sinks.kinds import made
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into

A, B, C = (1, "a"), (2, "b"), (3, "c")


@pytest.fixture
def destination(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealDestination]:
    with closing(made("bucket", tmp_path, request)) as destination:
        yield destination


def _opened(destination: RealDestination, log: RecoveryLog, *, anew: bool = False) -> DriverSession:
    session = DriverSession(destination.driver(), sink_into(destination.place, keyed=False), log, anew=anew)
    session.acknowledge()
    return session


def _left(destination: RealDestination) -> list[str]:
    """The keys that something is uploaded for."""
    place = destination.place
    assert isinstance(place, BucketOfFiles)
    settings = dict(place.settings)
    session = boto3.session.Session(settings["key_id"], settings["key"], region_name=settings["region"])
    s3 = session.client("s3", endpoint_url=settings["endpoint"])
    return [each["Key"] for each in s3.list_multipart_uploads(Bucket=place.bucket).get("Uploads", ())]


def _staged(destination: RealDestination, log: RecoveryLog, *, is_logged: bool) -> None:
    """A session that has committed A, and is killed once B is uploaded."""
    session = _opened(destination, log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    started = session.start_commit(20)
    if is_logged:
        session.logged(20, started)
    assert len(_left(destination)) == 1


def test_the_next_session_aborts_what_the_log_does_not_name(destination: RealDestination) -> None:
    log = RecoveryLog()
    _staged(destination, log, is_logged=False)
    _opened(destination, log)
    assert not _left(destination)
    assert destination.read() == Counter([A])


@pytest.mark.parametrize("is_logged", [False, True])
def test_a_session_that_begins_anew_aborts_what_was_uploaded_before(
    destination: RealDestination, is_logged: bool
) -> None:
    log = RecoveryLog()
    _staged(destination, log, is_logged=is_logged)
    again = _opened(destination, log, anew=True)
    assert not _left(destination)
    again.transact([(A, 1), (C, 1)], 40)
    assert not _left(destination)


def test_a_session_that_opens_too_late_aborts_nothing_of_its_successor(destination: RealDestination) -> None:
    log = RecoveryLog()
    _opened(destination, log).transact([(A, 1)], 10)
    early = RecoveryLog(log.frontier, dict(log.state))
    again = _opened(destination, log, anew=True)
    again.store([(B, 1)], 19)
    again.logged(20, again.start_commit(20))
    late = _opened(destination, early)
    assert len(_left(destination)) == 1
    late.driver.close()
    again.acknowledge()
    assert not _left(destination)
