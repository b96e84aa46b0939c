import { Link } from "react-router";

import { isUnread } from "../../api/evidence";
import type { EvidenceDetail } from "../../api/types";
import { SourceName } from "../../ui/source-name";
import { sizeWords, spanWords } from "../../lib/evidence";
import { formatHour } from "../../lib/time";

/** Which log, what it says, how sure that is, and what it does not prove. */
export function EvidenceHeader({ evidence }: { evidence: EvidenceDetail }) {
  const { numbers, series } = evidence;
  const first = numbers?.findings[0];
  return (
    <>
      <nav className="crumb" aria-label="Where this is">
        <Link to="/evidence">Evidence</Link>
        <span>/</span>
        <SourceName source={evidence.source} />
        <span>/</span>
        {series && <><Link to={series.path}>{series.name}</Link><span>/</span></>}
        <span>{evidence.file_name}</span>
      </nav>
      <div className="ids">
        <span className="name">{evidence.file_name}</span>
        {numbers && <Particulars evidence={evidence} />}
        <span>{isUnread(evidence) ? "sent" : "imported"} {formatHour(evidence.created_at)} UTC{evidence.created_by === null ? "" : ` by ${evidence.created_by}`}</span>
        <Link to={series ? `/evidence?series=${series.id}#import` : "/evidence#import"}>Import another log</Link>
      </div>
      <h1>{evidence.heading}</h1>
      {first && <p className="lede">{evidence.verdict?.is_finding && <><span className="confidence">{first.confidence}</span> </>}{first.statement}</p>}
      {first && <p className="banner"><span className="b">What this leaves open.</span> {first.does_not_prove}</p>}
    </>
  );
}

const SHOWN_MODELS = 3;

function Particulars({ evidence }: { evidence: EvidenceDetail }) {
  const { numbers } = evidence;
  if (!numbers) return null;
  const span = spanWords(numbers);
  const models = numbers.models.slice(0, SHOWN_MODELS).join(", ");
  const more = numbers.model_count > SHOWN_MODELS ? ` and ${numbers.model_count - SHOWN_MODELS} more` : "";
  return (
    <>
      <span>{span ?? "times are not reported"}</span>
      <span>{sizeWords(evidence, numbers)}</span>
      {models !== "" && <span>{models}{more}</span>}
      <span>{evidence.format}: {numbers.format_reason}</span>
    </>
  );
}
