"""Two groups of workers, each with a local folder of its own, on one database and broker over TCP."""

import pytest

from tests.bench.parts import tiny


@pytest.mark.stack
@pytest.mark.timeout(1800)
def test_two_groups_share_ingest_and_classification_and_nothing_is_doubled():
    found = tiny("two_groups")
    after = found["after_two_groups"]
    assert not found["doubled"]
    assert (after["failed_runs"], after["rows_read_twice"]) == (0, 0)
    assert after["rows"] == after["rows_new"]
    assert after["newest_verdicts"] == after["series"] == 16
    assert after["verdicts"] >= after["series"]
