"""Writes docs/system_relations.md from the catalog's declarations: python -m tools.generate_relation_docs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from catalog.builtin.registry import builtin_relations
from catalog.declared.listing import declarations
from catalog.declared.mz_catalog import MZ_CATALOG
from catalog.declared.mz_internal import MZ_INTERNAL
from catalog.declared.relation import Declaration, no_rows
from model.types.scalar_type import type_text

TARGET = Path("docs/system_relations.md")
_HEADER = """# System relations

Headwater tells of itself in relations that any client can query and join; they have the names
and columns that Materialize gives them, where it has them. Ids are GlobalIds as text (`u1`, `s16650`): unlike an oid, a
GlobalId is never used again. PostgreSQL's own catalogs are at the end, and PostgreSQL documents them.

This page is generated from the code: run `python -m tools.generate_relation_docs` after a change.

```sql
SELECT o.name, s.status, s.reason                       -- which dataflows are not running, and why
  FROM mz_internal.mz_dataflow_statuses s JOIN mz_catalog.mz_objects o ON o.id = s.object_id
 WHERE s.status <> 'running';
```
"""


def relation_page() -> str:
    """Returns the page as it has to be."""
    own = [line for relations in (MZ_CATALOG, MZ_INTERNAL) for line in _schema_section(relations)]
    return "\n".join([_HEADER, *own, *_postgres_section()]).rstrip() + "\n"


def _schema_section(relations: tuple[Declaration, ...]) -> Iterator[str]:
    yield f"## {relations[0].schema}"
    yield ""
    for relation in sorted(relations, key=lambda each: each.name):
        columns = ", ".join(f"`{column.name}` {type_text(column.type)}" for column in relation.desc.columns)
        yield f"**{relation.name}**: {relation.description}"
        yield ""
        yield f"> {columns}"
        yield ""


def _postgres_section() -> Iterator[str]:
    """Lists PostgreSQL's relations: those with contents, and those about things that Headwater does not have."""
    filled = {(each.schema, each.name) for each in builtin_relations() if each.rows is not no_rows}
    yield "## PostgreSQL's"
    yield ""
    for schema in ("pg_catalog", "information_schema"):
        names = sorted(each.name for each in declarations() if each.schema == schema)
        yield f"**{schema}**, with contents: {_names(name for name in names if (schema, name) in filled)}."
        yield ""
        yield f"**{schema}**, always empty: {_names(name for name in names if (schema, name) not in filled)}."
        yield ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    TARGET.write_text(relation_page())
