"""What Alembic runs for each of its commands: the environment of migrations, as its template is after an edit."""

from alembic import context  # type: ignore[import-not-found,attr-defined,unused-ignore]
from sqlalchemy import create_engine, pool

_given = context.config.attributes

with create_engine("postgresql+psycopg://", poolclass=pool.NullPool).connect() as connection:
    context.configure(connection=connection, target_metadata=_given["metadata"], compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()
