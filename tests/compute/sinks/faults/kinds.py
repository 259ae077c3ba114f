"""Which of the accounts' modes shows most where, destinations of each kind, and a case on one of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from model.external.sinks import SinkEnvelope
from tests.compute.sinks.faults.accounts import LEDGER, Mode
from tests.compute.sinks.faults.cases import CASES, Case
from tests.compute.sinks.faults.defects import Sound
from tests.compute.sinks.faults.trial import Kind, Reached, tried
from tests.connectors.sinks.kinds import made
from tests.connectors.sinks.receiver import receiving
from tests.connectors.sinks.topics import topic_destination
from tests.kafka_broker import KafkaBroker

_LOCKING = Kind(Mode.SUMS, waits_unbegun=True)
_SUMS, _CHANGES = Kind(Mode.SUMS), Kind(Mode.CHANGES)
_LATE = Kind(Mode.CHANGES, looked_at=False)
KINDS = {
    "sqlite": _LOCKING,
    "postgres": _LOCKING,
    "mysql": _LOCKING,
    "connector": _LOCKING,
    "redis": _SUMS,
    "delta": _SUMS,
    "delta-bucket": _SUMS,
    "iceberg": _SUMS,
    "redis-stream": _CHANGES,
    "dynamodb": Kind(Mode.CHANGES, keyed=True),
    "opensearch": Kind(Mode.CHANGES, keyed=True),
    "kafka": _LATE,
    "parquet": _CHANGES,
    "csv": _CHANGES,
    "json": _CHANGES,
    "bucket": _CHANGES,
    "webhook": _LATE,
}
"""A sum shows what was counted twice, a log what is there twice; of a topic it takes long to read it, and a webhook's
reader finds parts."""


@contextmanager
def reached(kind: str, directory: Path, request: pytest.FixtureRequest) -> Iterator[Reached]:
    """A destination of a kind."""
    if kind == "kafka":
        broker: KafkaBroker = request.getfixturevalue("broker")
        with closing(topic_destination(broker, SinkEnvelope.CHANGES, LEDGER)) as topic:
            yield topic
    elif kind == "webhook":
        with receiving(LEDGER) as receiver:
            yield receiver
    else:
        with closing(made(kind, directory, request, LEDGER)) as destination:
            yield destination


def parametrize_cases(metafunc: pytest.Metafunc, kinds: Callable[[Case], Iterable[str]]) -> None:
    """Gives a test cases, each on these kinds: with `--whole` all of them, else those that every run tries."""
    whole = metafunc.config.getoption("--whole")
    pairs = ((case, kind) for case in CASES for kind in kinds(case) if whole or case.tried_each_time(kind))
    params = [pytest.param(case, kind, id=f"{case.number}-{kind}") for case, kind in pairs]
    metafunc.parametrize(("case", "kind"), params)


_names = itertools.count()


def run_case(
    case: Case, kind: str, directory: Path, request: pytest.FixtureRequest, defect: type[Sound], ranges: int = 1
) -> None:
    """Tries a case on a destination of a kind, with drivers that have a defect. AssertionError where it shows."""
    with reached(kind, directory, request) as destination:
        tried(KINDS[kind], destination, next_name(), case.work, defect, parallelism=ranges)


def next_name() -> str:
    """Returns the name of a sink that no other has had."""
    return f"faults-{next(_names)}"
