from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingest", "0005_pushed_requests"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="pushedrequest",
            index=models.Index(
                fields=["source", "project_id", "model", "time"], name="pushed_request_series"
            ),
        ),
        migrations.AddIndex(
            model_name="sourcehour",
            index=models.Index(fields=["source", "fetched_at"], name="hour_fetched"),
        ),
    ]
