"""The words by which errors call a statement or a kind of object, as PostgreSQL's manual writes them."""

from __future__ import annotations

from postgast import pg_query_pb2 as tree

from planner.syntax.parse import ParsedStatement

_ABBREVIATED = {
    "view_stmt": "CREATE VIEW",
    "create_table_as_stmt": "CREATE TABLE AS",
    "create_seq_stmt": "CREATE SEQUENCE",
    "alter_seq_stmt": "ALTER SEQUENCE",
    "create_trig_stmt": "CREATE TRIGGER",
    "create_event_trig_stmt": "CREATE EVENT TRIGGER",
    "rule_stmt": "CREATE RULE",
    "sec_label_stmt": "SECURITY LABEL",
    "create_stats_stmt": "CREATE STATISTICS",
    "alter_event_trig_stmt": "ALTER EVENT TRIGGER",
    "create_table_space_stmt": "CREATE TABLESPACE",
    "drop_table_space_stmt": "DROP TABLESPACE",
    "create_am_stmt": "CREATE ACCESS METHOD",
    "create_foreign_server_stmt": "CREATE SERVER",
    "alter_foreign_server_stmt": "ALTER SERVER",
    "create_fdw_stmt": "CREATE FOREIGN DATA WRAPPER",
    "alter_fdw_stmt": "ALTER FOREIGN DATA WRAPPER",
    "create_op_class_stmt": "CREATE OPERATOR CLASS",
    "create_op_family_stmt": "CREATE OPERATOR FAMILY",
    "create_range_stmt": "CREATE TYPE AS RANGE",
}
_OBJECTS = {
    "FDW": "FOREIGN DATA WRAPPER",
    "FOREIGN_SERVER": "SERVER",
    "LARGEOBJECT": "LARGE OBJECT",
    "MATVIEW": "MATERIALIZED VIEW",
    "OPCLASS": "OPERATOR CLASS",
    "OPFAMILY": "OPERATOR FAMILY",
    "STATISTIC_EXT": "STATISTICS",
    "TABCONSTRAINT": "CONSTRAINT",
    "TSCONFIGURATION": "TEXT SEARCH CONFIGURATION",
    "TSDICTIONARY": "TEXT SEARCH DICTIONARY",
    "TSPARSER": "TEXT SEARCH PARSER",
    "TSTEMPLATE": "TEXT SEARCH TEMPLATE",
}


def object_words(kind: tree.ObjectType) -> str:
    """Returns what PostgreSQL's statements call a kind of object (`OBJECT_FDW`: FOREIGN DATA WRAPPER)."""
    name = str(tree.ObjectType.Name(kind)).removeprefix("OBJECT_")
    return _OBJECTS.get(name, name.replace("_", " "))


def statement_words(statement: ParsedStatement) -> str:
    """Returns the words that a statement begins with, mostly by the syntax tree's name of its kind."""
    if statement.kind == "define_stmt":
        return f"CREATE {object_words(statement.node.kind)}"
    if statement.kind in ("grant_stmt", "grant_role_stmt"):
        return "GRANT" if statement.node.is_grant else "REVOKE"
    if statement.kind == "create_function_stmt" and statement.node.is_procedure:
        return "CREATE PROCEDURE"
    words = statement.kind.removesuffix("_stmt").replace("_", " ").upper()
    return _ABBREVIATED.get(statement.kind, words)
