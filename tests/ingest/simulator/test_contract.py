"""The simulator against the provider's published contract, kept beside the repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from ingest.simulator.access import DEMO_KEY

from .conftest import ANCHOR_HOUR, caller_of

CONTRACT = (
    Path(__file__).parents[4] / "shared" / "data" / "openapi" / "openai-usage-slice.2026-11.json"
)
OPERATIONS = 16
EXAMPLES_PER_OPERATION = 10
PATIENCE_S = 120
RECENT = (ANCHOR_HOUR - 50) * 3600

every_call = settings(
    max_examples=EXAMPLES_PER_OPERATION,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize(
    ("lenient", "start_time"),
    [(False, None), (False, RECENT), (True, None), (True, RECENT)],
    ids=["strict", "strict, recent start", "lenient", "lenient, recent start"],
)
def test_no_generated_call_meets_a_server_error_or_a_body_outside_the_contract(
    serving, lenient, start_time
):
    if not CONTRACT.exists():
        pytest.skip(f"the provider's contract is not beside the repository: {CONTRACT}")
    schema = schemathesis.openapi.from_dict(json.loads(CONTRACT.read_text()))
    schema.config.update(base_url=serving(caller_of(lenient)) + "/v1")
    operations = [result.ok() for result in schema.get_all_operations()]
    statuses = [status for one in operations for status in statuses_of(one, start_time)]
    assert len(operations) == OPERATIONS
    assert set(statuses) <= {200, 400, 404}
    if lenient:
        assert statuses.count(200) > len(statuses) / 2


def statuses_of(operation, start_time) -> list[int]:
    """Call an operation with generated parameters and check each answer."""
    seen = []

    @every_call
    @given(operation.as_strategy())
    def call(case):
        if start_time is not None and "start_time" in case.query:
            case.query["start_time"] = start_time
        response = case.call(headers={"Authorization": f"Bearer {DEMO_KEY}"}, timeout=PATIENCE_S)
        checks = [not_a_server_error]
        if response.status_code == 200:
            checks.append(response_schema_conformance)
        case.validate_response(response, checks=checks)
        seen.append(response.status_code)

    call()
    return seen
