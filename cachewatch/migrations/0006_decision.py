import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cachewatch", "0005_worklist"),
    ]

    operations = [
        migrations.AddField(
            model_name="verdict", name="window_facts", field=models.JSONField(null=True)
        ),
        migrations.AddField(
            model_name="verdict", name="daily_facts", field=models.JSONField(null=True)
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "series",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="decision",
                        serialize=False,
                        to="ingest.series",
                    ),
                ),
                ("code", models.CharField(max_length=40)),
                ("is_finding", models.BooleanField()),
                ("since_day", models.DateField()),
                ("decided_on", models.DateField()),
                ("confirmed", models.BooleanField()),
                ("agreeing", models.PositiveSmallIntegerField()),
                ("windows", models.PositiveSmallIntegerField()),
                ("cause", models.CharField(blank=True, default="", max_length=16)),
                ("pending_code", models.CharField(blank=True, default="", max_length=40)),
                ("first_hour", models.IntegerField()),
                ("rules_version", models.CharField(max_length=40)),
                ("thresholds_key", models.CharField(max_length=64)),
                ("by_minutes", models.BooleanField()),
                ("is_due", models.BooleanField(default=False)),
                ("decided_at", models.DateTimeField()),
            ],
        ),
    ]
