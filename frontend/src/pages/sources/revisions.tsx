import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import { revisionsQuery } from "../../api/runs";
import type { Revision, Source } from "../../api/types";
import { offsetOf, Pager } from "../../ui/pager";
import { Region } from "../../ui/region";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { formatChange, formatShare, formatTokens, ordinal, plural } from "../../lib/format";
import { isPushed } from "../../lib/pushed";
import { formatHour, formatMoment } from "../../lib/time";

import { AllLink } from "./all-link";

const FEW = 5;
const MANY = 50;

/** Settled hours that were restated: the value before, and now. */
export function RevisionsPart({ source }: { source: Source }) {
  const { slug } = source;
  const [params] = useSearchParams();
  const all = params.get("revisions") === "all";
  const limit = all ? MANY : FEW;
  const offset = all ? offsetOf(params, "revision") : 0;
  const query = useQuery(revisionsQuery({ source: [slug], limit, offset }));
  const total = query.data?.total ?? 0;
  const title = total === 0 ? "Revised buckets" : `${plural(total, "bucket was", "buckets were")} revised after settling`;
  return (
    <Section title={title} how="older values are kept" acts={total > FEW && <AllLink name="revisions" offset="revision" all={all} total={total} />}>
      <Region query={query} what="the revised buckets" rows={5}>
        {(page) =>
          page.total === 0 ? (
            <p className="soft">{isPushed(source) ? "No settled hour was changed by a later push so far." : "The provider restated no settled hour so far."}</p>
          ) : (
            <>
              <RevisionTable revisions={page.items} />
              {all && <Pager name="revision" offset={offset} limit={limit} total={page.total} />}
            </>
          )
        }
      </Region>
    </Section>
  );
}

function RevisionTable({ revisions }: { revisions: readonly Revision[] }) {
  return (
    <ScrollBox label="Table of revised buckets">
      <table>
        <thead>
          <tr>
            <th scope="col">Hour (UTC)</th>
            <th scope="col">Series</th>
            {["Input before", "Input now", "Change", "Cached share", "Revision"].map((label) => (
              <th key={label} scope="col" className="num">
                {label}
              </th>
            ))}
            <th scope="col">Seen</th>
          </tr>
        </thead>
        <tbody>
          {revisions.map((revision) => (
            <RevisionRow key={revision.id} revision={revision} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function RevisionRow({ revision }: { revision: Revision }) {
  const { removed, share_before, share_now } = revision;
  return (
    <tr>
      <td className="nw">{formatHour(revision.hour)}</td>
      <td className="nw">
        <Link to={revision.series_path}>{revision.series_name}</Link>
      </td>
      <td className="num">{formatTokens(revision.input_before)}</td>
      <td className="num">{removed ? "removed" : formatTokens(revision.input_now)}</td>
      <td className="num">{removed ? "N/A" : formatChange(relativeChange(revision))}</td>
      <td className="num">{removed ? `${formatShare(share_before, 1)} before` : `${formatShare(share_before, 1)} to ${formatShare(share_now, 1)}`}</td>
      <td className="num">{ordinal(revision.nth)}</td>
      <td className="nw">{formatMoment(revision.seen_at)}</td>
    </tr>
  );
}

/** The change of the input over its value before; null where that is not known or was zero. */
function relativeChange({ change, input_before }: Revision): number | null {
  return change === null || !input_before ? null : change / input_before;
}
