"""Answers to what statements and functions ask of a state.

planner_view     what the planner sees of a state
system_lookup    what functions such as to_regclass ask
reg_types        types by name and by oid, as regtype reads and writes them
signatures       functions and operators by name and by signature
privileges       who may do what
parameter_types  the types that clients and PREPARE give parameters
targets          which item a DDL statement means by a name
reliance         what a transaction relies on in the catalog
"""
