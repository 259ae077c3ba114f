"""The functions behind operators, by PostgreSQL's names: `int4pl(1, 2)` is `1 + 2`.

Each alias is the operator's own row under another name: every evaluator computes both alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from planner.functions.operator_codes import OPERATOR_CODES
from planner.functions.rows import type_key
from planner.functions.signature import Function

_CODE = re.compile(r"(\w+)\(([\w,]+)\)")


def types_key(row: Function) -> tuple[str, ...]:
    """Returns the names of the types that a row is declared with (pg_type.typname)."""
    return tuple(map(type_key, row.arguments))


def aliases(operators: Iterable[Function], taken: Iterable[Function]) -> list[Function]:
    """Returns rows called by name for `operators`, but for what `taken` has under that name already."""
    known = {(row.name, types_key(row)): row for row in operators}
    written = {(row.name, types_key(row)) for row in taken}
    found: list[Function] = []
    for symbol, codes in OPERATOR_CODES.items():
        for name, listed in _CODE.findall(codes):
            types = tuple(listed.split(","))
            row = known.get((symbol, types))
            if row is not None and (name, types) not in written:
                written.add((name, types))
                found.append(replace(row, name=name, form="function"))
    return found
