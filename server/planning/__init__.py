"""Statements to plans that can be executed: views unfolded, rewrites done, kept for the next time.

statement_plans  the door: texts to bound, rewritten plans
long_texts       long texts are planned beside the event loop
row_security     what a role reads of tables with policies, and what its new rows must keep
recent_plans     the plans that were used last
definitions      plans of views, materialized views and indexes
access           which indexes and views answer a query
arranged_query   a query over arrangements
names_read       which reads of system relations are by name
"""
