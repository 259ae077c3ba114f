"""Identifiers in PostgreSQL's form: at most 63 bytes of UTF-8, quoted when they are not plain."""

from __future__ import annotations

import re

IDENTIFIER_BYTES_MAX = 63
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
# PostgreSQL quotes every keyword that is not unreserved, so that its output can be read again anywhere.
_KEYWORDS = """
all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case
cast char character check coalesce collate collation column concurrently constraint create cross current_catalog
current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable
desc distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group
grouping having ilike in initially inner inout int integer intersect interval into is isnull join json_array
json_arrayagg json_object json_objectagg lateral leading least left like limit localtime localtimestamp national
natural nchar none normalize not notnull null nullif numeric offset on only or order out outer overlaps overlay
placing position precision primary real references returning right row select session_user setof similar smallint
some substring symmetric system_user table tablesample then time timestamp to trailing treat trim true union unique
user using values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists
xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
"""
_QUOTED_KEYWORDS = frozenset(_KEYWORDS.split())


def cut(name: str) -> str:
    """Cuts a name to 63 bytes, without splitting a character."""
    encoded = name.encode()
    if len(encoded) <= IDENTIFIER_BYTES_MAX:
        return name
    return encoded[:IDENTIFIER_BYTES_MAX].decode(errors="ignore")


def quote(name: str) -> str:
    """Returns the name as SQL text that reads as the name: quote_ident."""
    if _PLAIN.fullmatch(name) and name not in _QUOTED_KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def quote_all(*parts: str) -> str:
    """Returns a name dotted and quoted: `s."T"`."""
    return ".".join(quote(part) for part in parts)
