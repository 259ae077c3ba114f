"""Writes catalog/declared/data/ from the judge's PostgreSQL 16: the columns of every system relation, and the rows of
those whose contents are PostgreSQL's own (types, casts, operators, access methods …).

Run it from the repository root: `.venv/bin/python -m tools.generate_pg_catalog`.

relations.tsv: schema, name, oid, relkind, then `name:type[:modifier][!]` for each column (`!`: NOT NULL).
rows/<relation>.tsv: COPY's text format, in the order of the relation's columns.
"""

from __future__ import annotations

from pathlib import Path

import psycopg

from tests.judge import run_judge

_DATA = Path("catalog/declared/data")

# Domains of information_schema come as what they stand for.
_RELATIONS = """
SELECT n.nspname, c.relname, c.oid::int8, c.relkind::text,
  string_agg(a.attname || ':' || coalesce(b.typname, t.typname)
    || CASE WHEN t.typtype = 'd' AND t.typtypmod >= 0 THEN ':' || t.typtypmod
            WHEN a.atttypmod >= 0 THEN ':' || a.atttypmod ELSE '' END
    || CASE WHEN a.attnotnull THEN '!' ELSE '' END, ' ' ORDER BY a.attnum)
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_type b ON b.oid = t.typbasetype
WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')
GROUP BY 1, 2, 3, 4 ORDER BY 3
"""

_OF_TEXT_SEARCH = "{} IN ('simple', 'english', 'english_stem', 'snowball')"
_ORDERS = {"pg_range": "rngtypid", "pg_ts_config_map": "mapcfg, maptokentype, mapseqno"}

# Row types of relations aren't ours; what depends on the judge's own objects is left out.
_ROWS = {
    "pg_am": "true",
    "pg_authid": "rolname LIKE 'pg\\_%'",
    "pg_cast": "true",
    "pg_collation": "collname IN ('default', 'C', 'POSIX', 'ucs_basic')",
    "pg_language": "oid < 13000",
    "pg_opclass": "true",
    "pg_opfamily": "true",
    "pg_operator": "true",
    "pg_proc": "pronamespace = 'pg_catalog'::regnamespace AND oid < 13000",
    "pg_range": "true",
    "pg_tablespace": "spcname = 'pg_default'",
    "pg_ts_config": _OF_TEXT_SEARCH.format("cfgname"),
    "pg_ts_config_map": f"mapcfg IN (SELECT oid FROM pg_ts_config WHERE {_OF_TEXT_SEARCH.format('cfgname')})",
    "pg_ts_dict": _OF_TEXT_SEARCH.format("dictname"),
    "pg_ts_parser": "true",
    "pg_ts_template": _OF_TEXT_SEARCH.format("tmplname"),
    "pg_type": "typnamespace = 'pg_catalog'::regnamespace AND typrelid = 0"
    " AND NOT EXISTS (SELECT FROM pg_type e WHERE e.oid = pg_type.typelem AND e.typrelid <> 0)",
}


def _columns(connection: psycopg.Connection[tuple[object, ...]], relation: str) -> str:
    """The select list of `relation`: what prints as a name is written as the oid that it stands for."""
    rows = connection.execute(
        "SELECT attname, atttypid::regtype::text FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        (relation,),
    ).fetchall()
    return ", ".join(f"{name}::oid" if str(type_).startswith("reg") else f"{name}" for name, type_ in rows)


def main() -> None:
    (_DATA / "rows").mkdir(parents=True, exist_ok=True)
    with run_judge() as judge, judge.connect() as connection:
        lines = ["\t".join(map(str, row)) for row in connection.execute(_RELATIONS)]
        (_DATA / "relations.tsv").write_text("\n".join(lines) + "\n")
        for relation, condition in _ROWS.items():
            query = f"SELECT {_columns(connection, relation)} FROM {relation} WHERE {condition}"
            query += f" ORDER BY {_ORDERS.get(relation, 'oid')}"
            with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT") as copy:
                data = b"".join(bytes(block) for block in copy)
            (_DATA / "rows" / f"{relation}.tsv").write_bytes(data)


if __name__ == "__main__":
    main()
