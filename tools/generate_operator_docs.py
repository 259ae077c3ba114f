"""Writes docs/operators.md from the steps of maintenance: python -m tools.generate_operator_docs."""

from __future__ import annotations

import ast
import inspect
import sys
import typing
from collections.abc import Iterator
from pathlib import Path

from compute.maintain.plan import Step

TARGET = Path("docs/operators.md")
_STAGES = Path("compute/maintain/stages")
_KERNELS = "compute.kernels."
_HEADER = """# Operators of maintained views

A view that keeps itself is a [dataflow](design/2026-11-21-incremental-maintenance.md) of the steps below, with linear
segments (filters, projections, expressions, unions) between them. `EXPLAIN MATERIALIZED VIEW v` shows the steps of a
view, and how each is maintained. This page is generated from the code: change the steps, then run
`python -m tools.generate_operator_docs`.
"""


def document() -> str:
    """The page as it has to be."""
    return "\n".join([_HEADER, *(line for step in typing.get_args(Step) for line in _section(step))]).rstrip() + "\n"


def parts_of(step: type) -> dict[str, str]:
    """Where each part of a step's operator stands: its meaning, its stage, and the kernels that the stage calls."""
    name = step.__module__.rpartition(".")[2]
    stage = _STAGES / f"{name}.py"
    return {"step": f"compute/maintain/steps/{name}.py", "stage": str(stage), "kernels": ", ".join(_kernels_of(stage))}


def _section(step: type) -> Iterator[str]:
    law, _, rest = (inspect.getdoc(sys.modules[step.__module__]) or "").partition("\n\n")
    parts = parts_of(step)
    yield f"## {step.__name__.removesuffix('Step')}"
    yield ""
    yield f"**{' '.join(law.split())}**"
    yield ""
    yield rest.strip()
    yield ""
    yield inspect.getdoc(step) or ""
    yield ""
    yield f"Meaning: `{parts['step']}`; in a tick: `{parts['stage']}`; kernels: {parts['kernels'] or 'none'}."
    yield ""


def _kernels_of(stage: Path) -> list[str]:
    imports = [node for node in ast.parse(stage.read_text()).body if isinstance(node, ast.ImportFrom)]
    names = [node.module for node in imports if node.module is not None and node.module.startswith(_KERNELS)]
    return [f"`{name.replace('.', '/')}.py`" for name in names]


if __name__ == "__main__":
    TARGET.write_text(document())
