"""Users' functions on a server.

test_function_rights  who may call a function, and what it reads for whom, as PostgreSQL says
test_kept_functions   functions through kill -9, at past times, and beneath what is maintained
"""
