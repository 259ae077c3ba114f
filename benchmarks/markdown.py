"""Results as a Markdown table, for documents.

python -m benchmarks.markdown benchmarks/results/A.json benchmarks/results/B.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.report import Measure, formatted


def as_markdown(measures: Iterable[Measure]) -> Iterator[str]:
    """Lines; what is missed is bold."""
    yield "| measure | value | target | |"
    yield "|---|---:|---:|---|"
    for measure in measures:
        value, target = formatted(measure)
        word = {None: "", True: "reached", False: "**missed**"}[measure.reached]
        note = f"{word} {measure.note}".strip().replace("|", "/")
        yield f"| {measure.name} | {value} | {target} | {note} |"


def main() -> None:
    for name in sys.argv[1:]:
        document = json.loads(Path(name).read_text())
        print(f"\n{document['at']}, load average {document['machine']['load'][0]:.1f}\n")
        print("\n".join(as_markdown(Measure(**each) for each in document["measures"])))


if __name__ == "__main__":
    main()
