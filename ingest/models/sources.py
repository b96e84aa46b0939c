"""Sources, and the names of what they hold."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class Source(models.Model):
    """One organization at one provider, or one gateway that pushes what it saw.

    A pushed source has no address, no key and no backfill: nothing that reads a provider may touch
    it.
    """

    class Kind(models.TextChoices):
        """Where the numbers come from."""

        OPENAI = "openai", "OpenAI organization"
        DEMO = "demo", "demo data"
        REQUESTS = "requests", "pushed requests"
        BUCKETS = "buckets", "pushed buckets"

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=16, choices=Kind, default=Kind.OPENAI)
    base_url = models.URLField(max_length=500, blank=True, default="")
    key_encrypted = models.BinaryField(null=True, editable=False)
    key_variable = models.CharField(max_length=100, blank=True, default="")
    key_hint = models.CharField(max_length=32, blank=True, default="")
    grouping = models.JSONField(default=list)
    refused_grouping = models.JSONField(default=list)
    backfill_days = models.PositiveIntegerField(default=365)
    lookback_hour = models.IntegerField(null=True)
    settle_minutes = models.PositiveIntegerField(default=60)
    time_zone = models.CharField(max_length=64, default="UTC")
    zero_retention = models.BooleanField(null=True)
    retention = models.CharField(max_length=32, blank=True, default="")
    paused = models.BooleanField(default=False)
    removed_at = models.DateTimeField(null=True)
    scopes = models.JSONField(default=dict)
    problem = models.TextField(blank=True, default="")
    probed_at = models.DateTimeField(null=True)
    names_read_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="source_key_stored_or_named",
                condition=Q(key_variable="") | Q(key_encrypted__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def is_pushed(self) -> bool:
        """Whether others send its numbers; no provider is read for it."""
        return self.kind in PUSHED_KINDS


PUSHED_KINDS = (Source.Kind.REQUESTS, Source.Kind.BUCKETS)


class Project(models.Model):
    """A project's name, read from the provider."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="projects")
    project_id = models.CharField(max_length=200)
    name = models.CharField(max_length=300, null=True)
    archived = models.BooleanField(default=False)
    names_problem = models.TextField(blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "project_id"], name="project_unique"),
        ]

    def __str__(self) -> str:
        return self.name or self.project_id


class ApiKeyName(models.Model):
    """The name of an API key, as the provider lists it. Never the key itself."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="api_key_names")
    api_key_id = models.CharField(max_length=200)
    project_id = models.CharField(max_length=200)
    name = models.CharField(max_length=300, null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "api_key_id"], name="api_key_name_unique"),
        ]

    def __str__(self) -> str:
        return self.name or self.api_key_id
