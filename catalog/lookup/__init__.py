"""Answers the questions of statements and functions about a state.

planner_view     the planner's view of a state
system_lookup    answers functions, to_regclass for example
reg_types        types by name and by oid, as regtype reads and writes them
signatures       functions and operators by name and by signature
privileges       checks the privileges of roles
parameter_types  the types that clients and PREPARE give parameters
targets          finds the item that a DDL statement names
reliance         tracks the names that a transaction relies on
"""
