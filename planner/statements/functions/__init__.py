"""Statements about users' functions.

create_function  CREATE FUNCTION … LANGUAGE SQL
function_names   functions as DROP, ALTER and GRANT name them, by their arguments' types
"""
