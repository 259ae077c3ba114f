"""PostgreSQL's own regression scripts, statement by statement, on PostgreSQL and on Headwater:
python -m tools.regression SOURCE [SCRIPT …], where SOURCE holds PostgreSQL's source.

scripts     psql's scripts to statements, with the data of COPY
session     a connection of libpq, and all that a statement gives
comparison  in what two answers differ, and which differences follow from others
"""
