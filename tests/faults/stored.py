"""Everything that is stored of one source, as rows that compare between two sources.

Ids, moments of the run itself and counters of writes are left out: all else has to be equal.
"""

from __future__ import annotations

from typing import Any

import psycopg

Rows = list[tuple[Any, ...]]
_SERIES = "series.project_id, series.model"
_OF_SERIES = (
    "JOIN ingest_series series ON series.id = one.series_id WHERE series.source_id = %(source)s"
)
_VERDICT = """
    day, code, published_state, is_newest, since_day, flipped_from, window_start_hour,
    window_end_hour, rho, quiet_share, busy_share, quiet_rate, busy_rate, pooled_share,
    input_tokens, cached_tokens, requests, linked_hours, excluded, avoidable_tokens_low,
    avoidable_tokens_high, avoidable_usd_low, avoidable_usd_high, avoidable_basis, reference_share,
    price_date, priced_share, flags, evidence, window_facts, daily_facts, rules_version,
    thresholds_key
"""
_DECISION = """
    code, is_finding, since_day, decided_on, confirmed, agreeing, windows, cause, pending_code,
    one.first_hour, rules_version, thresholds_key, by_minutes, is_due
"""
QUERIES = {
    "buckets": f"""
        SELECT {_SERIES}, one.grouping, one.api_key_id, one.service_tier, one.batch, bucket.hour,
            bucket.requests, bucket.input_tokens, bucket.cached_tokens, bucket.cache_write_tokens,
            bucket.cache_write_30m_tokens, bucket.cache_write_12h_tokens, bucket.uncached_tokens,
            bucket.output_tokens
        FROM ingest_usagebucket bucket JOIN ingest_slice one ON one.id = bucket.slice_id
        {_OF_SERIES} ORDER BY 1, 2, 3, 4, 5, 6, 7
    """,
    "hours": """
        SELECT hour, grouping FROM ingest_sourcehour WHERE source_id = %(source)s ORDER BY hour
    """,
    "series": """
        SELECT project_id, model, first_hour, last_hour FROM ingest_series
        WHERE source_id = %(source)s ORDER BY 1, 2
    """,
    "weeks": """
        SELECT start_hour, state, note FROM ingest_backfillweek WHERE source_id = %(source)s
        ORDER BY start_hour
    """,
    "names": """
        SELECT project_id, name, archived, names_problem FROM ingest_project
        WHERE source_id = %(source)s ORDER BY 1
    """,
    "revisions": f"""
        SELECT {_SERIES}, one.hour, one.nth, one.before, one.after FROM ingest_bucketrevision one
        {_OF_SERIES} ORDER BY 1, 2, 3, 4
    """,
    "rejects": """
        SELECT hour, dimensions, field, reason, sent FROM ingest_reject
        WHERE source_id = %(source)s ORDER BY 1, 2, 3
    """,
    "running": """
        SELECT count(*) FROM ingest_ingestrun
        WHERE source_id = %(source)s AND status = 'running'
    """,
    "counted": """
        SELECT (SELECT count(*) FROM ingest_usagebucket bucket
                JOIN ingest_slice slice ON slice.id = bucket.slice_id
                JOIN ingest_series series ON series.id = slice.series_id
                WHERE series.source_id = %(source)s)
            = (SELECT coalesce(sum(rows_new) - sum(rows_removed), 0) FROM ingest_ingestrun
               WHERE source_id = %(source)s)
    """,
    "verdicts": f"""
        SELECT {_SERIES}, {_VERDICT} FROM cachewatch_verdict one {_OF_SERIES} ORDER BY 1, 2, 3
    """,
    "decisions": f"""
        SELECT {_SERIES}, {_DECISION} FROM cachewatch_decision one {_OF_SERIES} ORDER BY 1, 2
    """,
    "findings": f"""
        SELECT {_SERIES}, one.code, one.state FROM cachewatch_finding one {_OF_SERIES}
        ORDER BY 1, 2, 3
    """,
    "markers": f"""
        SELECT one.external_id, one.scope, one.project_id, {_SERIES}, one.kind, one.state,
            one.starts_at, one.ends_at, one.link, one.note, one.proposal_key = '', one.version
        FROM cachewatch_marker one LEFT JOIN ingest_series series ON series.id = one.series_id
        WHERE one.source_id = %(source)s ORDER BY 1, 6, 4, 5
    """,
    "marker changes": """
        SELECT marker.external_id, one.action, one.fields FROM cachewatch_markerchange one
        JOIN cachewatch_marker marker ON marker.id = one.marker_id
        WHERE marker.source_id = %(source)s ORDER BY 1, 2
    """,
    "readouts": f"""
        SELECT marker.external_id, {_SERIES}, rollout.particulars, one.state, one.outcome,
            one.net_change, one.problem, one.document
        FROM cachewatch_readout one JOIN cachewatch_rollout rollout ON rollout.id = one.rollout_id
        JOIN cachewatch_marker marker ON marker.id = rollout.marker_id
        {_OF_SERIES} ORDER BY 1, 2, 3
    """,
    "imports": """
        SELECT content_key, file_name, state, error, format, requests, duplicates, excluded,
            rejected_count, rejected, verdict, document, rules_version
        FROM cachewatch_evidenceimport WHERE source_id = %(source)s ORDER BY 1
    """,
}


def stored(database: str, *slugs: str) -> list[dict[str, Rows]]:
    """What is stored of each of these sources, all seen at one moment."""
    with psycopg.connect(database) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return [of_source(connection, slug) for slug in slugs]


def of_source(connection: psycopg.Connection[Any], slug: str) -> dict[str, Rows]:
    """What is stored of one source, over a connection that is open."""
    found = connection.execute("SELECT id FROM ingest_source WHERE slug = %s", [slug]).fetchone()
    assert found is not None, f"no source {slug}"
    given = {"source": found[0]}
    return {
        name: connection.execute(query.encode(), given).fetchall()
        for name, query in QUERIES.items()
    }


def differences(one: dict[str, Rows], other: dict[str, Rows]) -> list[str]:
    """Where two sources differ, in words: the first row that only one of them has."""
    told = []
    for name in QUERIES:
        if one[name] != other[name]:
            left = [row for row in one[name] if row not in other[name]]
            right = [row for row in other[name] if row not in one[name]]
            told.append(
                f"{name}: {len(one[name])} and {len(other[name])} rows; "
                f"{len(left)} only in the first: {str(left[:1])[:900]}; "
                f"{len(right)} only in the second: {str(right[:1])[:900]}"
            )
    return told
