"""Queries drawn at random, as text that PostgreSQL takes too: typed, of every operator, each answer determined.

They read the tables of TABLES. Where SQL leaves an answer open (which of tied rows a LIMIT takes, say) the query orders
by all columns, so that the rows that tie are alike.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

TABLES = (
    "CREATE TABLE l (id int8, k int8, v int8, s text)",
    "CREATE TABLE r (id int8, k int8, v int8, s text)",
)
COLUMNS = ("id", "k", "v", "s")


class Kind(Enum):
    """What an expression gives: the only types there are here."""

    NUMBER = "int8"
    REAL = "float8"
    TEXT = "text"
    TRUTH = "bool"


@dataclass(frozen=True, slots=True)
class Column:
    """How an expression names it, and what it holds."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Relation:
    """A SELECT and the kinds of its columns, whose names are c0, c1, …"""

    sql: str
    kinds: tuple[Kind, ...]

    def columns(self, alias: str) -> tuple[Column, ...]:
        return tuple(Column(f"{alias}.c{index}", kind) for index, kind in enumerate(self.kinds))


Scope = Sequence[Column]
COLUMN_KINDS = (Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.TEXT)
"""What COLUMNS hold."""
REALS = ("-0.1", "0.5", "-100.1", "50.3", "-1e300", "1e308", "5e-324", "-2.5", "NaN", "-Infinity", "1e16")
"""No zero of either sign: they are equal, and SQL does not say which of them a group shows."""
_JOINS = ("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")
_SET_OPERATIONS = ("UNION", "UNION ALL", "EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL")
_ORDERS = ("", " DESC", " NULLS FIRST", " DESC NULLS LAST")


def literal(dice: random.Random, kind: Kind) -> str:
    """A constant of the kind, NULL among them; few different ones, so that rows meet."""
    if dice.random() < 0.15:
        return f"NULL::{kind.value}"
    match kind:
        case Kind.NUMBER:
            return f"int8 '{dice.choice((-1, 0, 1, 1, 2, 3, 5))}'"
        case Kind.REAL:
            return f"float8 '{dice.choice(REALS)}'"
        case Kind.TEXT:
            return f"text '{dice.choice(('', 'a', 'b', 'ab', 'B', 'é'))}'"
        case Kind.TRUTH:
            return dice.choice(("true", "false"))


def insertions(dice: random.Random, rows: int) -> Iterator[str]:
    """An INSERT of random rows into each of the tables."""
    for name in "lr":
        values = (", ".join(literal(dice, kind) for kind in COLUMN_KINDS) for _ in range(rows))
        yield f"INSERT INTO {name} VALUES {', '.join(f'({row})' for row in values)}"


