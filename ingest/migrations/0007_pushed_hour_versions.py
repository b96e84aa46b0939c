from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingest", "0006_indexes_of_looks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="pushedhour",
            name="rows_version",
            field=models.BigIntegerField(default=0),
        ),
    ]
