"""Writes a webhook source as a CREATE SOURCE statement, without its name."""

from __future__ import annotations

from catalog.nouns.names import quote, quote_all
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from model.external.webhooks import CheckedInput, ChosenHeaders, RequestCheck
from planner.functions.text.quoting import quote_literal


def webhook_sql(state: CatalogState, source: WebhookSource) -> str:
    """Prints the definition of a webhook from FROM on, without options. Secrets are named, and not told."""
    form = source.format
    clauses = [f"FROM WEBHOOK BODY FORMAT {form.body.value.upper()}"]
    if form.headers is not None:
        clauses.append(f"INCLUDE HEADERS{_chosen(form.headers)}")
    for each in form.header_columns:
        as_bytes = " BYTES" if each.as_bytes else ""
        clauses.append(f"INCLUDE HEADER {quote_literal(each.header)} AS {quote(each.column)}{as_bytes}")
    if form.check is not None:
        clauses.append(_check(state, form.check))
    return " ".join(clauses)


def _chosen(headers: ChosenHeaders) -> str:
    names = [quote_literal(name) for name in headers.named]
    names += [f"NOT {quote_literal(name)}" for name in headers.left_out]
    return f" ({', '.join(names)})" if names else ""


def _check(state: CatalogState, check: RequestCheck) -> str:
    inputs = ", ".join(_input(state, each) for each in check.inputs)
    return f"CHECK ({f'WITH ({inputs}) ' if inputs else ''}{check.sql})"


def _input(state: CatalogState, each: CheckedInput) -> str:
    what = each.part.value.upper()
    if each.secret is not None:
        name = state.full_name(state.items[each.secret])
        what = f"{what} {quote_all(name.schema, name.name)}"
    return f"{what} AS {quote(each.name)}{' BYTES' if each.as_bytes else ''}"
