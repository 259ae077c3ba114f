"""Lists what Headwater lacks of PostgreSQL 16's functions and operators: python -m tools.list_missing [FAMILY …].

A function counts as missing when a call with exactly its argument types finds no overload here, or one with another
result type. What PostgreSQL keeps for itself (support of types, casts, operators, aggregates, indexes) is left out.
Without families, a summary; a family's name lists what it lacks.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psycopg

from model.types.scalar_type import INT4, ScalarType, TypeName, array_of, type_from_oid
from planner.functions.registry import (
    aggregates_named,
    functions_named,
    operators_named,
    table_functions_named,
    window_functions_named,
)
from planner.functions.session_functions import SESSION_FUNCTIONS
from planner.functions.signature import AggregateFunction, Function, TableFunction, WindowFunction
from planner.types.resolution import Ambiguous, candidates_for, resolve
from tests.judge import run_judge

_FUNCTIONS = """
SELECT p.proname::text, p.proargtypes::oid[]::int8[],
  (SELECT coalesce(array_agg(t.typname::text ORDER BY n), '{}')
   FROM unnest(p.proargtypes) WITH ORDINALITY a(o, n) JOIN pg_type t ON t.oid = a.o),
  r.oid::int8, r.typname::text, p.prokind::text
FROM pg_proc p JOIN pg_type r ON r.oid = p.prorettype
WHERE p.pronamespace = 'pg_catalog'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_operator o WHERE p.oid IN (o.oprcode, o.oprrest, o.oprjoin))
  AND NOT EXISTS (SELECT FROM pg_cast WHERE castfunc = p.oid)
  AND NOT EXISTS (SELECT FROM pg_type
    WHERE p.oid IN (typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typsubscript))
  AND NOT EXISTS (SELECT FROM pg_aggregate
    WHERE p.oid IN (aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn,
                    aggmfinalfn))
  AND NOT EXISTS (SELECT FROM pg_amproc WHERE amproc = p.oid)
  AND NOT EXISTS (SELECT FROM pg_conversion WHERE conproc = p.oid)
ORDER BY 1, 3
"""
_OPERATORS = """
SELECT o.oprname::text, array_remove(ARRAY[nullif(o.oprleft, 0), o.oprright], NULL)::int8[],
  array_remove(ARRAY[l.typname::text, r.typname::text], NULL), t.oid::int8, t.typname::text
FROM pg_operator o LEFT JOIN pg_type l ON l.oid = o.oprleft JOIN pg_type r ON r.oid = o.oprright
  JOIN pg_type t ON t.oid = o.oprresult
ORDER BY 1, 3
"""
# The first that matches the names of the types, or the function's own, is the family.
_FAMILIES: tuple[tuple[str, str], ...] = (
    ("internal", r"\b(internal|trigger|event_trigger|\w*_handler|cstring|pg_ddl_command)\b"),
    ("text search", r"\b(_?g?ts(query|vector)|regconfig|regdictionary|ts_\w+|get_current_ts_config)\b"),
    ("xml", r"xml|xpath"),
    ("geometry", r"\b(_?(point|path|box|circle|lseg|polygon|line)|(is|pg_is)?(horizontal|vertical|parallel|perp))\b"),
    ("network", r"\b_?(inet|cidr|macaddr8?|inet_\w+)\b"),
    ("ranges", r"range"),
    ("bit strings", r"\b_?(bit|varbit)\b"),
    ("money", r"\b_?money\b"),
    ("enum", r"enum"),
    ("timetz", r"\b_?timetz\b"),
    ("jsonpath", r"jsonpath"),
    ("window", r"^window$"),
    ("replication and WAL", r"pg_lsn|wal|replica|logical|recovery|backup|slot|snapshot|standby|promote|xlog"),
    ("statistics", r"pg_stat|statistic|mcv"),
    ("large objects and files", r"^(lo_|lo(read|write)|be_lo)|_file|pg_ls_|logfile"),
    ("sequences and locks", r"nextval|currval|lastval|setval|sequence|advisory"),
    ("storage and upgrade", r"binary_upgrade|brin|gin_|\btid\b|\bxid8?\b|\bcid\b|txid|xact|multixact|mxid|aclitem"),
    ("json", r"json"),
    ("arrays", r"array|\b_\w+"),
    ("dates and times", r"\b(date|time|timestamp|timestamptz|interval)\b"),
    ("system information", r"^(pg_|has_|to_reg|current_|inet_|row_security)|\breg\w+|\boid\b"),
    ("numbers", r"\b(int2|int4|int8|float4|float8|numeric)\b"),
    ("strings", r"\b(text|name|char|bpchar|varchar|bytea)\b"),
)
_POLYMORPHIC = re.compile(r"any")
_STAND_INS = {
    **dict.fromkeys(("any", "anyelement", "anynonarray", "anycompatible", "anycompatiblenonarray"), INT4),
    **dict.fromkeys(("anyarray", "anycompatiblearray"), array_of(INT4)),
}

Overload = Function | TableFunction | AggregateFunction | WindowFunction


@dataclass(frozen=True, slots=True)
class Wanted:
    """A function or operator of PostgreSQL; `types` are None where Headwater doesn't hold the type."""

    name: str
    names: tuple[str, ...]
    types: tuple[ScalarType | None, ...]
    result: str
    result_type: ScalarType | None
    family: str
    operator: bool

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.names)}) → {self.result}"


