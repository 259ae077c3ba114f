"""Writes planner/functions/operator_codes.py: what the judge's PostgreSQL 16 calls the functions behind the operators
that Headwater has.

Run it from the repository root after a change to operators: `.venv/bin/python -m tools.generate_operator_codes`.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from planner.functions.operator_aliases import types_key
from planner.functions.registry import OPERATORS
from tests.judge import run_judge

_HEADER = '''"""The functions behind operators: to an operator's symbol the names, each with the types of its arguments
(pg_operator.oprcode). Written by tools/generate_operator_codes.py; not edited by hand."""

OPERATOR_CODES: dict[str, str] = {
'''
_WIDENED = ({"int2", "int4", "int8"}, {"float4", "float8"})
_OPERATORS = """
SELECT o.oprname, p.proname, array_remove(ARRAY[l.typname, r.typname], NULL)::text[]
FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode
LEFT JOIN pg_type l ON l.oid = o.oprleft
LEFT JOIN pg_type r ON r.oid = o.oprright
WHERE p.provariadic = 0
ORDER BY 1, 2, 3
"""


def _widened(types: Sequence[str]) -> tuple[str, ...]:
    """Numbers of two types as the planner casts them for an operator, which has rows for equal types alone."""
    for family in _WIDENED:
        if family.issuperset(types):
            return (max(types, key=lambda name: int(name[-1])),) * len(types)
    return ()


def main() -> None:
    known = {(row.name, types_key(row)) for row in OPERATORS}
    found: dict[str, list[str]] = defaultdict(list)
    with run_judge() as judge, judge.connect() as connection:
        for symbol, name, types in connection.execute(_OPERATORS):
            assert isinstance(types, list)
            taken = next((each for each in (tuple(types), _widened(types)) if (symbol, each) in known), None)
            if taken is not None:
                found[str(symbol)].append(f"{name}({','.join(taken)})")
    entries = []
    for symbol, names in found.items():
        lines = textwrap.wrap(" ".join(names), 108, break_on_hyphens=False)
        body = ' "\n        "'.join(lines)
        entries.append(f'    "{symbol}": (\n        "{body}"\n    ),\n')
    Path("planner/functions/operator_codes.py").write_text(_HEADER + "".join(entries) + "}\n")


if __name__ == "__main__":
    main()
