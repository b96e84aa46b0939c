"""The Django app that holds every step's models under one label."""

from django.apps import AppConfig


class CachewatchConfig(AppConfig):
    """One app for all steps, so that migrations form one line."""

    name = "cachewatch"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Bind tasks to the Celery app in every process: the web server queues work too."""
        from cachewatch import celery

        celery.app.set_default()
