"""Tools that speak to a database, each as it comes, over TLS, as a role that is no superuser.

served.py             the server, the role, and where a tool finds them
bouncer.py            PgBouncer before the server
test_tools_over_tls.py, test_pools_over_tls.py
                      what comes of it; what PostgreSQL answers alike is asked of it, too

In an environment of their own (constraints.txt), whose Python runs:
alembic_session.py    migrations that Alembic writes, by alembic_env.py
django_session.py     a project of Django's, whose application is shop/
pgcli_session.py      completions of pgcli
"""
