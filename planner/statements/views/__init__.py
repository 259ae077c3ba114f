"""Statements about views, what keeps them, and who follows them: indexes, materialized views, SUBSCRIBE, read holds.

check_view                CHECK VIEW: compares what is maintained with what its definition gives
create_index              CREATE [DEFAULT] INDEX: the key's expressions over what is indexed, planned and as text
create_materialized_view  CREATE MATERIALIZED VIEW: as CREATE VIEW, with what says how it is to be kept
create_view               CREATE VIEW. The view's text is kept with every relation's schema written out
operator_classes          operator classes that a column of an index may name: those of PostgreSQL's B-trees
read_hold                 CREATE, ALTER and DROP of named read holds
refresh                   REFRESH MATERIALIZED VIEW: nothing needs it
subscribe                 SUBSCRIBE: a relation, what is made of its changes, and from when to when
view_options              WITH (…) of views, ALTER VIEW … SET and RESET: security_invoker, security_barrier
view_query                what views and materialized views share
"""
