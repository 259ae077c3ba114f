"""Users' functions on a server.

test_function_rights  who may call a function, and what it reads for whom, as PostgreSQL says
test_definers         SECURITY DEFINER: attacks on it (definer_attacks), and what is read by whose rights
test_kept_functions   functions through kill -9, at past times, and beneath what is maintained
test_function_values  how often what is in a function is evaluated, and how long it grows
test_drawn_functions  functions and calls drawn at random, as PostgreSQL answers them
"""
