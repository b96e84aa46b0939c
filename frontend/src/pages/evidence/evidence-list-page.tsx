import "./evidence.css";

import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import { evidenceListQuery, isUnread } from "../../api/evidence";
import type { EvidencePage } from "../../api/types";
import { Notice } from "../../ui/notice";
import { offsetOf, Pager } from "../../ui/pager";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";
import { formatCount } from "../../lib/format";
import { usePageTitle } from "../../lib/use-page-title";

import { EvidenceTable } from "./evidence-table";
import { StoredRequests } from "./stored-requests";
import { UploadForm } from "./upload-form";

const LIST_ROWS = 50;

/** Every imported log of requests with its verdict, and the form to import one. */
export function EvidenceListPage() {
  usePageTitle("Evidence");
  const [search] = useSearchParams();
  const asked = search.get("series");
  const series = seriesOf(asked);
  const list = useQuery(evidenceListQuery({ series_id: series, limit: LIST_ROWS, offset: offsetOf(search, "offset") }));
  return (
    <>
      <h1>{list.data ? heading(list.data) : "Evidence"}</h1>
      <p className="lede">
        Hours show that requests miss; single requests show why. Import a log of them: it is read once, what it shows is kept, and the log itself is not.
      </p>
      {asked !== null && series === undefined && <Notice>Passed over, because it means nothing here: series={asked}</Notice>}
      {series !== undefined && <p className="note">Of one series. <Link to="/evidence">All evidence</Link></p>}
      <Region query={list} what="the evidence">
        {(page) => (
          <>
            <Section title="Imported logs" how="the newest first" acts={<ListFiles series={series} />}>
              <EvidenceTable rows={page.items} busy={list.isPlaceholderData} />
              <Pager name="offset" offset={page.offset} limit={LIST_ROWS} total={page.total} />
            </Section>
            {series !== undefined && page.import_into.some(({ kind }) => kind === "requests") && (
              <Section title="Read what was pushed" how="the newest 100,000 requests at most">
                <StoredRequests seriesId={series} />
              </Section>
            )}
            <Section title="Import a log" id="import" how="JSON, JSON lines or CSV, plain or gzip">
              {page.import_into.length > 0 ? (
                <UploadForm sources={page.import_into} formats={page.formats} seriesId={series} />
              ) : (
                <p className="soft">Owners, admins and members of {series === undefined ? "a source" : "its source"} can import logs.</p>
              )}
            </Section>
          </>
        )}
      </Region>
    </>
  );
}

function seriesOf(asked: string | null): number | undefined {
  const id = Number(asked ?? undefined);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function heading({ total, items }: EvidencePage): string {
  if (total === 0) return "No log of requests has been imported yet";
  const found = items.filter(({ verdict }) => verdict?.is_finding).length;
  const unread = items.filter(isUnread).length;
  if (total === 1) return `The one imported log ${unread === 1 ? "is not read yet" : `shows ${found === 0 ? "no" : "a"} finding`}`;
  if (total > items.length) return `${formatCount(total)} imported logs`;
  const more = unread === 0 ? "" : `; ${formatCount(unread)} ${unread === 1 ? "is" : "are"} not read yet`;
  if (found === 0) return `None of ${formatCount(total)} imported logs shows a finding${more}`;
  return `${formatCount(found)} of ${formatCount(total)} imported logs ${found === 1 ? "shows" : "show"} a finding${more}`;
}

function ListFiles({ series }: { series: number | undefined }) {
  const query = series === undefined ? "" : `?series=${series}`;
  return (
    <>
      <a href={`/evidence.csv${query}`} download="evidence.csv" aria-label="CSV of evidence">CSV</a>
      <a href={`/evidence.json${query}`} aria-label="JSON of evidence">JSON</a>
    </>
  );
}
