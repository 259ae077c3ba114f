"""What a statement is called that isn't planned: the words it begins with."""

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
    "create_table_space_stmt": "CREATE TABLESPACE",
    "create_am_stmt": "CREATE ACCESS METHOD",
    "create_foreign_server_stmt": "CREATE SERVER",
}


def statement_words(statement: ParsedStatement) -> str:
    """Mostly the syntax tree's name for it."""
    if statement.kind == "define_stmt":
        return f"CREATE {tree.ObjectType.Name(statement.node.kind).removeprefix('OBJECT_')}"
    words = statement.kind.removesuffix("_stmt").replace("_", " ").upper()
    return _ABBREVIATED.get(statement.kind, words)
