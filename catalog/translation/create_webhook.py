"""CREATE SOURCE … FROM WEBHOOK."""

from __future__ import annotations

from collections.abc import Callable

from catalog.changes.change import Change
from catalog.nouns.notices import Notice
from catalog.nouns.webhooks import WebhookSource
from catalog.state.allocate import IdAllocator
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.catalog_view import QualifiedName
from planner.plans.sources import CreateWebhookPlan

_OPEN = "the webhook source has no CHECK: whoever reaches the server's HTTP port can write to it"


def translate_create_webhook(
    plan: CreateWebhookPlan,
    allocator: IdAllocator,
    create: Callable[[QualifiedName, WebhookSource, GlobalId], Change],
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    source = WebhookSource(RelationDesc(plan.format.columns), plan.format, plan.retain_history_ms)
    notices = (Notice(Sqlstate.SUCCESSFUL_COMPLETION, _OPEN),) if plan.format.check is None else ()
    return (create(plan.name, source, allocator.user_id()),), notices