class Queries:
    """Draws relations; each has a few columns and at most `depth` operators over one another."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._aliases = self._numbered()

    @staticmethod
    def _numbered() -> Iterator[str]:
        number = 0
        while True:
            number += 1
            yield f"q{number}"

    def relation(self, depth: int) -> Relation:
        if depth <= 0:
            return self._table()
        operators: tuple[Callable[[int], Relation], ...] = (
            self._filtered,
            self._joined,
            self._joined,
            self._chosen_by_others,
            self._grouped,
            self._grouped,
            self._grouping_sets,
            self._distinct,
            self._combined,
            self._first,
            self._first_of_each,
            self._windowed,
            self._lateral,
            self._series,
            self._unnested,
            self._with_scalar_subquery,
        )
        return self._dice.choice(operators)(depth - 1)

    # Relations

    def _table(self) -> Relation:
        alias, table = next(self._aliases), self._dice.choice("lr")
        names = self._dice.sample(range(4), self._dice.randint(2, 4))
        listed = ", ".join(f"{alias}.{COLUMNS[name]} AS c{index}" for index, name in enumerate(names))
        return Relation(f"SELECT {listed} FROM {table} {alias}", tuple(COLUMN_KINDS[name] for name in names))

    def _input(self, depth: int) -> tuple[str, tuple[Column, ...]]:
        """A FROM item and the columns that it brings."""
        alias, relation = next(self._aliases), self.relation(depth)
        return f"({relation.sql}) {alias}", relation.columns(alias)

    def _select(self, columns: Scope, tail: str, word: str = "SELECT") -> Relation:
        """Some columns and expressions over them."""
        values = [self._value(columns) for _ in range(self._dice.randint(1, 3))]
        return _listed(word, values, tail)

    def _value(self, scope: Scope) -> Column:
        if self._dice.random() < 0.6:
            return self._dice.choice(scope)
        kind = self._dice.choice(tuple(Kind))
        return Column(self.expression(kind, scope, 2), kind)

    def _filtered(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        return self._select(columns, f"FROM {source} WHERE {self.expression(Kind.TRUTH, columns, 2)}")

    def _joined(self, depth: int) -> Relation:
        (left, ours), (right, theirs) = self._input(depth), self._input(depth - self._dice.randrange(2))
        condition = self._pair(ours, theirs)
        join = self._dice.choice(_JOINS)
        if self._dice.random() < 0.3 and join != "FULL JOIN":
            condition += f" AND {self.expression(Kind.TRUTH, (*ours, *theirs), 1)}"
        return self._select((*ours, *theirs), f"FROM {left} {join} {right} ON {condition}")

    def _pair(self, ours: Scope, theirs: Scope) -> str:
        """An equality of a column of each side."""
        pairs = [(one.name, other.name) for one in ours for other in theirs if one.kind == other.kind]
        if not pairs:
            return f"{ours[0].name}::text = {theirs[0].name}::text"
        return "{} = {}".format(*self._dice.choice(pairs))

    def _chosen_by_others(self, depth: int) -> Relation:
        (source, ours), (other, theirs) = self._input(depth), self._input(depth - 1)
        no = self._dice.choice(("", "NOT "))
        if self._dice.random() < 0.5:
            condition = f"{no}EXISTS (SELECT FROM {other} WHERE {self._pair(ours, theirs)})"
        else:
            column = self._dice.choice(theirs)
            tested = self.expression(column.kind, ours, 1)
            condition = f"{tested} {no}IN (SELECT {column.name} FROM {other})"
        return self._select(ours, f"FROM {source} WHERE {condition}")

    def _grouped(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        keys = self._dice.sample(columns, self._dice.randrange(min(len(columns), 2) + 1))
        values = [*keys, *(self._aggregate(columns) for _ in range(self._dice.randint(1, 3)))]
        by = f" GROUP BY {', '.join(key.name for key in keys)}" if keys else ""
        having = f" HAVING {self._aggregate(columns, Kind.NUMBER).name} > 1" if self._dice.random() < 0.2 else ""
        return _listed("SELECT", values, f"FROM {source}{by}{having}")

    def _grouping_sets(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        keys = self._dice.sample(columns, min(len(columns), 2))
        names = ", ".join(key.name for key in keys)
        sets = self._dice.choice((f"ROLLUP ({names})", f"CUBE ({names})", f"GROUPING SETS (({names}), ())"))
        return _listed("SELECT", [*keys, self._aggregate(columns)], f"FROM {source} GROUP BY {sets}")

    def _distinct(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        return self._select(columns, f"FROM {source}", "SELECT DISTINCT")

    def _combined(self, depth: int) -> Relation:
        one = self.relation(depth)
        source, columns = self._input(depth - 1)
        same = [self.expression(kind, columns, 1) for kind in one.kinds]
        other = _listed("SELECT", list(map(Column, same, one.kinds)), f"FROM {source}")
        return Relation(f"({one.sql}) {self._dice.choice(_SET_OPERATIONS)} ({other.sql})", one.kinds)

    def _ordered(self, columns: Scope) -> str:
        """ORDER BY all of them: rows that tie are alike."""
        shuffled = self._dice.sample(columns, len(columns))
        return ", ".join(column.name + self._dice.choice(_ORDERS) for column in shuffled)

    def _first(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        skipped = self._dice.choice(("", "", f" OFFSET {self._dice.randrange(3)}"))
        tail = f"FROM {source} ORDER BY {self._ordered(columns)} LIMIT {self._dice.randint(1, 4)}{skipped}"
        return _listed("SELECT", columns, tail)

    def _first_of_each(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        key = self._dice.choice(columns).name
        tail = f"FROM {source} ORDER BY {key}, {self._ordered(columns)}"
        return _listed(f"SELECT DISTINCT ON ({key})", columns, tail)

    def _windowed(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        number = self.expression(Kind.NUMBER, columns, 1)
        calls = ("row_number()", "rank()", "dense_rank()", f"lag({number})", f"sum({number})", "count(*)")
        key = self._dice.choice((f"PARTITION BY {self._dice.choice(columns).name} ", ""))
        call = f"({self._dice.choice(calls)} OVER ({key}ORDER BY {self._ordered(columns)}))::int8"
        return _listed("SELECT", [*columns, Column(call, Kind.NUMBER)], f"FROM {source}")

    def _lateral(self, depth: int) -> Relation:
        (source, ours), (other, theirs) = self._input(depth), self._input(depth - 1)
        alias = next(self._aliases)
        chosen = _listed(
            "SELECT",
            theirs,
            f"FROM {other} WHERE {self._pair(ours, theirs)} ORDER BY {self._ordered(theirs)} LIMIT 2",
        )
        join = self._dice.choice(("JOIN", "LEFT JOIN"))
        return self._select(
            (*ours, *chosen.columns(alias)), f"FROM {source} {join} LATERAL ({chosen.sql}) {alias} ON true"
        )

    def _series(self, depth: int) -> Relation:
        source, columns = self._input(depth)
        alias = next(self._aliases)
        bound = self.expression(Kind.NUMBER, columns, 1)
        tail = f"FROM {source}, generate_series(1, least({bound}, 3)) {alias} (c0)"
        return self._select((*columns, Column(f"{alias}.c0", Kind.NUMBER)), tail)

    def _unnested(self, depth: int) -> Relation:
        """A row for each item, of which some are NULL; none for an empty array, or for none at all."""
        source, columns = self._input(depth)
        alias, kind = next(self._aliases), self._dice.choice(tuple(Kind))
        items = ", ".join(self.expression(kind, columns, 1) for _ in range(self._dice.randrange(3)))
        array = f"ARRAY[NULL{', ' if items else ''}{items}]::{kind.value}[]"
        array = self._dice.choice(
            (array, array, f"CASE WHEN {self.expression(Kind.TRUTH, columns, 1)} THEN {array} END")
        )
        tail = f"FROM {source} {self._dice.choice(('CROSS JOIN', 'CROSS JOIN LATERAL'))} unnest({array}) {alias} (c0)"
        return self._select((*columns, Column(f"{alias}.c0", kind)), tail)

    def _with_scalar_subquery(self, depth: int) -> Relation:
        (source, ours), (other, theirs) = self._input(depth), self._input(depth - 1)
        value = self._aggregate(theirs)
        subquery = f"(SELECT {value.name} FROM {other} WHERE {self._pair(ours, theirs)})"
        return _listed("SELECT", [*ours, Column(subquery, value.kind)], f"FROM {source}")

    # Expressions

    def _aggregate(self, scope: Scope, kind: Kind | None = None) -> Column:
        kind = kind or self._dice.choice(tuple(Kind))
        value = self.expression(kind, scope, 1)
        some = self.expression(Kind.TRUTH, scope, 1)
        condition = self._dice.choice(("", "", f" FILTER (WHERE {some})"))
        distinct = self._dice.choice(("", "DISTINCT "))
        calls: tuple[str, ...]
        match kind:
            case Kind.NUMBER:
                calls = (
                    f"count(*){condition}",
                    f"count({distinct}{self._dice.choice(scope).name}){condition}",
                    f"(sum({distinct}{value}){condition})::int8",
                    f"min({distinct}{value}){condition}",
                    f"max({distinct}{value}){condition}",
                    f"array_length(array_agg({distinct}{value}){condition}, 1)::int8",
                    f"bit_and({distinct}{value}){condition}",
                    f"trunc(avg({distinct}{value}){condition})::int8",
                    f"bit_xor({distinct}{value}){condition}",
                    f"bit_or({distinct}{value}){condition}",
                )
            case Kind.REAL:
                # PostgreSQL's sums depend on the order of rows, but for numbers as round as these.
                halves = f"({self.expression(Kind.NUMBER, scope, 1)} / 2::float8 - 1000)"
                calls = (
                    f"min({distinct}{value}){condition}",
                    f"max({distinct}{value}){condition}",
                    f"sum({distinct}{halves}){condition}",
                    f"avg({distinct}{halves}){condition}",
                )
            case Kind.TEXT:
                calls = (
                    f"min({distinct}{value}){condition}",
                    f"array_to_string(array_agg({distinct}{value} ORDER BY {value}){condition}, ',', '-')",
                    f"string_agg({distinct}{value}, ',' ORDER BY {value}){condition}",
                    f"max({distinct}{value}){condition}",
                )
            case Kind.TRUTH:
                calls = tuple(f"{word}({distinct}{value}){condition}" for word in ("bool_and", "bool_or", "every"))
        return Column(self._dice.choice(calls), kind)

    def expression(self, kind: Kind, scope: Scope, depth: int) -> str:
        """An expression over the scope's columns."""
        names = [column.name for column in scope if column.kind == kind]
        if depth <= 0 or self._dice.random() < 0.3:
            return self._dice.choice([*names, *names, *names, literal(self._dice, kind)])

        def a(of: Kind) -> str:
            return self.expression(of, scope, depth - 1)

        forms: tuple[str, ...]
        match kind:
            case Kind.NUMBER:
                number, other = a(Kind.NUMBER), a(Kind.NUMBER)
                forms = (
                    f"({number} + {other})",
                    f"({number} - {other})",
                    f"(({number} % 11) * ({other} % 11))",
                    f"coalesce({number}, {other})",
                    f"nullif({number}, {other})",
                    f"greatest({number}, {other})",
                    f"({number} / nullif({other}, 0))",
                    f"length({a(Kind.TEXT)})::int8",
                    f"CASE WHEN {a(Kind.TRUTH)} THEN {number} ELSE {other} END",
                )
            case Kind.REAL:
                real, half = a(Kind.REAL), f"({a(Kind.NUMBER)} - 0.5)::float8"
                forms = (
                    half,
                    f"least({real}, {half})",
                    f"(abs({real}) + 1)",
                    f"coalesce({real}, {half})",
                    f"({half} * -0.1::float8)",
                    f"CASE WHEN {a(Kind.TRUTH)} THEN {real} ELSE {half} END",
                )
            case Kind.TEXT:
                text, suffix = a(Kind.TEXT), a(Kind.TEXT)
                forms = (
                    f"upper({text})",
                    f"substr({text} || {suffix}, 1, 4)",
                    f"coalesce({text}, {suffix})",
                    f"{a(Kind.NUMBER)}::text",
                    f"CASE WHEN {a(Kind.TRUTH)} THEN {text} ELSE {suffix} END",
                )
            case Kind.TRUTH:
                of = self._dice.choice(tuple(Kind))
                value, other = a(of), a(of)
                forms = (
                    f"({value} {self._dice.choice(('=', '<>', '<', '<=', '>', '>='))} {other})",
                    f"({value} IS {self._dice.choice(('', 'NOT '))}DISTINCT FROM {other})",
                    f"({value} IS {self._dice.choice(('', 'NOT '))}NULL)",
                    f"({a(Kind.TRUTH)} {self._dice.choice(('AND', 'OR'))} {a(Kind.TRUTH)})",
                    f"(NOT {a(Kind.TRUTH)})",
                    f"({value} IN ({other}, {literal(self._dice, of)}))",
                    f"({a(Kind.TEXT)} LIKE 'a%')",
                )
        return self._dice.choice(forms)


def _listed(word: str, values: Sequence[Column], tail: str) -> Relation:
    listed = ", ".join(f"{value.name} AS c{index}" for index, value in enumerate(values))
    return Relation(f"{word} {listed} {tail}", tuple(value.kind for value in values))
