"""Whatever is uploaded: refused or read in words, no fault of the server, no zero that was not sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from cachewatch.accounts.models import User
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services.states import FAILED_HERE
from cachewatch.tasks import read_evidence
from ingest.models import Source
from tests.cachewatch.api.evidence_calls import send
from tests.cachewatch.people import Caller
from tests.ingest.request_logs.sample_rows import ROWS
from tests.ingest.request_logs.test_fuzzing import READABLE, TEXT, damaged

FEW = examples(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def _own_folder_without_a_limit(settings: Any, tmp_path: Path) -> None:
    settings.LOCAL_DIR = tmp_path
    settings.COSTLY_REQUESTS_PER_MINUTE = settings.CALLER_REQUESTS_PER_MINUTE = 100_000


def told(caller: Caller, content: bytes, log_format: str) -> dict[str, Any] | None:
    """The page of an import; None where it was refused in words."""
    answer = send(caller, content, f"&format={log_format}")
    if answer.status_code == 422:
        assert all(field["message"] for field in answer.json()["error"]["fields"])
        return None
    assert answer.status_code == 202
    read_evidence()
    page: dict[str, Any] = caller.get(f"/evidence/{answer.json()['id']}").json()
    assert page["state"] in ("done", "failed")
    assert page["heading"]
    assert page["heading"] != FAILED_HERE
    assert page["markdown"]
    assert caller.client.get("/evidence.csv").status_code == 200
    return page


def without_wrong_zeros(page: dict[str, Any] | None) -> None:
    if page is None or page["numbers"] is None:
        return
    pooled, numbers = page["pooled"], page["numbers"]
    assert page["requests"] > 0
    assert (pooled["share"] is None) == (pooled["input_tokens"] == 0)
    assert pooled["share"] is None or pooled["cached_tokens"] > 0
    for point in numbers["points"]:
        assert point["input_tokens"] > 0
        assert point["cached_tokens"] > 0
    assert all(arm["zeros"] == 0 for arm in numbers["arms"])
    for part in numbers["missed"]:
        assert (part["usd"] is None) == (part["cost"] == "N/A")
        assert part["usd"] != 0 or part["tokens"] == 0


@pytest.mark.parametrize("name", READABLE)
@FEW
@given(rows=st.data())
def test_a_damaged_log_of_each_format_is_read_or_refused_without_a_wrong_zero(
    bob: User, acme: Source, name: str, rows: st.DataObject
) -> None:
    bad = rows.draw(st.lists(damaged(name), min_size=1, max_size=3))
    kept = [json.dumps(row) for row in (ROWS[name], *bad)]
    content = "\n".join(kept).encode("utf-8", "surrogatepass")
    cut = content[: rows.draw(st.sampled_from([len(content), len(content) - 7, 40]))]
    without_wrong_zeros(told(Caller(bob), cut, rows.draw(st.sampled_from(["auto", name]))))
    EvidenceImport.objects.all().delete()


@FEW
@given(content=st.binary(max_size=300) | TEXT.map(str.encode), name=st.sampled_from(READABLE))
def test_any_bytes_are_read_or_refused_in_words(
    bob: User, acme: Source, content: bytes, name: str
) -> None:
    for log_format in ("auto", name):
        told(Caller(bob), content, log_format)
    EvidenceImport.objects.all().delete()
