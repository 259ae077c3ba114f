"""Load generators, as sources."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from connectors.gauge import NUMBERED, OFFSET, Gauge
from connectors.sources.description import Generated
from connectors.system import InstalledSource, SystemSource
from connectors.upstream import Arrived, UpstreamReader
from model.external.generators import GeneratorKind, LoadGenerator
from model.time.clock import Clock


def _stored(generator: LoadGenerator) -> dict[str, Any]:
    options = [list(each) for each in generator.options]
    return {"kind": generator.kind.value, "tick_ms": generator.tick_ms, "seed": generator.seed, "options": options}


def _restored(stored: Mapping[str, Any]) -> LoadGenerator:
    options = tuple((name, number) for name, number in stored["options"])
    return LoadGenerator(GeneratorKind(stored["kind"]), stored["tick_ms"], stored["seed"], options)


def _place(generator: LoadGenerator, _installed: InstalledSource) -> Generated:
    return Generated(generator)


def _open(
    place: Generated, _settings: Mapping[str, str], clock: Clock, _arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.generators.reader import GeneratorReader

    return GeneratorReader(place.generator, clock)


SOURCE = SystemSource(
    name="LOAD GENERATOR",
    kind="load-generator",
    gauge=Gauge(NUMBERED, OFFSET, alone=True),
    places=(LoadGenerator, Generated),
    stored=_stored,
    restored=_restored,
    stored_as="generator",
    place=_place,
    open=_open,
)
