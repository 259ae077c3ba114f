"""Random calls of the rows of the function table, as SQL, with arguments from pools of awkward values."""

from __future__ import annotations

import random
from collections.abc import Iterator

from model.types.scalar_type import ScalarType
from planner.functions.registry import FUNCTIONS
from planner.functions.rows import type_key
from planner.functions.search import trigram_rows
from planner.functions.signature import Function, Volatility
from planner.functions.text import hashing

POOLS: dict[str, tuple[str, ...]] = {
    "bool": ("true", "false"),
    "int2": ("0", "1", "-1", "7", "-3", "32767", "-32768"),
    "int4": ("0", "1", "-1", "2", "-2", "7", "100", "2147483647", "-2147483647"),
    "int8": ("0", "1", "-1", "3", "-17", "9223372036854775807", "-9223372036854775808"),
    "float4": ("0", "1.5", "-2.5", "nan", "1e30", "0.1", "-0.5"),
    "float8": ("0", "1.5", "-2.5", "0.1", "nan", "1e300", "-0.5", "3", "45", "1e-300"),
    "numeric": ("0", "1.5", "-2.5", "123.456", "-0.005", "nan", "99999999999", "2", "0.1", "10"),
    "text": ("", "abc", "a b", "ABC", "a,b,c", "12", "é", "b", "%b%", "a_c", "it's", "  pad ", "hex", "day", "UTC"),
    "varchar": ("ab", "", "Abc"),
    "bpchar": ("ab", "a", "", "a ", " b  ", "  "),
    "name": ("abc", "Xy"),
    "bytea": ("\\x", "\\x616263", "\\x00ff", "abc"),
    "date": ("2020-02-29", "1999-12-31", "2024-07-04"),
    "time": ("00:00", "23:59:59.999999", "12:34:56.5", "24:00"),
    "timetz": ("00:00+00", "23:59:59.999999-08", "12:34:56.5+05:30", "24:00:00+01"),
    "timestamp": ("2020-02-29 12:34:56.789", "1999-12-31 23:59:59.999999", "2024-07-04", "1970-01-01"),
    "timestamptz": ("2020-02-29 12:34:56.789+00", "1999-12-31 23:59:59+05:30", "2024-07-04 00:00-04"),
    "interval": ("1 day", "-1 mon 2 days", "3 years 4 mons -5 days 06:07:08.9", "00:00:01", "-25 hours", "0"),
    "uuid": ("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "00000000-0000-0000-0000-000000000000"),
    "inet": ("192.168.1.5", "192.168.1.5/24", "10.0.0.0/8", "::1", "2001:db8::1/64", "0.0.0.0/0", "255.255.255.255"),
    "cidr": ("10.0.0.0/8", "192.168.1.0/24", "2001:db8::/32", "1.2.3.4/32"),
    "macaddr": ("08:00:2b:01:02:03", "ff:ff:ff:ff:ff:ff"),
    "macaddr8": ("08:00:2b:ff:fe:01:02:03", "00:00:00:00:00:00:00:01"),
    "vector": ("[1,2,3]", "[0,0,0]", "[-1.5,2,1e10]"),
    "point": ("(1,2)", "(0,0)", "(-1.5,NaN)", "(1e300,3)"),
    "box": ("(2,2),(0,0)", "(1,5),(1,5)", "(Infinity,1),(0,-1)"),
    "lseg": ("[(0,0),(3,4)]", "[(1,1),(1,1)]", "[(0,2),(2,0)]"),
    "circle": ("<(0,0),1>", "<(3,4),0>", "<(1,1),2.5>"),
    "money": ("$1.00", "-$1,234.56", "0", "$92233720368547758.07"),
    "bit": ("101", "0", "11110000111", "001"),
    "varbit": ("101", "", "0", "11110000111"),
    "json": ('{"a": 1, "b":[1,2]}', '[1, "x", null]', "1", '"s"', "null", "{}"),
    "jsonb": ('{"a": 1, "b":[1,2]}', '[1, "x", null]', "1", '"s"', "null", "{}", "[]", '{"a":{"b":2}}', "true"),
    "jsonpath": ("$", "$.a", "strict $.b[*]", "$[*] ? (@ > 1)", "$.**.b", "$.a + 1", "$.size()", "-$[*]"),
    "tsvector": ("", "a:1 b:2A,5 c", "'b c':3C", "a:16383,2 abc:1B", "cat:3 fat:2"),
    "tsquery": ("a", "a & !b", "a:* <-> (b | c)", "!cat:A <2> 'b c'", "fat:*D | dog"),
    "regconfig": ("simple", "english"),
    "_text": ("{}", "{a,b}", "{NULL,x}", "{a}"),
    "_int4": ("{}", "{1,2,3}", "{NULL,1}"),
    "_char": ("{}", "{a,D}", "{b,NULL}", "{A,b,C}"),
    "char": ("a", "B", "c", "D", "x"),
    "oid": ("0", "16", "4294967295"),
}
_ELEMENTS = {
    "anyelement": ("int4", "text"),
    "any": ("int4", "text", "bool"),
    "anynonarray": ("int4", "date", "numeric"),
}
_NULL_IN = 25

# What can't be called by its name, takes sizes that exhaust memory, reads the clock, or asks about PostgreSQL's own
# tablespaces, encodings and objects; templates, which random text makes nonsense of; and what PostgreSQL does not have.
_EXCLUDED = (
    frozenset(
        ("repeat", "lpad", "rpad", "array_fill", "extract", "position", "overlay", "right", "to_char", "to_number")
    )
    | frozenset(
        ("to_date", "to_timestamp", "make_interval", "make_timestamp", "make_timestamptz", "pg_typeof", "format_type")
    )
    | frozenset(
        (
            "getpgusername",
            "length",
            "convert",
            "convert_from",
            "convert_to",
            "octet_length",
            "jsonb_delete_path",
            "trim_scale",
            "scale",
            # What PostgreSQL answers is the C library's, of which the sign alone is told.
            "tsvector_cmp",
        )
    )
    | frozenset(row.name for row in hashing.FUNCTIONS)
)


def _callable(row: Function) -> bool:
    return (
        not row.needs_system
        and row.volatility is not Volatility.VOLATILE
        and row.form in ("function", "operator", "cast")
        and row.name not in _EXCLUDED
        and row not in trigram_rows.FUNCTIONS
        and not row.name.startswith(("pg_", "mz_"))
        and not (row.name == "age" and len(row.arguments) == 1)
    )


def written(key: str) -> str:
    return key[1:] + "[]" if key.startswith("_") else key


def _literal(key: str, randomness: random.Random) -> str:
    if randomness.randrange(_NULL_IN) == 0:
        return f"null::{written(key)}"
    value = randomness.choice(POOLS[key]).replace("'", "''")
    return f"'{value}'::{written(key)}"


def _argument(type_: ScalarType, element: str, randomness: random.Random) -> str | None:
    key = type_key(type_)
    if key in ("anyarray", "anycompatiblearray"):
        key = "_" + element
    elif key == "anycompatible":
        key = element
    elif key in _ELEMENTS:
        key = randomness.choice(_ELEMENTS[key])
    return _literal(key, randomness) if key in POOLS else None


def _call(row: Function, randomness: random.Random) -> str | None:
    """A call; None when an argument's type has no pool."""
    element = randomness.choice(("int4", "text"))
    arguments = [_argument(type_, element, randomness) for type_ in row.arguments]
    texts = [argument for argument in arguments if argument is not None]
    if len(texts) < len(arguments):
        return None
    if row.form == "cast":
        target = type_key(row.result) if isinstance(row.result, ScalarType) else ""
        return f"({texts[0]})::{written(target)}" if target in POOLS else None
    if row.form == "operator":
        return f"{row.name} ({texts[0]})" if len(texts) == 1 else f"({texts[0]}) {row.name} ({texts[1]})"
    return f'"{row.name}"({", ".join(texts)})'


def generated_calls(seed: int) -> Iterator[str]:
    """Without end."""
    randomness = random.Random(seed)
    rows = [row for row in FUNCTIONS.values() if _callable(row)]
    while True:
        call = _call(randomness.choice(rows), randomness)
        if call is not None:
            yield call
