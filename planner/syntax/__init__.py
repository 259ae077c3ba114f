"""Texts to PostgreSQL's syntax trees, and statements and clauses of our own grammar.

parse, grammar        the door, and PostgreSQL's own grammar; nesting   how deep a text may be, judged from its tokens
segments, …_clauses   our clauses inside and around PostgreSQL's statements, cut out in place

call_stars             f(x).* and current_user(), as Materialize takes them
cluster_statements     statements about cluster replicas, as written
connection_statements  statements about secrets and connections; statements common to sources and sinks
dialect/               the dialect of our own statements and clauses
extensions             clauses of a message beside PostgreSQL's grammar
identifiers            identifiers as SQL reads them back
members                lists and maps of a message, written with other words in its syntax tree
merge_words            words of MERGE that PostgreSQL 16 does not have
options                options of our own statements as written, and the errors for unknown options
own_statements         statements that PostgreSQL does not have, as the dialect reads them
own_syntax             reads statements by the dialect, if PostgreSQL's grammar can't
pieces                 pieces of a statement (an expression, a type, a query …)
refusals               syntax errors of PostgreSQL's grammar, in PostgreSQL's words and with their place
renamed_text           a query's text with relations renamed, and every other byte untouched
secret_texts           texts without the values of secrets, for logs and other users
single_calls           calls of functions that run exactly once in a query
sink_statements        CREATE SINK as it is written
source_statements      statements about sources, as written
statement_identity     equal texts for statements that differ in constants alone; the same with parameters
string_escapes         strings with backslashes, where standard_conforming_strings is off
statement_words        the words by which errors call a statement or a kind of object
"""
