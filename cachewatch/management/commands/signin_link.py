"""`cachewatch signin-link EMAIL`: another one-time link for somebody who lost the first."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from cachewatch.accounts import queries
from cachewatch.accounts.links import make_sign_in_link


class Command(BaseCommand):
    help = "Prints a one-time sign-in link for a member, good for 24 hours."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the member's e-mail address")

    def handle(self, *_args: Any, **options: Any) -> None:
        email = options["email"].strip().lower()
        user = queries.members().filter(email=email).first()
        if user is None:
            known = ", ".join(queries.members().values_list("email", flat=True)) or "nobody"
            raise CommandError(f"{email} is not a member; members are: {known}")
        self.stdout.write(make_sign_in_link(user=user, now=timezone.now()).url)
