from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingest", "0008_slices_of_four_bytes")]

    operations = [
        # Null for hours read before: they are compared row by row once more. No table is rewritten.
        migrations.AddField(
            model_name="sourcehour",
            name="rows_digest",
            field=models.BinaryField(max_length=16, null=True),
        ),
    ]
