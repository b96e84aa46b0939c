"""Usage buckets, partitioned by hour from the start; the store makes the partitions it needs.

There is no default partition on purpose: a row for an hour without a partition is a fault to see.
"""

import django.db.models.deletion
from django.db import migrations, models

CREATE = """
CREATE TABLE ingest_usagebucket (
    slice_id bigint NOT NULL REFERENCES ingest_slice (id) ON DELETE CASCADE,
    hour integer NOT NULL,
    requests bigint,
    input_tokens bigint,
    cached_tokens bigint,
    cache_write_tokens bigint,
    cache_write_30m_tokens bigint,
    cache_write_12h_tokens bigint,
    uncached_tokens bigint,
    output_tokens bigint,
    PRIMARY KEY (slice_id, hour)
) PARTITION BY RANGE (hour);
"""
DROP = "DROP TABLE ingest_usagebucket;"


def _count() -> models.BigIntegerField:
    return models.BigIntegerField(null=True)


class Migration(migrations.Migration):
    dependencies = [("ingest", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(CREATE, DROP)],
            state_operations=[
                migrations.CreateModel(
                    name="UsageBucket",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "slice_id",
                                "hour",
                                blank=True,
                                editable=False,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("hour", models.IntegerField()),
                        ("requests", _count()),
                        ("input_tokens", _count()),
                        ("cached_tokens", _count()),
                        ("cache_write_tokens", _count()),
                        ("cache_write_30m_tokens", _count()),
                        ("cache_write_12h_tokens", _count()),
                        ("uncached_tokens", _count()),
                        ("output_tokens", _count()),
                        (
                            "slice",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                to="ingest.slice",
                            ),
                        ),
                    ],
                )
            ],
        )
    ]
