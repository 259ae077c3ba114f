"""Has a project of Django's migrate, ask and be looked at in the current directory, which holds its application, shop.

Where the database is stands in libpq's variables. What came of each step is printed as JSON.
"""

import datetime
import io
import json
import os
from collections.abc import Mapping
from typing import Any

import django  # type: ignore[import-not-found,unused-ignore]
from django.conf import settings  # type: ignore[import-not-found,unused-ignore]
from django.core.management import call_command  # type: ignore[import-not-found,unused-ignore]
from django.db import IntegrityError, connection, transaction  # type: ignore[import-not-found,unused-ignore]
from django.db.models import Avg, Count, Exists, F, OuterRef, Q, Sum, Window  # type: ignore[import-not-found,unused-ignore]
from django.db.models.functions import RowNumber, TruncMonth, Upper  # type: ignore[import-not-found,unused-ignore]

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "shop"],
    DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    USE_TZ=True,
)
django.setup()

from django.contrib.auth.models import Permission, User  # type: ignore[import-not-found,unused-ignore] # noqa: E402
from shop.models import Customer, Order  # type: ignore[import-not-found,unused-ignore] # noqa: E402


def _commanded(*words: str) -> str:
    """What a command of manage.py's says."""
    said = io.StringIO()
    call_command(*words, stdout=said, no_color=True)
    return said.getvalue()


def _migrated() -> Mapping[str, Any]:
    made = _commanded("makemigrations", "shop")
    done = _commanded("migrate")
    return {
        "made": made,
        "done": done,
        "again": _commanded("migrate"),
        "check": _commanded("makemigrations", "--check", "--dry-run"),
        "applied": _commanded("showmigrations"),
        "permissions": sorted(Permission.objects.values_list("codename", flat=True)),
    }


def _filled() -> None:
    day = datetime.date(2026, 1, 30)
    with transaction.atomic():
        for name in ("ann", "bob", "cid"):
            Customer.objects.create(name=name)
        ann, bob = Customer.objects.get(name="ann"), Customer.objects.get(name="bob")
        ann.friends.add(bob)
        Order.objects.bulk_create(
            Order(
                customer=who,
                amount=10 * n + 1,
                placed=day + datetime.timedelta(n),
                tags=["a", f"t{n}"],
                details={"n": n},
            )
            for n in range(6)
            for who in (ann, bob)
        )
        User.objects.create_user("clerk", password="secret")


def _asked() -> Mapping[str, Any]:
    orders = Order.objects
    by_customer = Customer.objects.annotate(n=Count("orders"), total=Sum("orders__amount")).order_by("name")
    numbered = orders.annotate(n=Window(RowNumber(), partition_by="customer", order_by=F("placed").desc()))
    has_big = Exists(orders.filter(customer=OuterRef("pk"), amount__gt=50))
    return {
        "totals": list(by_customer.values_list("name", "n", "total")),
        "mean": orders.aggregate(Avg("amount"), Count("customer", distinct=True)),
        "months": list(orders.annotate(m=TruncMonth("placed")).values("m").annotate(n=Count("pk")).order_by("m")),
        "joined": list(
            orders.select_related("customer").filter(placed__day=31).values_list("customer__name", "amount")
        ),
        "either": orders.filter(Q(amount__lt=5) | Q(customer__name__icontains="B")).count(),
        "with_big": list(Customer.objects.filter(has_big).order_by("name").values_list("name", flat=True)),
        "last": sorted((row.customer_id, str(row.amount)) for row in numbered if row.n == 1),
        "json": list(orders.filter(details__n__gte=5).order_by("pk").values_list("details__n", "tags__0")),
        "array": orders.filter(tags__contains=["t3"]).count(),
        "upper": list(Customer.objects.annotate(u=Upper("name")).order_by("-u").values_list("u", flat=True)),
        "friends": [list(each.friends.values_list("name", flat=True)) for each in Customer.objects.order_by("name")],
        "fetched": [len(each.orders.all()) for each in Customer.objects.prefetch_related("orders").order_by("pk")],
        "iterated": sum(1 for _ in orders.iterator(chunk_size=5)),
        "clerk": User.objects.get(username="clerk").check_password("secret"),
        "explained": bool(orders.all().explain()),
    }


def _changed() -> Mapping[str, Any]:
    updated = Order.objects.filter(customer__name="bob").update(amount=F("amount") + 1)
    refused = []
    with transaction.atomic():
        for values in ({"name": "ann"}, {"name": None}):
            try:
                with transaction.atomic():
                    Customer.objects.create(**values)
            except IntegrityError as error:
                refused.append(type(error.__cause__).__name__)
        kept = Customer.objects.select_for_update().get(name="cid")
        kept.joined = datetime.datetime(2026, 2, 1, tzinfo=datetime.UTC)
        kept.save()
    try:
        Order.objects.update(amount=-1)
    except IntegrityError as error:
        refused.append(type(error.__cause__).__name__)
    return {
        "updated": updated,
        "refused": refused,
        "found": Customer.objects.get_or_create(name="dee")[1],
        "merged": Customer.objects.update_or_create(name="dee", defaults={"joined": None})[1],
        "deleted": Customer.objects.filter(name="ann").delete(),
        "left": list(Customer.objects.order_by("name").values_list("name", "joined")),
        "ignored": len(
            Customer.objects.bulk_create([Customer(name="bob"), Customer(name="eve")], ignore_conflicts=True)
        ),
        "orders": Order.objects.count(),
    }


def _secured() -> object:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_setting('is_superuser')")
        return cursor.fetchone()


told: dict[str, Any] = {"migrated": _migrated(), "as": _secured()}
_filled()
told |= {"asked": _asked(), "changed": _changed(), "inspected": _commanded("inspectdb")}
told["back"] = _commanded("migrate", "shop", "zero")
told["tables"] = sorted(connection.introspection.table_names())
print(json.dumps(told, default=str))
