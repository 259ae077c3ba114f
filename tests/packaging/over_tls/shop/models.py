"""The application's tables, by Django's own words."""

from django.contrib.postgres.fields import ArrayField  # type: ignore[import-not-found,unused-ignore]
from django.db import models  # type: ignore[import-not-found,unused-ignore]


class Customer(models.Model):  # type: ignore[misc,unused-ignore]
    name = models.CharField(max_length=40, unique=True)
    joined = models.DateTimeField(null=True)
    friends = models.ManyToManyField("self")


class Order(models.Model):  # type: ignore[misc,unused-ignore]
    customer = models.ForeignKey(Customer, models.CASCADE, related_name="orders")
    amount = models.DecimalField(max_digits=10, decimal_places=2, db_default=0)
    tags = ArrayField(models.TextField(), default=list)
    details = models.JSONField(default=dict)
    placed = models.DateField(db_index=True)
    number = models.UUIDField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=models.Q(amount__gte=0), name="paid_for"),
            models.UniqueConstraint(fields=("customer", "placed"), condition=models.Q(amount__gt=100), name="one_big"),
        )
        indexes = (models.Index(fields=("customer", "-placed")),)
