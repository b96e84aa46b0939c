"""The number of statements behind an answer does not grow with the number of series."""

import pytest

from tests.bench.parts import tiny


@pytest.mark.stack
@pytest.mark.timeout(900)
def test_answers_make_as_many_statements_at_twenty_series_as_at_five():
    found = tiny("answers")
    assert found["statements_constant"]
    assert all(few == many > 0 for few, many in found["statements"].values())