def _type(oid: int, name: str) -> ScalarType | None:
    return _STAND_INS.get(name) or type_from_oid(oid)


def _family(name: str, names: Sequence[str], result: str, kind: str) -> str:
    for family, pattern in _FAMILIES:
        if any(re.search(pattern, text) for text in (name, " ".join(names), result, {"w": "window"}.get(kind, ""))):
            return family
    return "other"


def wanted(connection: psycopg.Connection[tuple[object, ...]]) -> Iterator[Wanted]:
    """All that PostgreSQL offers to users."""
    for query, operator in ((_FUNCTIONS, False), (_OPERATORS, True)):
        for row in connection.execute(query.encode()).fetchall():
            name, oids, names, oid, result, *kind = row
            assert isinstance(oids, list) and isinstance(names, list) and isinstance(oid, int)
            types = tuple(_type(*pair) for pair in zip(oids, names, strict=True))
            family = _family(str(name), names, str(result), str(kind[0]) if kind else "")
            yield Wanted(str(name), tuple(names), types, str(result), _type(oid, str(result)), family, operator)


def _overloads(item: Wanted) -> tuple[Overload, ...]:
    if item.operator:
        return operators_named(item.name)
    name = item.name
    return (
        *functions_named(name),
        *aggregates_named(name),
        *table_functions_named(name),
        *window_functions_named(name),
    )


def held(item: Wanted) -> bool:
    """Whether a call with these types resolves here, to the same result type where that depends on no argument's."""
    if item.name in SESSION_FUNCTIONS and not item.types:
        return True
    types = [type_ for type_ in item.types if type_ is not None]
    if len(types) < len(item.types):
        return False
    try:
        candidate = resolve(candidates_for(_overloads(item), len(types)), types)
    except Ambiguous:
        return False
    if candidate is None:
        return False
    result = candidate.overload.result
    if isinstance(candidate.overload, TableFunction) or not isinstance(result, ScalarType):
        return True
    return result == item.result_type or bool(_POLYMORPHIC.match(item.result)) or result.name is TypeName.RECORD


def main(families: list[str]) -> None:
    """Prints how many of each family are missing, or which."""
    every: dict[str, list[Wanted]] = defaultdict(list)
    with run_judge() as judge, judge.connect() as connection:
        for item in wanted(connection):
            every[item.family].append(item)
    for family, items in sorted(every.items()):
        missing = [item for item in items if not held(item)]
        if family in families:
            print(family, *missing, sep="\n  ")
        elif not families:
            print(f"{family:24} {len(missing):5} missing of {len(items):5}")


if __name__ == "__main__":
    main(sys.argv[1:])
