import "./evidence.css";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router";

import { ApiError } from "../../api/errors";
import { deleteEvidence, EVIDENCE_KEY, evidenceQuery } from "../../api/evidence";
import type { EvidenceDetail, EvidenceNumbers } from "../../api/types";
import { AskButton } from "../../ui/ask-button";
import { CopyButton } from "../../ui/copy-button";
import { Failure } from "../../ui/failure";
import { Notice } from "../../ui/notice";
import { RuleRows } from "../../ui/rule-rows";
import { announce } from "../../lib/announce";
import { usePageTitle } from "../../lib/use-page-title";

import { ArmsTable } from "./arms-table";
import { EvidenceHeader } from "./evidence-header";
import { FactsPart } from "./facts-part";
import { LeftOutPart } from "./left-out-part";
import { MissedPart } from "./missed-part";
import { OtherFindings } from "./other-findings";
import { ReadingPart } from "./reading-part";
import { StripPart } from "./strip-part";

/** One imported log: its verdict and everything that it stands on. */
export function EvidencePage() {
  const id = Number(useParams().id);
  const query = useQuery({ ...evidenceQuery(id), enabled: Number.isSafeInteger(id) });
  const evidence = query.data;
  usePageTitle(evidence ? `Evidence: ${evidence.file_name}` : "Evidence");
  if (evidence) return <Loaded key={evidence.id} evidence={evidence} />;
  if (!Number.isSafeInteger(id) || (query.error instanceof ApiError && query.error.status === 404)) return <NoSuchEvidence />;
  if (query.isPending) return <><h1>Evidence</h1><RuleRows what="the evidence" /></>;
  return (
    <>
      <h1>This evidence could not be read</h1>
      <Failure what="The server gave no figures" error={query.error} onRetry={() => void query.refetch()} />
    </>
  );
}

function Loaded({ evidence }: { evidence: EvidenceDetail }) {
  const { numbers } = evidence;
  return (
    <>
      <EvidenceHeader evidence={evidence} />
      <ReadingPart evidence={evidence} />
      {numbers?.warnings.map((warning) => <Notice key={warning}>{warning}</Notice>)}
      {numbers && <Numbers evidence={evidence} numbers={numbers} />}
      <Acts evidence={evidence} />
    </>
  );
}

function Numbers({ evidence, numbers }: { evidence: EvidenceDetail; numbers: EvidenceNumbers }) {
  return (
    <>
      {numbers.arms.length > 0 && <ArmsTable numbers={numbers} />}
      {numbers.points.length > 0 && <StripPart numbers={numbers} />}
      <MissedPart numbers={numbers} />
      <div className="half sec">
        <FactsPart numbers={numbers} />
        <OtherFindings numbers={numbers} />
      </div>
      <LeftOutPart evidence={evidence} numbers={numbers} />
    </>
  );
}

function Acts({ evidence }: { evidence: EvidenceDetail }) {
  const forget = useForget(evidence);
  return (
    <div className="acts-row sec">
      {evidence.numbers && <CopyButton className="btn" label="Copy as evidence" text={evidence.markdown} done="The evidence is on the clipboard, as Markdown" />}
      <a href={evidence.path}>Permalink</a>
      <a href={`${evidence.path}.json`}>JSON</a>
      {evidence.can.delete && (
        <AskButton action="Delete evidence" question={`Delete what ${evidence.file_name} shows?`} onConfirm={() => forget.mutate()}>
          The log itself is not kept, so it would have to be imported again.
        </AskButton>
      )}
      {forget.isError && <Failure what="It was not deleted" error={forget.error} />}
    </div>
  );
}

function useForget({ id, file_name }: EvidenceDetail) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => deleteEvidence(id),
    onSuccess: () => {
      announce(`What ${file_name} shows is deleted`);
      client.removeQueries({ queryKey: evidenceQuery(id).queryKey });
      void client.invalidateQueries({ queryKey: EVIDENCE_KEY });
      void navigate("/evidence");
    },
  });
}

function NoSuchEvidence() {
  return (
    <>
      <h1>There is no evidence at this address</h1>
      <p className="lede">It was deleted, or you cannot read its source. The <Link to="/evidence">Evidence</Link> is listed here.</p>
    </>
  );
}
