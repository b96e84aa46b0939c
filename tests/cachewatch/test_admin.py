"""Django's admin: every model of the product can be looked at, and none be changed."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client

from cachewatch.accounts.models import User
from cachewatch.rollouts.services import NewMarker, record_marker
from cachewatch.rollouts.targets import series_target
from cachewatch.worklist.services import add_comment, follow_verdicts, set_step, set_team_note
from ingest.models import Series, Source
from tests.cachewatch.worklist.test_following import now_after, opened
from tests.factories import HOUR, at

MODELS = [
    one for one in apps.get_app_config("cachewatch").get_models() if not one._meta.auto_created
]


def test_every_model_of_the_product_is_registered() -> None:
    assert [one.__name__ for one in MODELS if not admin.site.is_registered(one)] == []


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.__name__)
def test_its_rows_can_be_listed_and_opened_and_not_be_changed(
    acme: Source, alice: User, client: Client, model: type
) -> None:
    worked_on(acme, alice)
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    alice.refresh_from_db()
    client.force_login(alice)
    name = f"/admin/cachewatch/{model.__name__.lower()}/"
    assert client.get(name).status_code == 200
    assert client.get(f"{name}add/").status_code == 403
    row = model._default_manager.first()
    if row is not None:
        assert client.get(f"{name}{row.pk}/change/").status_code == 200
        assert client.post(f"{name}{row.pk}/change/", {}).status_code == 403


def worked_on(acme: Source, by: User) -> None:
    """A finding with a ticked step, a note, a comment and a marker with its readout."""
    finding, now = opened(acme), now_after(7)
    series = Series.objects.get(pk=finding.series_id)
    set_step(series, "busy-day-by-minute", "done", by=by, now=now)
    set_team_note(series, "ask the gateway team", version=0, by=by, now=now)
    add_comment(series, "looked at it", by=by, now=now)
    target = series_target(acme, series.project_id, series.model)
    record_marker(NewMarker(target, "key-shipped", at(HOUR + 24 * 7)), by=by, now=now)
    follow_verdicts(acme, now=now)
