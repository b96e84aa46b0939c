"""`cachewatch rotate-keys`: stored admin keys under the newest of CACHEWATCH_FIELD_KEYS."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ingest import services


class Command(BaseCommand):
    help = (
        "Encrypts every stored admin key with the first of CACHEWATCH_FIELD_KEYS, so that the others"
        " can be taken out. Stopped midway, it goes on when run again."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        done = services.rotate_stored_keys()
        self.stdout.write(f"written anew: {done.rotated}; current before: {done.current}")
        if done.unreadable:
            raise CommandError(
                f"no field key opens the admin key of {', '.join(done.unreadable)}: put the key it"
                " was stored under behind the first one, or enter the admin key again"
            )
        older = len(settings.FIELD_KEYS) - 1
        if older:
            keys, them = ("key opens", "it") if older == 1 else ("keys open", "them")
            self.stdout.write(
                f"The older {keys} nothing any more: take {them} out of CACHEWATCH_FIELD_KEYS and"
                " restart."
            )
