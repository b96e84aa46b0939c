from typing import Any

from django.db import migrations, models
from django.db.models import F


def fill_asked_start_hour(apps: Any, _schema_editor: Any) -> None:
    """Until now the span of the newest request stood in the place of the span of the rows."""
    apps.get_model("ingest", "SeriesMinutes").objects.update(asked_start_hour=F("start_hour"))


class Migration(migrations.Migration):
    dependencies = [
        ("ingest", "0003_series_minutes"),
    ]

    operations = [
        migrations.AddField(
            model_name="seriesminutes",
            name="by_hand",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="seriesminutes",
            name="asked_start_hour",
            field=models.IntegerField(null=True),
        ),
        migrations.RunPython(fill_asked_start_hour, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="seriesminutes",
            name="asked_start_hour",
            field=models.IntegerField(),
        ),
    ]
