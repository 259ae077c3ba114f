"""The choice of recorded queries that Spark answers in each run: few, whose plans show Spark all that all plans show.

A run without `--whole` asks a Headwater with the interpreter in Spark's place every record (`test_in_memory.py`). Spark
is asked:

    what reads a maintained view    because Spark maintains it, and nobody else would look
    records that are chosen         `by_spark.txt` holds `FILE HASH …` a line
    all records of BY_SPARK         for the reasons that stand there
    what these depend on            because they find it (`dependence.py`)

`python -m tools.choose_slt` chooses anew. What is left out shows Spark only operators, functions and frames that what
is asked shows as well (`plan_features.py`); of calls that is the type of their results, as `compute/scalars` tries each
function by itself. A test holds that this is so, but for a fiftieth.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

from compute.protocol.command import Peek
from tests.plan_features import shown_by
from tests.server.memory_server import MemoryServer, memory_server
from tests.slt.dependence import Dependence, is_refused
from tests.slt.records import Query, Record, files, parse
from tests.slt.runner import Difference, comparable, observe, own_schema

CHOSEN = Path(__file__).with_name("by_spark.txt")
BY_SPARK = {
    "endless_recursion": "the interpreter evaluates what nobody asks for, too, and would not end",
    "functions_of_statements": "selects change rows through the functions that they call",
    "lost_on_the_way": "which of equal values stands for them is another with the interpreter",
    "many_levels": "the interpreter of a server goes deeper than that of a process of tests",
    "styles": "the order of aggregates without one is another with the interpreter",
    "volatile": "waits are no part of the interpreter",
}
_MAINTAINED = re.compile(
    r"\bcreate\s+(?:or\s+replace\s+)?materialized\s+view\s+(?:if\s+not\s+exists\s+)?(\w+)", re.IGNORECASE
)
_INDEXED = re.compile(r"\bcreate\s+(?:default\s+)?(?:unique\s+)?index\b.*?\bon\s+(\w+)", re.IGNORECASE | re.DOTALL)
_VIEW = re.compile(r"\bcreate\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?view\s+(\w+)(.*)", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"\w+")
Choice = Mapping[str, frozenset[str]]
"""The hashes of the chosen queries of each file."""


def records_of(path: Path) -> list[Record]:
    """Returns the records of a file that Headwater is asked."""
    return [record for record in parse(path.read_text()) if not record.skipped]


def in_memory() -> list[Path]:
    """Returns the files that a server with the interpreter in Spark's place answers."""
    return [path for path in files() if path.stem not in BY_SPARK]


class InMemory:
    """Asks a server in memory the records of files, each file once, and keeps what their plans would show Spark."""

    def __init__(self, server: MemoryServer, peeks: list[Peek]) -> None:
        self._server = server
        self._peeks = peeks
        self._asked: dict[str, tuple[list[Difference], list[frozenset[str]]]] = {}

    def differences(self, path: Path) -> list[Difference]:
        """Returns where answers differ from what is recorded."""
        return self._ask(path)[0]

    def shown(self, path: Path) -> list[tuple[Record, frozenset[str]]]:
        """Returns what each record shows Spark: nothing, where it is answered without."""
        return list(zip(records_of(path), self._ask(path)[1], strict=True))

    def _ask(self, path: Path) -> tuple[list[Difference], list[frozenset[str]]]:
        if path.stem not in self._asked:
            differences, shown = [], []
            with self._server.connect() as connection, own_schema(connection, f"slt_{path.stem}"):
                for record in records_of(path):
                    self._peeks.clear()
                    actual = observe(connection, record)
                    if comparable(actual) != comparable(record):
                        differences.append(Difference(record, actual))
                    parts = (part for peek in self._peeks for part in (peek.relation, peek.finishing))
                    shown.append(frozenset(map(_in_short, shown_by(*parts))))
            self._asked[path.stem] = differences, shown
        return self._asked[path.stem]


def _in_short(word: str) -> str:
    """Returns what a plan shows Spark, without the name of a function that is called, and without its arguments."""
    kind, *names = word.split()
    return f"{kind} {names[1]}" if kind == "Call" else word


def asked_in_memory() -> Iterator[InMemory]:
    """Yields what asks a server of its own, which ends with it."""
    peeks: list[Peek] = []
    with memory_server(on_peek=peeks.append) as server:
        yield InMemory(server, peeks)


def maintained_names(sql: str, maintained: Set[str]) -> set[str]:
    """Returns the names of what a statement has maintained, or makes a view of what is maintained already."""
    names = {*_MAINTAINED.findall(sql), *_INDEXED.findall(sql)}
    for name, query in _VIEW.findall(sql):
        if maintained & set(_WORD.findall(query.lower())):
            names.add(name)
    return set(map(str.lower, names))


