import django.db.models.deletion
from django.db import migrations, models

# The change of a marker was named in the fields alone; of two entries of one change the first is it.
_FILL = """
UPDATE cachewatch_activity noted SET marker_change_id = first.change_id
FROM (
    SELECT min(row.id) AS id, change.id AS change_id
    FROM cachewatch_activity row
    JOIN cachewatch_markerchange change ON change.id = (row.fields -> 'marker_change' ->> 1)::bigint
    WHERE row.fields ? 'marker_change'
    GROUP BY change.id
) first
WHERE noted.id = first.id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("cachewatch", "0009_readouts_due"),
    ]

    operations = [
        migrations.AddField(
            model_name="activity",
            name="marker_change",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="activity",
                to="cachewatch.markerchange",
            ),
        ),
        migrations.RunSQL(_FILL, migrations.RunSQL.noop),
    ]
