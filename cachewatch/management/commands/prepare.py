"""`prepare`: what a start needs in the database. Safe to run at every start."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from cachewatch.accounts.links import make_sign_in_link
from cachewatch.accounts.services import ensure_owner
from ingest import queries, services


class Command(BaseCommand):
    help = (
        "Makes the first owner, the source of OPENAI_ADMIN_KEY and the demo source where they are"
        " missing; prints a sign-in link until the owner has a password."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo-url", help="where the bundled simulator listens")
        parser.add_argument(
            "--json",
            action="store_true",
            help='print one line {"sign_in_url": text or null, "demo_wanted": true or false}',
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        now = timezone.now()
        services.ensure_openai_source(now=now)
        if options["demo_url"] and settings.DEMO_ALLOWED:
            services.ensure_demo_source(usage_address(options["demo_url"]), now=now)
        else:
            # Nobody runs the simulator, so reading the demo could only fail.
            services.pause_demo()
        link = sign_in_url()
        if options["json"]:
            wanted = settings.DEMO_ALLOWED and not queries.has_real_source()
            self.stdout.write(json.dumps({"sign_in_url": link, "demo_wanted": wanted}))
        elif link is not None:
            self.stdout.write(f"Open {link}")


def usage_address(simulator_url: str) -> str:
    """Where the usage API of a simulator is: below /v1, as at the provider."""
    address = simulator_url.rstrip("/")
    return address if address.endswith("/v1") else f"{address}/v1"


def sign_in_url() -> str | None:
    """A new link for the configured owner; None where a password is set, or the role was taken."""
    owner = ensure_owner(email=settings.OWNER_EMAIL)
    if owner is None or owner.has_usable_password():
        return None
    return make_sign_in_link(user=owner, now=timezone.now()).url
