"""The Django app that holds every step's models under one label."""

from django.apps import AppConfig


class CachewatchConfig(AppConfig):
    """One app for all steps, so that migrations form one line."""

    name = "cachewatch"
    default_auto_field = "django.db.models.BigAutoField"
