"""Flat projections: what an expression uses twice is a column of a projection below, never repeated text.

Nested text would double with each fallible node (the value and the error both need the operands).
"""

from __future__ import annotations

from dataclasses import replace

from compute.scalars.spark_sql import Sql, calls_python
from compute.scalars.value import Value

_MANY_LEVELS = 5
_APART = "apart"


class Layers:
    """The projections under one select. With `inline` there are none: a join's condition has no place for
    projections."""

    def __init__(self, inline: bool = False) -> None:
        self._levels: list[dict[Sql, str]] = []
        self._count = 0
        self._inline = inline

    def once(self, value: Value) -> Value:
        """Names the value and its error in a projection."""
        if self._inline:
            return replace(value, simple=True)
        if value.simple and value.error is None:
            return value
        level = value.level
        error = value.error
        if error is not None and not error.sql.isidentifier():
            error = replace(error, sql=self._name(error.sql, level))
        sql = value.sql if value.simple else self._name(value.sql, level)
        return replace(value, sql=sql, error=error, level=level + 1, simple=True)

    def once_all(self, *values: Value) -> tuple[Value, ...]:
        return tuple(map(self.once, values))

    def name(self, sql: Sql, level: int) -> tuple[Sql, int]:
        """Returns an expression over columns of `level` under a name, and the level from which the name can be used."""
        return (sql, level) if self._inline else (self._name(sql, level), level + 1)

    def _name(self, sql: Sql, level: int) -> Sql:
        for names in self._levels[: level + 1]:
            if sql in names:
                return Sql(names[sql])
        while len(self._levels) <= level:
            self._levels.append({})
        name = f"t{self._count}"
        self._count += 1
        self._levels[level][sql] = name
        return Sql(name)

    @property
    def count(self) -> int:
        """Returns the number of projections."""
        return len(self._levels)

    def over(self, source: Sql) -> Sql:
        """Returns `source` (a FROM item) with the projections above, for FROM.

        Spark's optimizer takes the projections between two calls of Python for one, so that Python is called once, with
        their expressions in place of the columns. What is called returns a value and an error, though, which never
        pass from one call to the next unread: the text would only double. A condition that no rule moves lies between.
        """
        python = calls_python(source)
        for level, names in enumerate(self._levels):
            if names:
                named = ", ".join(f"{sql} AS {name}" for sql, name in names.items())
                if calls_python(Sql(named)):
                    source = Sql(f"({_set_apart(source, level)})") if python else source
                    python = True
                source = Sql(f"(SELECT *, {named} FROM {source})")
        return source

    def deep(self, below: int) -> bool:
        """Tells whether projections, with those `below` them, are too many for a condition to be moved beneath them."""
        return below + len(self._levels) >= _MANY_LEVELS

    def filtered(self, source: Sql, condition: Sql, below: int = 0) -> tuple[Sql, Sql]:
        """Returns the texts for FROM and WHERE; `source` ends in so many projections `below` these.

        Spark's optimizer moves a condition below projections, with their expressions in place of the columns: text that
        doubles with each level, until planning never ends. A projection of a non-deterministic expression stops it.
        """
        if not self.deep(below):
            return self.over(source), condition
        source = self.over(source)
        level = len(self._levels)
        return _numbered(source, level), Sql(f"{_APART}{level} >= 0 AND ({condition})")


def _numbered(source: Sql, level: int) -> Sql:
    """Adds a column that is no function of the others, under a name of its own at each level."""
    return Sql(f"(SELECT *, monotonically_increasing_id() AS {_APART}{level} FROM {source})")


def _set_apart(source: Sql, level: int) -> Sql:
    """Selects all rows of `source` in a way that keeps projections above and below from becoming one."""
    return Sql(f"SELECT * FROM {_numbered(source, level)} WHERE {_APART}{level} >= 0")
