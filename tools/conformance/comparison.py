"""What Headwater passes of what PostgreSQL passes, and the rest grouped by error."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_FAMILY_CHARACTERS = 150
_PG8000_MESSAGE = re.compile(r"'M': ([\"'])(.*?)\1[,}]")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one test: passed, failed or skipped; `error` is what it failed with."""

    outcome: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """Tests that PostgreSQL passes and Headwater fails with the same error."""

    error: str
    tests: Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`families`: the largest first."""

    suite: str
    goal: int | None
    baseline: int
    passed: int
    families: Sequence[Family]

    @property
    def percent(self) -> float:
        return 100.0 * self.passed / self.baseline if self.baseline else 0.0


def compare(
    suite: str, goal: int | None, postgresql: Mapping[str, Outcome], headwater: Mapping[str, Outcome]
) -> Comparison:
    """A test that did not end against Headwater counts as failed."""
    baseline = [test for test, outcome in postgresql.items() if outcome.outcome == "passed"]
    families: defaultdict[str, list[str]] = defaultdict(list)
    for test in baseline:
        ours = headwater.get(test, Outcome("failed", "did not end"))
        if ours.outcome != "passed":
            families[family_of(ours)].append(test)
    largest = sorted(families.items(), key=lambda family: (-len(family[1]), family[0]))
    failed = sum(len(tests) for tests in families.values())
    ranked = [Family(error, tests) for error, tests in largest]
    return Comparison(suite, goal, len(baseline), len(baseline) - failed, ranked)


def family_of(outcome: Outcome) -> str:
    """The error without what differs from test to test: numbers, addresses and all lines but the first."""
    if outcome.outcome == "skipped":
        return "skipped"
    message = _PG8000_MESSAGE.search(outcome.error)
    line = message[2] if message is not None else outcome.error.strip().partition("\n")[0]
    return re.sub(r"\b(0x[0-9a-f]+|\d+)\b", "N", line)[:_FAMILY_CHARACTERS]