def maintained_records(records: Sequence[Record]) -> Iterator[int]:
    """Yields the numbers of the records that make what Spark maintains, and of those that read it."""
    maintained: set[str] = set()
    for number, record in enumerate(records):
        if not is_refused(record):
            maintained |= maintained_names(record.sql, maintained)
        words = set(map(str.lower, _WORD.findall(record.sql)))
        if _has_maintained(record) or (isinstance(record, Query) and maintained & words):
            yield number


def _has_maintained(record: Record) -> bool:
    """Returns whether a record makes a view or an index that Spark maintains: one that is refused makes none."""
    return not is_refused(record) and bool(_MAINTAINED.search(record.sql) or _INDEXED.search(record.sql))


def hash_of(record: Record) -> str:
    """Returns how a query is named in the choice: where in its file it stands does not matter."""
    return hashlib.sha256(record.sql.encode()).hexdigest()[:8]


def _first_of_hashes(records: Sequence[Record]) -> dict[str, int]:
    """Returns the number of the first record of each hash."""
    return {hash_of(record): number for number, record in reversed(list(enumerate(records)))}


def load_choice() -> Choice:
    """Returns the choice that is recorded."""
    lines = (line.split() for line in CHOSEN.read_text().splitlines())
    return {stem: frozenset(hashes) for stem, *hashes in lines}


def for_spark(path: Path, choice: Choice) -> list[Record]:
    """Returns the records of a file that Spark is asked in each run: none, where it is not asked the file."""
    records = records_of(path)
    if path.stem in BY_SPARK:
        return records
    firsts = _first_of_hashes(records)
    wanted = {firsts[each] for each in choice.get(path.stem, frozenset()) if each in firsts}
    kept = Dependence(records).needed(wanted | set(maintained_records(records)))
    return [records[number] for number in sorted(kept)]


def unseen(asked: InMemory, choice: Choice) -> dict[str, str]:
    """Returns what Spark is not shown by what it is asked, each with a query that shows it."""
    everything: dict[str, str] = {}
    seen: set[str] = set()
    for path in in_memory():
        kept = set(map(id_of, for_spark(path, choice)))
        for record, shown in asked.shown(path):
            everything.update(dict.fromkeys(shown, f"{path.name}:{record.line}: {record.sql}"))
            if id_of(record) in kept:
                seen |= shown
    return {each: where for each, where in everything.items() if each not in seen}


def is_stale(asked: InMemory, missing: Mapping[str, str]) -> bool:
    """Returns whether a choice leaves out more than a fiftieth of what the records show: with each change of the
    planner some plans change."""
    everything = {each for path in in_memory() for _, shown in asked.shown(path) for each in shown}
    return len(missing) * 50 > len(everything)


def id_of(record: Record) -> tuple[int, str]:
    """Returns what tells a record of a file from the others."""
    return record.line, record.sql


def choose(asked: InMemory) -> str:
    """Returns a choice as it is recorded: again and again the record that shows most of what is still to be shown; of
    several the one that fewest others have to be asked for."""
    left = set(unseen(asked, {}))
    parts = [_Part(path.stem, asked.shown(path)) for path in in_memory()]
    while left:
        gains = [(len(part.shown[number] & left), part, number) for part in parts for number in part.choosable]
        most = max(gain for gain, _, _ in gains)
        best = [(part, number) for gain, part, number in gains if gain == most]
        if not most:
            break  # what only a repeated record shows
        part, number = min(best, key=lambda each: each[0].added(each[1]))
        left -= part.take(number)
    lines = (
        (part.stem, *sorted(hash_of(part.records[number]) for number in part.taken)) for part in parts if part.taken
    )
    return "".join(f"{' '.join(line)}\n" for line in lines)


class _Part:
    """A file, while records of it are chosen."""

    def __init__(self, stem: str, asked: Sequence[tuple[Record, frozenset[str]]]) -> None:
        self.stem = stem
        self.records = [record for record, _ in asked]
        self.shown = [shown for _, shown in asked]
        self.choosable = sorted(_first_of_hashes(self.records).values())
        self.taken: set[int] = set()
        self._dependence = Dependence(self.records)
        self._maintained = frozenset(maintained_records(self.records))
        self._kept = self._dependence.needed(self._maintained)

    def added(self, number: int) -> int:
        """Returns how many more records are asked once a record is taken."""
        return len(self._with(number) - self._kept)

    def take(self, number: int) -> frozenset[str]:
        """Takes a record, and returns what all that is asked of the file shows by now."""
        self._kept = self._with(number)
        self.taken.add(number)
        return frozenset(word for each in self._kept for word in self.shown[each])

    def line(self) -> str:
        """Returns what was taken as it is recorded."""
        return " ".join([self.stem, *sorted(hash_of(self.records[number]) for number in self.taken)]) + "\n"

    def _with(self, number: int) -> frozenset[int]:
        return self._dependence.needed(self._maintained | self.taken | {number})
