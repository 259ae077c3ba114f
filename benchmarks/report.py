"""What was measured: a table to read now, JSON to compare later."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

RESULTS = Path("benchmarks/results")


@dataclass(frozen=True, slots=True)
class Measure:
    """`target` None: for comparison only. `at_least`: more is better."""

    name: str
    value: float
    unit: str
    target: float | None = None
    at_least: bool = True
    note: str = ""

    @property
    def reached(self) -> bool | None:
        if self.target is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target


def show(measures: Sequence[Measure]) -> None:
    table = Table(title="Headwater, measured", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("measure", "value", "target", ""):
        table.add_column(name, justify="right" if name in ("value", "target") else "left")
    for measure in measures:
        target = ""
        if measure.target is not None:
            target = f"{'>=' if measure.at_least else '<='} {_number(measure.target)} {measure.unit}"
        word = {None: "", True: "[green]reached[/]", False: "[red]missed[/]"}[measure.reached]
        table.add_row(
            measure.name, f"{_number(measure.value)} {measure.unit}", target, f"{word} {measure.note}".strip()
        )
    Console().print(table)


def save(measures: Sequence[Measure]) -> Path:
    """Writes JSON named by the time; gives its path."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC)
    path = RESULTS / f"{now:%Y%m%dT%H%M%SZ}.json"
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg()}
    document = {"at": now.isoformat(), "machine": machine, "measures": [asdict(measure) for measure in measures]}
    path.write_text(json.dumps(document, indent=2) + "\n")
    return path


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"
