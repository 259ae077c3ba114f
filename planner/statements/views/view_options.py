"""WITH (…) of views: security_invoker, security_barrier and check_option, as PostgreSQL takes them.

Of security_barrier nothing has to be done: no condition that can fail, vary or call the server is ever evaluated for
rows that a view leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import parse_datum
from model.types.scalar_type import BOOL
from planner.ir.visit import has_subquery
from planner.plans.views import ViewOptionsPlan
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.statements.changes.simple_view import NO_COLUMNS, SUBQUERY_CHECKED, SimpleView, simple_view
from planner.statements.tables.storage_parameters import option_text

CHECK_OPTION = "check_option"
_SWITCHES = ("security_invoker", "security_barrier")
_STORAGE = (tree.AT_SetRelOptions, tree.AT_ResetRelOptions)


def view_options(analysis: Analysis, options: Iterable[Any]) -> tuple[str, ...]:
    """Returns the options in the form of pg_class.reloptions, `name=value`. Raises SqlError 22023 for what PostgreSQL
    refuses."""
    found: dict[str, str] = {}
    for option in options:
        node = option.def_elem
        if node.defnamespace == "toast":
            # Taken and forgotten, as PostgreSQL does: a view has nothing to be stored.
            continue
        name, text = _known(analysis, node), option_text(node)
        if name in found:
            message = f'parameter "{name}" specified more than once'
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
        if name == CHECK_OPTION and text not in ("local", "cascaded"):
            message = f'invalid value for enum option "{name}": {text}'
            detail = 'Valid values are "local" and "cascaded".'
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, detail=detail)
        if name != CHECK_OPTION and not _is_switch(text):
            message = f'invalid value for boolean option "{name}": {text}'
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
        found[name] = text
    return tuple(f"{name}={text}" for name, text in found.items())


def plan_view_options(analysis: Analysis, node: Any) -> ViewOptionsPlan | None:
    """Plans ALTER VIEW … SET (…) and RESET (…); None for anything else."""
    commands = [item.alter_table_cmd for item in node.cmds]
    if not all(command.subtype in _STORAGE for command in commands):
        return None
    steps = []
    for command in commands:
        options = getattr(command, "def").list.items
        if command.subtype == tree.AT_SetRelOptions:
            steps.append(view_options(analysis, options))
            if any(each.startswith(f"{CHECK_OPTION}=") for each in steps[-1]):
                _require_checkable_view(analysis, node)
            continue
        for option in options:
            if option.def_elem.HasField("arg"):
                raise analysis.error(Sqlstate.SYNTAX_ERROR, "RESET must not include values for parameters")
        steps.append(tuple(option.def_elem.defname for option in options))
    return ViewOptionsPlan(range_parts(node.relation), tuple(steps), node.missing_ok)


def require_checkable(analysis: Analysis, simple: SimpleView | str) -> None:
    """Raises SqlError 0A000 for WITH CHECK OPTION of a view that can't be written to, or has a subquery in WHERE."""
    if isinstance(simple, SimpleView) and not simple.has_updatable:
        simple = NO_COLUMNS
    if isinstance(simple, str):
        message = "WITH CHECK OPTION is supported only on automatically updatable views"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=simple)
    if any(map(has_subquery, simple.conditions)):
        raise analysis.unsupported(SUBQUERY_CHECKED)


def _require_checkable_view(analysis: Analysis, node: Any) -> None:
    """Holds the view that ALTER VIEW names, if there is one, against `require_checkable`."""
    context, parts = analysis.context, range_parts(node.relation)
    item = context.catalog.resolve_item(parts, context.search_path, context.database)
    text = None if item is None else context.catalog.view_text(item.id)
    if text is not None:
        require_checkable(analysis, simple_view(text)[0])


def _known(analysis: Analysis, node: Any) -> str:
    if node.defnamespace:
        message = f'unrecognized parameter namespace "{node.defnamespace}"'
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
    if node.defname not in (*_SWITCHES, CHECK_OPTION):
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, f'unrecognized parameter "{node.defname}"')
    return str(node.defname)


def _is_switch(text: str) -> bool:
    try:
        parse_datum(text, BOOL)
    except SqlError:
        return False
    return True
