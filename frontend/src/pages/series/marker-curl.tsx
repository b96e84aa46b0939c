import { Link } from "react-router";

import type { SeriesDetail } from "../../api/types";
import { CopyButton } from "../../ui/copy-button";
import { hasStandIns, markerCurl } from "../../lib/marker-curl";
import type { MarkerDraft } from "../../lib/marker-form";

/** The same marker as one call from CI, with the place and what the form holds filled in. */
export function MarkerCurl({ draft, series }: { draft: MarkerDraft; series: SeriesDetail }) {
  const call = markerCurl(draft, series, window.location.origin);
  return (
    <details className="fromci">
      <summary>From CI instead</summary>
      <div className="samples">
        <pre tabIndex={0} aria-label="The call that marks it from CI"><code>{call}</code></pre>
        <CopyButton label="Copy the call" text={call} done="The call is on the clipboard" />
      </div>
      <p className="sub">
        {hasStandIns(draft) && "What the form leaves empty stands in angle brackets: put your own, or take it out. The call is refused as long as they stand there. "}
        Without a time it marks the moment of the call. Put the deploy's own number in <code>external_id</code>: a job that runs twice then
        makes one marker. A token with the scope <code>annotate</code> is made under <Link to="/settings">Settings</Link>.
      </p>
    </details>
  );
}
