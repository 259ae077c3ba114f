"""Has Alembic write two migrations from models of SQLAlchemy's, in the current directory, and go up and down them.

Where the database is stands in libpq's variables. What came of each step is printed as JSON.
"""

import io
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command  # type: ignore[import-not-found,attr-defined,unused-ignore]
from alembic.config import Config  # type: ignore[import-not-found,unused-ignore]
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

_SAID = io.StringIO()


def _first() -> sa.MetaData:
    metadata = sa.MetaData()
    sa.Table(
        "customer",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, unique=True),
        sa.Column("joined", sa.DateTime(timezone=True), server_default=sa.func.now()),
        sa.Column("old", sa.Float),
    )
    return metadata


def _second() -> sa.MetaData:
    metadata = sa.MetaData()
    customer = sa.Table(
        "customer",
        metadata,
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True, comment="as he says it"),
        sa.Column("joined", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("email", sa.Text),
        comment="who buys",
    )
    sa.Index("customer_email", customer.c.email, unique=True, postgresql_where=customer.c.email.is_not(None))
    orders = sa.Table(
        "orders",
        metadata,
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("customer_id", sa.ForeignKey("customer.id", ondelete="CASCADE"), nullable=False),
        sa.Column("amount", sa.Numeric(10, 2), server_default="0", nullable=False),
        sa.Column("state", sa.Enum("new", "paid", name="order_state"), server_default="new", nullable=False),
        sa.Column("tags", ARRAY(sa.Text)),
        sa.Column("details", JSONB),
        sa.Column("doubled", sa.Numeric(10, 2), sa.Computed("amount * 2", persisted=True)),
        sa.CheckConstraint("amount >= 0", name="paid_for"),
        sa.UniqueConstraint("customer_id", "state", name="one_of_each"),
    )
    sa.Index("orders_amount", orders.c.customer_id, orders.c.amount.desc())
    return metadata


def _config(metadata: sa.MetaData) -> Config:
    config = Config("alembic.ini", stdout=_SAID)
    config.attributes["metadata"] = metadata
    return config


def _written(metadata: sa.MetaData, revision: str) -> str:
    """What Alembic writes of a new migration, but for the time of day."""
    command.revision(_config(metadata), message="made", autogenerate=True, rev_id=revision)
    command.upgrade(_config(metadata), "head")
    text = (Path("migrations/versions") / f"{revision}_made.py").read_text()
    return re.sub("Create Date: .*", "", text)


def _inspected(engine: sa.Engine) -> Mapping[str, Any]:
    inspector = sa.inspect(engine)
    names = sorted(inspector.get_table_names())
    return {
        name: {
            "columns": [{**each, "type": repr(each["type"])} for each in inspector.get_columns(name)],
            "key": inspector.get_pk_constraint(name),
            "foreign": inspector.get_foreign_keys(name),
            "indexes": sorted(map(str, inspector.get_indexes(name))),
            "unique": sorted(map(str, inspector.get_unique_constraints(name))),
            "checks": inspector.get_check_constraints(name),
            "comment": inspector.get_table_comment(name),
        }
        for name in names
    }


def _used(engine: sa.Engine, metadata: sa.MetaData) -> Mapping[str, Any]:
    customer, orders = metadata.tables["customer"], metadata.tables["orders"]
    with Session(engine) as session, session.begin():
        made = session.execute(sa.insert(customer).returning(customer.c.id), [{"name": "ann"}, {"name": "bob"}]).all()
        placed = [{"customer_id": id_, "amount": 7, "tags": ["a"], "details": {"n": id_}} for (id_,) in made]
        session.execute(sa.insert(orders), placed)
        try:
            with session.begin_nested():
                session.execute(sa.insert(customer), [{"name": "ann"}])
        except IntegrityError as error:
            refused = type(error.orig).__name__
        total = sa.select(customer.c.name, orders.c.doubled, orders.c.details["n"].astext).join(orders).order_by("name")
        who = session.execute(sa.text("SELECT current_user, current_setting('is_superuser')")).one()
        return {"refused": refused, "rows": [[*row] for row in session.execute(total)], "as": [*who]}


first, second = _first(), _second()
command.init(_config(first), "migrations")
shutil.copy(Path(__file__).with_name("alembic_env.py"), "migrations/env.py")
told: dict[str, Any] = {"first": _written(first, "one"), "second": _written(second, "two")}
engine = sa.create_engine("postgresql+psycopg://")
told["after second"] = _inspected(engine)
command.check(_config(second))
told["used"] = _used(engine, second)
command.downgrade(_config(second), "one")
told["after downgrade"] = _inspected(engine)
with engine.begin() as connection:
    connection.exec_driver_sql("DROP TYPE order_state")  # which Alembic leaves
command.upgrade(_config(second), "head")
command.current(_config(second), verbose=False)
command.downgrade(_config(second), "base")
told |= {"left": sa.inspect(engine).get_table_names(), "said": _SAID.getvalue().splitlines()[-3:]}
print(json.dumps(told, default=str))
