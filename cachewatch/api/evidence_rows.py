"""From stored imports to the answers about them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from django.conf import settings

from cachewatch.accounts.access import Access
from cachewatch.analysis.requests.closes import closes
from cachewatch.analysis.requests.findings import Cause
from cachewatch.analysis.requests.strip import Point
from cachewatch.api import evidence_shapes as shapes
from cachewatch.api.marker_rows import Names, person, series_name
from cachewatch.api.shapes import Pooled, pooled, source_ref
from cachewatch.evidence import presenting
from cachewatch.evidence.document import NO_FINDING
from cachewatch.evidence.dollar_words import cost_of_all, price_lines
from cachewatch.evidence.fact_words import fact_words, older_rules, strangers
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services.states import UNREAD
from cachewatch.evidence.stored import points_of
from cachewatch.verdicts.addresses import NO_NAME, project_label, series_path
from ingest.models import Series
from ingest.request_logs import LEFT_OUT_REASONS

Document = Mapping[str, Any]


def evidence_out(row: EvidenceImport, names: Names, caller: Access) -> shapes.EvidenceRow:
    """A row of the list; `row` comes from the queries, with what it shows loaded."""
    return shapes.EvidenceRow(**_row_fields(row, names, caller))


def detail_out(row: EvidenceImport, names: Names, caller: Access) -> shapes.EvidenceDetail:
    """The page of one import."""
    stored, facts = row.document, _facts(row)
    return shapes.EvidenceDetail(
        **_row_fields(row, names, caller),
        numbers=None if stored is None else _numbers(row, stored, facts),
        markdown=presenting.markdown(row, f"{settings.PUBLIC_URL}{_path(row)}", facts),
    )


def _row_fields(row: EvidenceImport, names: Names, caller: Access) -> dict[str, Any]:
    stored: Document | None = row.summary  # type: ignore[attr-defined]  # annotated by the queries
    return {
        "id": row.pk,
        "path": _path(row),
        "source": source_ref(row.source),
        "series": None if row.series is None else _series(row.series, names),
        "file_name": row.file_name,
        "state": cast("shapes.EvidenceState", row.state),
        "progress": _progress(row),
        "heading": presenting.title(row, stored),
        "error": row.error or None,
        "format": row.format or None,
        "by": row.by,
        "verdict": None if stored is None else _verdict(stored["findings"][0]),
        "closes": [] if stored is None else _closes(stored),
        "requests": row.requests,
        "duplicates": row.duplicates,
        "left_out": None if stored is None else sum(row.excluded.values()),
        "rejected": row.rejected_count,
        "pooled": pooled(None, None) if stored is None else _pooled(stored),
        "created_by": person(row.created_by),
        "created_at": row.created_at,
        "finished_at": row.finished_at,
        "can": shapes.EvidenceAbilities(delete=caller.allows("import", row.source_id)),
    }


def _progress(row: EvidenceImport) -> shapes.EvidenceProgress | None:
    if row.state not in UNREAD or row.bytes_total is None:
        return None
    return shapes.EvidenceProgress(bytes_read=row.bytes_read or 0, bytes_total=row.bytes_total)


def _path(row: EvidenceImport) -> str:
    return f"/evidence/{row.pk}"


def _series(series: Series, names: Names) -> shapes.EvidenceSeries:
    return shapes.EvidenceSeries(
        id=series.pk, name=series_name(series, names), path=series_path(series)
    )


def _verdict(first: Document) -> shapes.EvidenceVerdict:
    return shapes.EvidenceVerdict(
        cause=first["cause"],
        word=presenting.words_of(first["cause"]).word,
        confidence=first["confidence"],
        is_finding=first["cause"] not in NO_FINDING,
    )


def _closes(stored: Document) -> list[str]:
    return closes((one["cause"], one["confidence"]) for one in stored["findings"])


def _pooled(counted: Document) -> Pooled:
    return Pooled(
        share=counted["share"],
        cached_tokens=counted["cached_tokens"],
        input_tokens=counted["input_tokens"],
    )


def _facts(row: EvidenceImport) -> list[tuple[str, str]]:
    if row.document is None:
        return []
    facts = fact_words(row.document, row.rejected_count or 0, sum(row.excluded.values()))
    return [*older_rules(row.rules_version), *_strangers(row.document, row.series), *facts]


def _strangers(stored: Document, series: Series | None) -> list[tuple[str, str]]:
    if series is None:
        return []
    projects = {series.project_id or "", project_label(series)} - {"", NO_NAME}
    return strangers(stored, sorted(projects), series.model)


def _numbers(
    row: EvidenceImport, stored: Document, facts: list[tuple[str, str]]
) -> shapes.EvidenceNumbers:
    floor = stored["floor"]
    return shapes.EvidenceNumbers(
        **{name: stored[name] for name in ("format_reason", "sessions", "models", "model_count")},
        first_at=_moment(stored["first_at"]),
        last_at=_moment(stored["last_at"]),
        warnings=stored["warnings"],
        findings=[_finding(one) for one in stored["findings"]],
        missed_heading=presenting.missed_heading(stored),
        missed_total=stored["missed_tokens"]["total"],
        **_missed(stored),
        arms_heading=presenting.arms_heading(stored),
        order_note=presenting.order_note(stored),
        baseline=presenting.baseline(stored),
        arms=_arms(stored),
        comparisons=stored["comparisons"],
        floor=None if floor is None else floor["statement"],
        facts=[shapes.EvidenceFact(name=name, value=value) for name, value in facts],
        left_out=_left_out(row.excluded),
        rejected=row.rejected,
        strip_heading=presenting.strip_heading(stored),
        points=[_point(one) for one in points_of(stored)],
        points_of=stored["points_of"],
    )


def _finding(one: Document) -> shapes.EvidenceFinding:
    return shapes.EvidenceFinding(**one, word=presenting.words_of(one["cause"]).word)


def _missed(stored: Document) -> dict[str, Any]:
    usd, total = presenting.usd_of(stored), stored["missed_tokens"]["total"]
    cost = cost_of_all(usd, total)
    return {
        "missed_usd": None if usd is None else usd["total"],
        "missed_cost": cost.amount,
        "missed_cost_note": cost.note,
        "missed": [_part(one) for one in presenting.missed_parts(stored)],
        "prices": price_lines(usd),
    }


def _part(one: presenting.MissedPart) -> shapes.MissedPart:
    return shapes.MissedPart(
        cause=cast("Cause", one.cause),
        word=one.words.word,
        note=one.words.note,
        owner=one.words.owner,
        tokens=one.tokens,
        share=one.share,
        percent=one.percent_text,
        requests=one.requests,
        usd=one.usd,
        cost=one.cost.amount,
        cost_note=one.cost.note,
    )


def _arms(stored: Document) -> list[shapes.EvidenceArm]:
    kept = ("label", "values", "n", "zeros", "partial", "full", "hit_interval", "distinct_keys")
    return [
        shapes.EvidenceArm(
            **{name: arm[name] for name in kept}, pooled=_pooled(arm), **reading._asdict()
        )
        for arm, reading in zip(stored["arms"], presenting.arm_readings(stored), strict=True)
    ]


def _left_out(excluded: Mapping[str, int]) -> list[shapes.LeftOutRows]:
    return [
        shapes.LeftOutRows(reason=reason, words=LEFT_OUT_REASONS.get(reason, reason), rows=rows)
        for reason, rows in sorted(excluded.items(), key=lambda one: -one[1])
    ]


def _point(one: Point) -> shapes.EvidencePoint:
    told = {name: getattr(one, name) for name in one.__dataclass_fields__}
    return shapes.EvidencePoint(**told | {"time": _moment(one.time)})


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
