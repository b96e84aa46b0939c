from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cachewatch", "0002_avoidable"),
    ]

    operations = [
        migrations.AddField(
            model_name="verdict",
            name="flags",
            field=models.JSONField(default=list),
        ),
    ]
