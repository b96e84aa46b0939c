"""The Django app of raw facts: what the provider said, and when."""

from django.apps import AppConfig


class IngestConfig(AppConfig):
    """Sources, series, buckets and runs."""

    name = "ingest"
    default_auto_field = "django.db.models.BigAutoField"
