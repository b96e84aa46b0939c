"""Requests that went to Azure are told by the model or the provider that a log names."""

from __future__ import annotations

from io import BytesIO

from cachewatch.analysis.requests.analyse import analyse_each
from cachewatch.evidence.azure import azure_requests, azure_words
from cachewatch.evidence.fact_words import fact_words
from cachewatch.evidence.log import collect
from cachewatch.evidence.stored import stored_document
from ingest.request_logs import NamedStream, read
from tests.cachewatch.evidence.logs import lines, replay

NO_PRICES = {"total": None, "by_cause": {}, "priced_by_cause": {}, "priced_tokens": 0, "models": []}


def log_of(rows):
    return collect(read([NamedStream("replay.jsonl", BytesIO(lines(rows)))]))


def test_azure_is_told_by_the_models_name_or_by_the_providers_column():
    assert azure_requests(log_of(replay(model="azure/gpt-5.4")).batch) == 33
    assert azure_requests(log_of(replay(custom_llm_provider="azure")).batch) == 33
    assert azure_requests(log_of(replay(provider="azure.ai.openai")).batch) == 33
    assert azure_requests(log_of(replay(custom_llm_provider="openai")).batch) == 0
    assert azure_requests(log_of(replay(model="my-azure/gpt-5.4")).batch) == 0


def test_what_differs_at_azure_stands_among_the_facts():
    rows = [row | {"model": "azure/gpt-5.4"} if n < 10 else row for n, row in enumerate(replay())]
    log = log_of(rows)
    stored = stored_document(log, analyse_each(log.batch), NO_PRICES)
    facts = dict(fact_words(stored, 0, 0))
    assert facts["Azure"] == azure_words(10, 33)
    assert facts["Azure"].startswith("10 of 33 requests went there. OpenAI's usage API does not")


def test_without_azure_nothing_is_said_of_it():
    log = log_of(replay())
    stored = stored_document(log, analyse_each(log.batch), NO_PRICES)
    assert "Azure" not in dict(fact_words(stored, 0, 0))
