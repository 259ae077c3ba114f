"""Answers the questions of statements and functions about a state.

planner_view     the planner's view of a state
updatable_views  tells which relations and columns can be written to
system_lookup    answers functions, pg_get_viewdef for example
large_objects    the names of the relations that hold large objects
object_names     names objects and finds them by name, as regclass and its kin write them
role_privileges  answers has_table_privilege() and its kin, by names or oids
reg_types        types by name and by oid, as regtype reads and writes them
signatures       functions and operators by name and by signature
privileges       checks the privileges of roles
parameter_types  the types that clients and PREPARE give parameters
targets          finds the item that a DDL statement names
reliance         tracks the names that a transaction relies on
"""
