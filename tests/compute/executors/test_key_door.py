"""Tasks of machines that have no keys of blob: they are told them at the owner's door, and nobody else is."""

from __future__ import annotations

import contextlib
import os
import pickle
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import boto3
import pyarrow as pa
import pytest

from compute.arrangement.blob.key_door import KeyDoor, KeyTicket, told_access
from compute.arrangement.blob.remote_place import RemotePlace
from compute.executors.step_task import StepTask
from compute.executors.task_done import StepDone, decode_done
from compute.executors.task_pool import Task
from storage.persist.location import BlobAccess
from storage.persist.open import open_blob
from tests.compute.arrangement.blob_worlds import STATE, BlobWorld
from tests.compute.executors.pools import FATES
from tests.compute.executors.test_later_ticks import _Course
from tests.compute.executors.test_step_task import counted_rows
from tests.storage.memory import MemoryConsensus

_SECRET = "a secret that stands nowhere"
_CHILD = """
import os, pickle, sys
from compute.executors.step_task import run_step
from compute.executors.task_done import encode_done
task, partition, batches = pickle.load(sys.stdin.buffer)
sys.stderr.write(repr(task) + repr(dict(os.environ)))
done = run_step(task, partition, batches)
sys.stdout.buffer.write(encode_done(done))
sys.stderr.write(repr(done))
"""


class Refused(Exception):
    """The task of another process has failed."""


@pytest.fixture
def world(amazon: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BlobWorld]:
    for name, value in (("ENDPOINT_URL", amazon), ("ACCESS_KEY_ID", "owner"), ("SECRET_ACCESS_KEY", _SECRET)):
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    bucket = f"bucket-{uuid.uuid4().hex}"
    boto3.client("s3").create_bucket(Bucket=bucket)
    url = f"s3://{bucket}/states"
    consensus = MemoryConsensus()
    world = BlobWorld(tmp_path, lambda: (consensus, open_blob(url)), url=url)
    yield world
    world.close()


def _elsewhere(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    """An attempt of a process without any keys, which says all that it knows."""
    assert isinstance(task, StepTask)
    sent = pickle.dumps((task, partition, batches))
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "TMPDIR") if name in os.environ}
    environment = {**kept, "HOME": "/nonexistent", "AWS_EC2_METADATA_DISABLED": "true"}
    command = [sys.executable, "-P", "-c", _CHILD]
    root = str(Path(__file__).parents[3])
    done = subprocess.run(command, input=sent, capture_output=True, env={**environment, "PYTHONPATH": root})
    assert _SECRET.encode() not in sent + done.stdout + done.stderr, "the keys stand somewhere"
    if done.returncode:
        raise Refused(done.stderr.decode().splitlines()[-1])
    return [decode_done(done.stdout)]


def _without_ticket(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    assert isinstance(task, StepTask)
    assert isinstance(task.place, RemotePlace)
    return _elsewhere(replace(task, place=replace(task.place, ticket=None)), partition, batches)


def test_tasks_without_keys_work_on_state_in_s3(world: BlobWorld, tmp_path: Path) -> None:
    with patch.dict(FATES, {"elsewhere": _elsewhere}):
        course = _Course("join", 1, tmp_path, "elsewhere", lambda _: world.process().store(STATE))
        end = course.tick(5, 2)
        for name, each in course.kept.items():
            assert counted_rows(list(each.changes())) == counted_rows(list(course.whole[name].changes()))
            each.seal()
        end()
    assert course.names(), "they have written files"


def test_tasks_without_a_ticket_know_nothing(world: BlobWorld, tmp_path: Path) -> None:
    with (
        patch.dict(FATES, {"elsewhere": _without_ticket}),
        pytest.raises(Refused, match="locate credentials"),
    ):
        _Course("join", 1, tmp_path, "elsewhere", lambda _: world.process().store(STATE)).tick(5, 2)


def test_who_has_no_ticket_learns_nothing_and_hinders_nobody() -> None:
    access = BlobAccess(None, None, "owner", _SECRET)
    door = KeyDoor(lambda: access)
    ticket = door.ticket
    silent = socket.create_connection((ticket.host, ticket.port))
    with socket.create_connection((ticket.host, ticket.port)) as talkative:
        with contextlib.suppress(ConnectionError):
            talkative.sendall(b"x" * 1000)
    with socket.create_connection((ticket.host, ticket.port)) as curious:
        heard = b"".join(iter(lambda: curious.recv(1 << 16), b""))
    assert heard and _SECRET.encode() not in heard
    assert told_access(ticket) == access
    other = KeyDoor(lambda: None)
    assert told_access(KeyTicket(ticket.host, ticket.port, other.ticket.key)) is None, "another door's ticket"
    assert told_access(other.ticket) is None
    assert _SECRET not in repr(access) and repr(ticket.key) not in repr(ticket)
    silent.close()
    for each in (door, other):
        each.close()
    assert told_access(ticket) is None, "it is closed"
