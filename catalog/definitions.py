"""The SQL of a definition, taken apart where that needs no grammar."""

from __future__ import annotations

import re

from catalog.items import View

_AS = re.compile(r"\bAS\b", re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def view_query(view: View) -> str:
    """The query of CREATE VIEW, as it was written, ending in a semicolon.

    Only a name and column names stand before AS, so the first AS outside of quotes begins the query.
    """
    text = view.create_sql
    blanked = _QUOTED.sub(lambda match: "x" * len(match[0]), text)
    match = _AS.search(blanked)
    assert match is not None, "CREATE VIEW has AS"
    return " " + text[match.end() :].strip().rstrip(";").rstrip() + ";"
