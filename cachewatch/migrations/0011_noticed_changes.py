from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cachewatch", "0010_activity_of_markers"),
    ]

    operations = [
        migrations.AddField(
            model_name="readoutwatch",
            name="noticed",
            field=models.JSONField(default=list),
        ),
    ]
