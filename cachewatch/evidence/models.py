"""Logs of requests that were imported, each with what it shows. Their rows are not kept."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class EvidenceImport(models.Model):
    """One log, read once: what it was, what was left out, and its findings.

    `content_key` is the SHA-256 of the content and of the options it was read with, so that the
    same log is one import however often it is sent. `document` is what stored.py makes; null until
    read. It holds counts, codes and settings; no prompt, and no identity, hashed or not.
    `file_name` comes without a folder. `excluded`: rows left out of rates by reason.

    Until the log was read, `spool` says where its files wait: name, place in the folder for uploads
    and bytes of each. `bytes_read` of `bytes_total` are read, as stored. `attempts`: how often a
    reading began; `error_field`: the field of the form that `error` is about.
    """

    class State(models.TextChoices):
        """A running one whose process died is queued again by the next look, and failed in the end."""

        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    source = models.ForeignKey("ingest.Source", models.CASCADE, related_name="evidence")
    series = models.ForeignKey("ingest.Series", models.SET_NULL, null=True, related_name="evidence")
    content_key = models.CharField(max_length=64)
    file_name = models.CharField(max_length=200)
    asked_format = models.CharField(max_length=40)
    by = models.JSONField(default=list)
    state = models.CharField(max_length=16, choices=State, default=State.RUNNING)
    error = models.TextField(blank=True, default="")
    error_field = models.CharField(max_length=20, blank=True, default="")
    spool = models.JSONField(default=list)
    bytes_total = models.PositiveBigIntegerField(null=True)
    bytes_read = models.PositiveBigIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    format = models.CharField(max_length=40, blank=True, default="")
    format_reason = models.TextField(blank=True, default="")
    requests = models.PositiveIntegerField(null=True)
    duplicates = models.PositiveIntegerField(null=True)
    excluded = models.JSONField(default=dict)
    rejected_count = models.PositiveIntegerField(null=True)
    rejected = models.JSONField(default=list)
    verdict = models.CharField(max_length=40, blank=True, default="")
    document = models.JSONField(null=True)
    rules_version = models.CharField(max_length=40, blank=True, default="")
    created_by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["source", "content_key"], name="evidence_once_per_source"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["source", "-created_at"], name="evidence_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"
