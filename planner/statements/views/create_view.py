"""CREATE VIEW. The view's text is kept with every relation's schema written out, so that it means the same for ever."""

from __future__ import annotations

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ViewText
from planner.plans.views import CreateViewPlan
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.changes.simple_view import analysis_of, simple_query
from planner.statements.new_names import new_relation_name, temporary_view_name
from planner.statements.views.view_options import CHECK_OPTION, require_checkable, view_options
from planner.statements.views.view_query import (
    names_temporary_relations,
    plan_view_query,
    qualified_query,
    view_columns,
)
from planner.syntax.identifiers import qualified, quoted
from planner.syntax.parse import ParsedStatement
from planner.temporary_schema import ALIAS


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateViewPlan:
    node = statement.node
    name = new_relation_name(analysis, node.view)
    options = view_options(analysis, (*node.options, *_check_option(node.with_check_option)))
    query = plan_view_query(analysis, node.query)
    if any(each.startswith(f"{CHECK_OPTION}=") for each in options):
        text = ViewText(statement.text, analysis.context, None)
        require_checkable(analysis, simple_query(analysis_of(statement, text), node.query.select_stmt))
    given = strings(node.aliases)
    becomes_temporary = name.schema != ALIAS and names_temporary_relations(analysis)
    if becomes_temporary:
        name = temporary_view_name(analysis, node.view)
    too_many = analysis.error(Sqlstate.SYNTAX_ERROR, "CREATE VIEW specifies more column names than columns")
    columns = view_columns(analysis, given, query, too_many)
    listed = f" ({', '.join(map(quoted, columns))})" if given else ""
    sql = f"CREATE VIEW {qualified(name.schema, name.name)}{listed} AS {qualified_query(analysis, statement)}"
    depends_on = frozenset(analysis.depends_on)
    return CreateViewPlan(name, query, columns, depends_on, node.replace, False, sql, becomes_temporary, options)


def _check_option(option: int) -> tuple[tree.Node, ...]:
    """Returns WITH [LOCAL | CASCADED] CHECK OPTION as an option of WITH (…)."""
    words = {tree.LOCAL_CHECK_OPTION: "local", tree.CASCADED_CHECK_OPTION: "cascaded"}
    if option not in words:
        return ()
    value = tree.Node(string=tree.String(sval=words[option]))
    return (tree.Node(def_elem=tree.DefElem(defname=CHECK_OPTION, arg=value)),)
