"""Which records of a file others find something of: asked with these alone, a query answers as in the whole file.

A record needs what the names that it uses mean, and what their definitions use: a view's tables, a table's types,
what a function's body calls; and who writes rows, tables with keys that refer to these. It changes what it creates,
alters, drops or writes, and what is written through that.

    CREATE TYPE mood …                                      needed: v is a view of t, which has a mood
    CREATE TABLE t (m mood)                                 needed
    CREATE TABLE u (m mood); INSERT INTO u …                not needed
    CREATE VIEW v AS SELECT … FROM t                        needed
    INSERT INTO v …                                         needed: writes t
    SELECT … FROM v                                         asked

Names are words; where a word could mean two things, both are needed. What is refused outside of a transaction changes
nothing, settings hold for all that comes later, and a transaction is asked whole or not at all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set

from tests.slt.records import Query, Record, Statement

_BEGINS = re.compile(r"\s*(begin|start\s+transaction)\b|.*\band\s+chain\b", re.IGNORECASE | re.DOTALL)
_ENDS = re.compile(r"\s*(commit|end|abort|rollback(?!.*\bto\b)|prepare\s+transaction)\b", re.IGNORECASE | re.DOTALL)
_READS = re.compile(r"\s*\(*\s*(select|with|values|table)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(insert|update|delete|merge|into|nextval|setval|currval|lastval|set_config|for|lo_\w+|lo(?:read|write))\b",
    re.IGNORECASE,
)
_SETS = re.compile(r"\s*(set|reset|discard)\b", re.IGNORECASE)
_NAME = r'(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?((?:"[^"]+"|\w+)(?:\s*\.\s*(?:"[^"]+"|\w+))?)'
_DEFINES = re.compile(
    r"\bcreate\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unlogged|local|global|default|unique|recursive|materialized)\s+)*"
    rf"(table|view|type|domain|function|procedure|sequence|schema|index|role|user|group)\s+(?:concurrently\s+)?{_NAME}"
    rf"|^\s*(prepare|declare)\s+{_NAME}"
    rf"|\b(rename)\s+to\s+{_NAME}",
    re.IGNORECASE,
)
_WRITES = re.compile(rf"\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+{_NAME}", re.IGNORECASE)
_REFERS = re.compile(rf"\breferences\s+{_NAME}", re.IGNORECASE)
_WRITES_ROWS = re.compile(r"\s*(insert|update|delete|merge)\b", re.IGNORECASE)
_PUTS_ROWS = re.compile(r"\s*(insert|update|merge)\b", re.IGNORECASE)
_ALTERS = re.compile(r"\s*alter\b", re.IGNORECASE)
_CALLED = ("function", "procedure", "prepare")
_THROUGH = ("view", "rename", "index", *_CALLED)
"""The kinds of what changes other things when it is written, called or dropped; and an old name."""
_OF_LARGE_OBJECTS = re.compile(r"\blo_\w+|\blo(?:read|write)\b|\blarge\s+object\b|pg_largeobject", re.IGNORECASE)
_LARGE_OBJECTS = "large objects"
"""All of them under one name, since they have numbers alone; no other name has a blank without quotes."""
_NUMBERS = re.compile(r"\b(\w*serial|identity|nextval)\b", re.IGNORECASE)
_TAKES_AWAY = re.compile(r"\s*(drop|alter)\b", re.IGNORECASE)
_WORD = re.compile(r'"[^"]+"|\w+')
_GIVEN = re.compile(r"_(pkey|key|fkey|check|seq|idx|excl)\d*$")
"""How names end that are given to keys, sequences and indexes of a table, whose name they begin with."""


def is_refused(record: Record) -> bool:
    """Returns whether a record is a statement that PostgreSQL refused."""
    return isinstance(record, Statement) and record.error is not None


class Dependence:
    """What the records of one file define, use and change."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._units = list(_units(records))
        self._definitions = [dict(_definitions(record.sql)) for record in records]
        self._kinds = {name: kind for each in self._definitions for name, kind in each.items()}
        self._kinds[_LARGE_OBJECTS] = _LARGE_OBJECTS
        self._made: dict[str, list[str]] = defaultdict(list)
        self._names = [self._names_in(record.sql) for record in records]
        self._uses: dict[str, set[str]] = defaultdict(set)
        self._referring: dict[str, set[str]] = defaultdict(set)
        for number, record in enumerate(records):
            if not is_refused(record):
                changed = self._names[number] if _ALTERS.match(record.sql) else self._definitions[number]
                for name in changed:
                    self._uses[name] |= self._names[number]
                    self._made[name].append(record.sql)
                for name in _REFERS.findall(record.sql):
                    self._referring[_parts(name)[-1]] |= self._names[number].intersection(changed)
        self._used = [self._with_uses(self._with_referring(number), through=None) for number in range(len(records))]
        self._changed = [frozenset(self._changed_by(number)) for number in range(len(records))]

    def _with_referring(self, number: int) -> Set[str]:
        """Returns the names that a record has, and of tables with keys that refer to tables whose rows it writes."""
        names = set(self._names[number])
        if _WRITES_ROWS.match(self._records[number].sql):
            left = list(names)
            while left:
                more = self._referring.get(left.pop(), set()) - names
                names |= more
                left += more
        return names

    def needed(self, wanted: Set[int]) -> frozenset[int]:
        """Returns the numbers of the records that are `wanted`, with all that these find something of."""
        _, found = self._needed(wanted, frozenset())
        # What was made for a query, and then dropped, would keep what it uses from being dropped.
        return frozenset(self._needed(wanted, found)[0])

    def _needed(self, wanted: Set[int], made: Set[str]) -> tuple[set[int], set[str]]:
        """Returns the numbers of needed records, and the names that they use; what is `made` is dropped again."""
        kept: set[int] = set()
        found: set[str] = set()
        for unit in reversed(self._units):
            if wanted.isdisjoint(unit) and not (kept and any(self._matters(each, found, made) for each in unit)):
                continue
            kept.update(unit)
            found = found.union(*(self._used[number] for number in unit))
        return kept, found

    def _matters(self, number: int, found: Set[str], made: Set[str]) -> bool:
        """Returns whether a record changes what is `found` later, drops what is `made`, or sets something."""
        sql, changed = self._records[number].sql, self._changed[number]
        if not changed.isdisjoint(found) or _SETS.match(sql):
            return True
        return bool(_TAKES_AWAY.match(sql)) and not changed.isdisjoint(made)

    def _changed_by(self, number: int) -> Set[str]:
        """Returns the names of what a record changes: nothing for a read, and for what is refused."""
        record, names, defined = self._records[number], self._names[number], self._definitions[number]
        writes_rows = _WRITES_ROWS.match(record.sql)
        # For rows that were refused a sequence has moved.
        if is_refused(record) and not (_PUTS_ROWS.match(record.sql) and any(map(self._counts, names))):
            return set()
        if isinstance(record, Query) and _READS.match(record.sql) and not _CHANGES.search(record.sql):
            acting = {name for name in names if self._acts(name)}
            return self._with_uses(acting, _THROUGH)
        # What is called may write, too, and sequences move.
        called = {each for each in names if self._kinds[each] in (*_CALLED, "sequence")}
        if writes_rows:
            written = {part for name in _WRITES.findall(record.sql) for part in _parts(name)}
            names = (written & self._kinds.keys()) | called | (self._with_referring(number) - names)
        elif defined and "index" not in defined.values():
            names = defined.keys() | called
        return self._with_uses(names, _THROUGH)

    def _acts(self, name: str) -> bool:
        """Returns whether something of this name changes others when it is read or called."""
        return self._kinds[name] in _THROUGH and any(map(_CHANGES.search, self._made[name]))

    def _counts(self, name: str) -> bool:
        """Returns whether rows of this name are numbered."""
        return any(map(_NUMBERS.search, self._made[name]))

    def _with_uses(self, names: Set[str], through: Sequence[str] | None) -> Set[str]:
        """Returns `names` and what their definitions use: all of it, or through these kinds and sequences alone."""
        used = set(names)
        left = list(used)
        while left:
            name = left.pop()
            for each in self._uses.get(name, set()) - used:
                if through is None or self._kinds[name] in through or self._kinds[each] == "sequence":
                    used.add(each)
                    left.append(each)
        return used

    def _names_in(self, sql: str) -> set[str]:
        """Returns the names of the file that a statement has; a key's name is one of its table, too."""
        words = _words(sql)
        given = [word for word in words if _GIVEN.search(word)]
        tables = {name for word in given for name in self._kinds if word.startswith(f"{name}_")}
        numbered = {_LARGE_OBJECTS} if _OF_LARGE_OBJECTS.search(sql) else set()
        return tables | numbered | (words & self._kinds.keys())


def _units(records: Sequence[Record]) -> Iterator[list[int]]:
    """Yields the numbers of records that are asked together: those of one transaction, and each other one alone."""
    unit: list[int] = []
    in_transaction = False
    for number, record in enumerate(records):
        unit.append(number)
        if _BEGINS.match(record.sql):
            in_transaction = True
        elif _ENDS.match(record.sql):
            in_transaction = False
        if not in_transaction:
            yield unit
            unit = []
    if unit:
        yield unit


def _definitions(sql: str) -> Iterator[tuple[str, str]]:
    """Yields name and kind of all that a statement creates; of a name in a schema the last part."""
    for found in _DEFINES.findall(sql):
        kind, name = filter(None, found)
        yield _parts(name)[-1], kind.lower()


def _parts(name: str) -> list[str]:
    return [part.strip().strip('"').lower() for part in name.split(".")]


def _words(sql: str) -> set[str]:
    words = {word.strip('"').lower() for word in _WORD.findall(sql)}
    # What is quoted may be a text that holds SQL, too.
    return words | set(map(str.lower, re.findall(r"\w+", sql)))
