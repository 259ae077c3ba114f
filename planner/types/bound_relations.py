"""Replaces relations and users' types that an expression names as constants by oids: a kept expression means the same
ones for ever.
"""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.types.scalar_type import TypeName
from planner.catalog_view import ItemKind
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.types.object_names import CatalogNames

_OF_SEQUENCES = frozenset(("nextval", "currval", "setval"))
_REGCLASS, _REGTYPE = TypeName.REGCLASS.value, TypeName.REGTYPE.value


def bind_relations(analysis: Analysis, node: Any) -> Any:
    """Returns the expression with `'s'::regclass`, and the sequence of nextval('s'), as `'20005'::regclass`, and
    `'mood'::regtype` as `'20006'::regtype`."""
    bound = type(node)()
    bound.CopyFrom(node)
    _bind(analysis, bound)
    return bound


def _bind(analysis: Analysis, message: Any) -> None:
    match message.DESCRIPTOR.name:
        case "TypeCast" if strings(message.type_name.names)[-1:] == (_REGCLASS,):
            _bind_name(analysis, message.arg)
        case "TypeCast" if strings(message.type_name.names)[-1:] == (_REGTYPE,):
            _bind_type(analysis, message.arg)
        case "FuncCall" if strings(message.funcname)[-1] in _OF_SEQUENCES and message.args:
            _bind_name(analysis, message.args[0], cast=True)
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else (value,):
                _bind(analysis, inner)


def _bind_type(analysis: Analysis, node: Any) -> None:
    """Replaces the name of a user's type; arrays of these, and PostgreSQL's types, keep their names."""
    if node.WhichOneof("node") != "a_const" or node.a_const.WhichOneof("val") != "sval":
        return
    name = node.a_const.sval.sval
    found = None if name.isdigit() else CatalogNames(analysis.context, analysis.depends_on).oid(TypeName.REGTYPE, name)
    item = None if found is None else analysis.context.catalog.item_by_oid(found)
    if item is not None and item.kind is ItemKind.TYPE:
        node.a_const.sval.sval = str(found)


def _bind_name(analysis: Analysis, node: Any, *, cast: bool = False) -> None:
    if node.WhichOneof("node") != "a_const" or node.a_const.WhichOneof("val") != "sval":
        return
    name = node.a_const.sval.sval
    if not name.isdigit():
        found = CatalogNames(analysis.context, analysis.depends_on).oid(TypeName.REGCLASS, name)
        node.a_const.sval.sval = str(found)
    if cast:
        constant = tree.Node()
        constant.CopyFrom(node)
        type_name = tree.TypeName(names=[tree.Node(string=tree.String(sval=_REGCLASS))], typemod=-1)
        node.type_cast.CopyFrom(tree.TypeCast(arg=constant, type_name=type_name))
