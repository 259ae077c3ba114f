"""Random texts made of recorded ones: with our words for names, tokens broken, and our clauses anywhere."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import postgast
from postgast import pg_query_pb2 as tree

from tests.slt import records

_OWN_SYNTAX = Path(__file__).parent / "own_syntax.jsonl"
_LENGTH_MAX = 600
_COMMENTS = (tree.Token.SQL_COMMENT, tree.Token.C_COMMENT)

_WORDS = """
    tail subscribe source sink of history cluster hold recursive mutually retain connection secret
    swap least earliest envelope snapshot progress within timeout objects replicas holds plan raw
    optimized physical text json lease renew advance webhook generator broker freeze upsert debezium
    until latest up slot
"""
COMMENT = "/* é AS OF 7 */"
_BLANKS = ("\n", " ", " ", " ", " ", f" {COMMENT} ", "  ")
_AROUND = (
    ("", ""),
    ("", ""),
    ("COPY (", ") TO STDOUT"),
    ("DECLARE c CURSOR FOR ", ""),
    ("PREPARE p (int) AS ", ""),
    ("EXPLAIN ", ""),
    ("EXPLAIN (VERBOSE) ", ""),
    ("CREATE TABLE x AS ", ""),
    ("CREATE VIEW x AS ", ""),
    ("CREATE MATERIALIZED VIEW x (a, b) AS ", ""),
    ("INSERT INTO x (a, b) ", ""),
    ("SUBSCRIBE t; ", "; SELECT a AS of FROM t"),
    ("SELECT 'é'; ", "; SHOW TABLES"),
)
_TIMES = (
    "5",
    "$1",
    "5 + 2",
    "'2020-01-01'::timestamptz",
    "now()",
    "-1",
    "(SELECT 5)",
    "(ARRAY[5])[1]",
    "'é'",
    "CAST(5 AS int)",
)
OUR_WORDS = frozenset(_WORDS.split())
MEMBER_WORDS = ("list", "map")
_CLAUSES = (
    "AS OF 5",
    "AS OF AT LEAST $1",
    "AS OF '2020-01-01'::timestamptz",
    "WITH (RETAIN HISTORY FOR '1h')",
    "RETAIN HISTORY FOR",
    "IN CLUSTER c",
    "DEFAULT INDEX",
    "SWAP WITH",
    "WITH MUTUALLY RECURSIVE a (b int) AS (SELECT 1)",
    "LIST[1, [2]]",
    "MAP['a' => 1]",
    "::int list",
    "::map[text=>int]",
    "SUBSCRIBE t",
    "TAIL (SELECT 1)",
    "EXPLAIN PLAN FOR",
    "EXPLAIN TIMESTAMP FOR",
    "SHOW TABLES",
    "CHECK VIEW v",
    "FORMAT JSON",
    "WITH (TIMEOUT = '1s')",
    "READ HOLD h",
    "CREATE SOURCE s FROM LOAD GENERATOR COUNTER",
    "ENVELOPE UPSERT (KEY (a))",
    "UP TO 6",
    "; SHOW TABLES;",
    ";",
)
_PIECES = (
    "é",
    "'é'",
    "U&'\\00e9'",
    'U&"\\0061"',
    "E'\\''",
    "$$as of$$",
    "$é$as of 5$é$",
    "/* AS OF 7 /* x */ */",
    "-- AS OF 8\n",
    "$1",
    "?",
    "@@@",
    "::",
    "[1:2]",
    "a.b.*",
    "1_000",
    "1..2",
    "=>",
    ":=",
    "(",
    ")",
    "[",
    "]",
    ",",
    "'",
    '"',
    "$$",
    "/*",
    "AS",
    "OF",
    "of",
    "list",
    "map",
    "1e99999999999999999999",
    "²",
    "ſ",
    "\u00a0",
    "NULL",
    "SELECT",
    "x",
)


def corpus() -> list[str]:
    """The recorded texts, each once, in a fixed order."""
    found = [record.sql for path in records.files() for record in records.parse(path.read_text())]
    found += [json.loads(line)[0] for line in _OWN_SYNTAX.read_text().splitlines()]
    return sorted({sql for sql in found if 0 < len(sql) <= _LENGTH_MAX})


def tokens(sql: str) -> list[tuple[str, int]]:
    """Each token's text with what kind it is, comments left out; nothing of a text that can't be cut."""
    try:
        scanned = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return []
    data = sql.encode()
    return [(data[each.start : each.end].decode(), each.token) for each in scanned if each.token not in _COMMENTS]


def renamed(random: Random, sql: str, words: list[str]) -> str:
    """The text with some names in it, the same everywhere, called by words of ours."""
    cut = tokens(sql)
    names = sorted({text for text, kind in cut if kind == tree.Token.IDENT and text[0] != '"'})
    chosen = {name: random.choice(words) for name in names if random.random() < 0.5}
    return _joined(random, [chosen.get(text, text) if kind == tree.Token.IDENT else text for text, kind in cut])


def broken(random: Random, sql: str) -> str:
    """The text with a few tokens gone, doubled, exchanged or put in, or clauses of ours."""
    cut = [text for text, _ in tokens(sql)] or sql.split()
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        at = random.randrange(len(cut) + 1)
        match random.randrange(6):
            case 0:
                cut[at : at + 1] = []
            case 1:
                cut[at:at] = cut[at : at + 1]
            case 2 if cut:
                other = random.randrange(len(cut))
                at = min(at, len(cut) - 1)
                cut[at], cut[other] = cut[other], cut[at]
            case 3:
                cut[at:at] = [random.choice(_PIECES)]
            case _:
                cut[at:at] = [random.choice(_CLAUSES)]
    return _joined(random, cut)


def timed(random: Random, sql: str) -> tuple[str, str, str]:
    """A query in a statement around it, if any: with AS OF, the time's expression, and without AS OF but its blanks."""
    before, behind = random.choice(_AROUND)
    query = _joined(random, [text for text, _ in tokens(sql)])
    at_least, time = random.choice(("", "", "AT LEAST ")), random.choice(_TIMES)
    clause = f"aS /* */ OF {at_least}{time} "
    return f"{before}{query}{clause}{behind}", time, f"{before}{query}{' ' * len(clause.encode())}{behind}"


def respelled(random: Random, sql: str) -> str:
    """The text with other blanks and comments between the same tokens, and other capitals in keywords and names."""
    cut = tokens(sql)
    plain = [text if not text.isidentifier() else random.choice((text.upper(), text.lower(), text)) for text, _ in cut]
    return _joined(random, plain)


def _joined(random: Random, cut: list[str]) -> str:
    # A text would go on in one that begins on another line.
    return "".join(text + random.choice(_BLANKS[text[-1:] == "'" :]) for text in cut)
