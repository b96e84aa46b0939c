"""Slice ids of 4 bytes in place of 8, and buckets that go with their slice without a foreign key.

A bucket's row and its index entry lose 8 bytes each. The foreign key asked for the slice of every
row that was written. The store now holds the slices of an answer once (ingest.store.slices), and a
trigger deletes buckets with their slice; together they leave no bucket without a slice, as the
foreign key did: see ingest/models/usage.py.

One transaction: a migration that is stopped midway has changed nothing, and runs again from its
beginning. It locks both tables against everybody while every partition is written anew, some
10 seconds per GB, and needs as much room on the disk again until it ends. It fails, and changes
nothing, where a slice id is beyond 2,147,483,647.
"""

import django.db.models.deletion
from django.db import migrations, models

# Slices before buckets, as the store and the readers take them. The sequence of an identity
# column follows its type.
SMALLER = """
LOCK TABLE ingest_slice, ingest_usagebucket IN ACCESS EXCLUSIVE MODE;
ALTER TABLE ingest_usagebucket DROP CONSTRAINT ingest_usagebucket_slice_id_fkey;
ALTER TABLE ingest_slice ALTER COLUMN id TYPE integer;
ALTER TABLE ingest_usagebucket ALTER COLUMN slice_id TYPE integer;
CREATE FUNCTION ingest_delete_buckets_of_slices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM ingest_usagebucket WHERE slice_id IN (SELECT id FROM gone);
    RETURN NULL;
END
$$;
CREATE TRIGGER ingest_slice_with_its_buckets AFTER DELETE ON ingest_slice
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION ingest_delete_buckets_of_slices();
"""
LARGER = """
LOCK TABLE ingest_slice, ingest_usagebucket IN ACCESS EXCLUSIVE MODE;
DROP TRIGGER ingest_slice_with_its_buckets ON ingest_slice;
DROP FUNCTION ingest_delete_buckets_of_slices();
ALTER TABLE ingest_slice ALTER COLUMN id TYPE bigint;
ALTER TABLE ingest_usagebucket ALTER COLUMN slice_id TYPE bigint;
ALTER TABLE ingest_usagebucket ADD CONSTRAINT ingest_usagebucket_slice_id_fkey
    FOREIGN KEY (slice_id) REFERENCES ingest_slice (id) ON DELETE CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("ingest", "0007_pushed_hour_versions")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(SMALLER, LARGER)],
            state_operations=[
                migrations.AlterField(
                    model_name="slice",
                    name="id",
                    field=models.AutoField(primary_key=True, serialize=False),
                ),
                migrations.AlterField(
                    model_name="usagebucket",
                    name="slice",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="ingest.slice",
                    ),
                ),
            ],
        )
    ]
