"""A session's variables, as PostgreSQL has run-time parameters.

settings          the values of all variables: those at the start, SET's, SET LOCAL's
start_values      the values with which a session begins, of ALTER SYSTEM, roles, databases, clients
variables         the variables, their checks and their spelling
becoming          who may become whom: SET ROLE, SET SESSION AUTHORIZATION
known_values      values that only the catalog can judge
value_rules       rules of values that several variables share
tuning_variables  variables that tune PostgreSQL's own planner, taken without effect
durations         numbers with units of time
time_zones        the variable TimeZone
startup_options   variables that a client sets when it connects
session_values    values that functions ask of a session, worked out on demand
object_names      how results print regclass and its kin
"""
