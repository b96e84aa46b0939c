import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";

import { rejectsQuery } from "../../api/runs";
import type { Reject } from "../../api/types";
import { offsetOf, Pager } from "../../ui/pager";
import { Region } from "../../ui/region";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { plural } from "../../lib/format";
import { formatHour, formatMoment } from "../../lib/time";

import { AllLink } from "./all-link";
import { REJECTS_ID } from "./rejects-id";

const FEW = 5;
const MANY = 50;

/** Values that could not be read, each once, with place and reason. */
export function RejectsPart({ slug }: { slug: string }) {
  const [params] = useSearchParams();
  const all = params.get("rejects") === "all";
  const limit = all ? MANY : FEW;
  const offset = all ? offsetOf(params, "reject") : 0;
  const query = useQuery(rejectsQuery({ source: [slug], limit, offset }));
  const total = query.data?.total ?? 0;
  const title = total === 0 ? "Rejected values" : `${plural(total, "value was", "values were")} rejected and kept`;
  return (
    <Section id={REJECTS_ID} title={title} acts={total > FEW && <AllLink name="rejects" offset="reject" all={all} total={total} />}>
      <Region query={query} what="the rejected values" rows={5}>
        {(page) =>
          page.total === 0 ? (
            <p className="soft">Every value of every answer could be read.</p>
          ) : (
            <>
              <RejectTable rejects={page.items} />
              {all && <Pager name="reject" offset={offset} limit={limit} total={page.total} />}
            </>
          )
        }
      </Region>
    </Section>
  );
}

function RejectTable({ rejects }: { rejects: readonly Reject[] }) {
  return (
    <ScrollBox label="Table of rejected values">
      <table>
        <thead>
          <tr>
            {["Last seen (UTC)", "Hour (UTC)", "Row", "Field", "Why", "Sent"].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rejects.map((reject) => (
            <RejectRow key={reject.id} reject={reject} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function RejectRow({ reject }: { reject: Reject }) {
  return (
    <tr>
      <td className="nw">{formatMoment(reject.last_seen_at)}</td>
      <td className="nw">{reject.hour === null ? "N/A" : formatHour(reject.hour)}</td>
      <td>
        {reject.dimensions || "the whole row"}
        <span className="sub mono">{reject.place}</span>
      </td>
      <td className="mono">{reject.field}</td>
      <td className="wrap">{reject.reason}</td>
      <td className="sent">
        <code>{reject.sent || "N/A"}</code>
      </td>
    </tr>
  );
}
