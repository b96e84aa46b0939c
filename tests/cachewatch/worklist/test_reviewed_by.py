"""The step whose tick says that a series was reviewed stands in every list that it may have."""

from __future__ import annotations

import pytest

from cachewatch.analysis.controls.control import Control
from cachewatch.analysis.repairs import repairs
from cachewatch.worklist.attention import REVIEWED_BY

STANDINGS = (
    (),
    (Control("fan-out", "fired", {}),),
    (Control("minutes", "ruled_out", {}), Control("expiring-prefixes", "open", {})),
)


@pytest.mark.parametrize("controls", STANDINGS)
@pytest.mark.parametrize("model", ["gpt-5.4", "gpt-5.6-terra"])
@pytest.mark.parametrize("code", REVIEWED_BY)
def test_every_list_of_a_verdict_to_review_has_the_step_that_reviews_it(code, model, controls):
    keys = [one.key for one in repairs(code, model, 6000.0, (), controls)]
    assert REVIEWED_BY[code] in keys
