"""Runs the measurements and shows them; see the package."""

from __future__ import annotations

import argparse
import dataclasses
import os
import time
import traceback
from typing import Any

from benchmarks.deltas import VIEWS
from benchmarks.report import Measure, save, show
from benchmarks.sections import SECTIONS
from benchmarks.sizes import FULL, SMALL, Sizes
from benchmarks.sources.kafka import KINDS


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures Headwater, and other engines beside it.")
    parser.add_argument("--size", choices=("small", "full"), default="full")
    parser.add_argument("--only", nargs="+", choices=tuple(SECTIONS), metavar="SECTION", default=tuple(SECTIONS))
    parser.add_argument("--seconds", type=float, help="how long each rate is measured")
    for name in (
        "changes",
        "reads",
        "arranged",
        "looked_up",
        "changed_by_key",
        "branches",
        "events",
        "records",
        "written",
    ):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, help="in place of the size's own")
    for name in ("bases", "views", "rates", "record_rates", "aggregates"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, nargs="+", help="in place of the size's own")
    parser.add_argument("--reading-s", type=float, help="how long W3 reads at most")
    parser.add_argument("--delta-views", nargs="+", choices=tuple(VIEWS))
    parser.add_argument("--record-kinds", nargs="+", choices=KINDS, help="of Kafka's records")
    parser.add_argument("--peers", nargs="+", help="words of their names; one that is in no name for none")
    options = vars(parser.parse_args())
    measures: list[Measure] = []
    try:
        for name in options["only"]:
            _measure(name, _sizes(options), measures)
    except KeyboardInterrupt:
        print("ended early: what follows was measured until then")
    show(measures)
    print(f"saved as {save(measures)}; load average {os.getloadavg()[0]:.1f}")


def _sizes(options: dict[str, Any]) -> Sizes:
    sizes = SMALL if options["size"] == "small" else FULL
    names = {field.name for field in dataclasses.fields(Sizes)}
    told: dict[str, Any] = {}
    for name, value in options.items():
        if name in names and value is not None:
            told[name] = tuple(value) if isinstance(value, list) else value
    return dataclasses.replace(sizes, **told)


def _measure(name: str, sizes: Sizes, measures: list[Measure]) -> None:
    """Adds what a section measures until its end, or until it fails: that is shown too, and the others go on."""
    print(f"{name} …", flush=True)
    began = time.monotonic()
    try:
        for measure in SECTIONS[name](sizes):
            measures.append(measure)
            print(f"  {measure.name}: {measure.value} {measure.unit} {measure.note}", flush=True)
    except Exception as error:  # noqa: BLE001 - one section's failure must not cost the others' figures
        traceback.print_exc()
        measures.append(
            Measure(f"{name}: failed", 1, "", 0, at_least=False, note=(str(error) or repr(error)).splitlines()[0])
        )
    print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
