"""The object that CHECK VIEW and EXPLAIN … FOR VIEW name; their statement has become TABLE name."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from planner.catalog_view import ItemKind, ItemView
from planner.plans.objects import ObjectKind
from planner.privileges import SELECT
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.syntax.parse import ParsedStatement

_ALLOWED = {
    ObjectKind.VIEW: (ItemKind.VIEW, ItemKind.MATERIALIZED_VIEW),
    ObjectKind.MATERIALIZED_VIEW: (ItemKind.MATERIALIZED_VIEW,),
    ObjectKind.INDEX: (ItemKind.INDEX,),
}


def named_object(analysis: Analysis, statement: ParsedStatement, kind: ObjectKind) -> tuple[ItemView, RelationDesc]:
    """Returns a named object and the columns of its contents; for an index, the columns of its relation.

    Raises 42P01 if nothing has the name, 42809 for an object of another kind.
    """
    node = statement.node.from_clause[0].range_var
    item = find_relation(analysis, range_parts(node), node.location)
    if item.kind not in _ALLOWED[kind]:
        article = "an" if kind is ObjectKind.INDEX else "a"
        message = f'"{item.name.name}" is not {article} {kind.value}'
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
    if item.on is None:
        analysis.use(item, SELECT)
        return item, item.visible_desc
    on = analysis.context.catalog.item(item.on)
    assert on is not None, "an index goes with what it is on"
    analysis.use(on, SELECT)
    return item, on.visible_desc
