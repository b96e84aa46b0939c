import type { EvidenceDetail } from "../../api/types";
import { readingWords } from "../../lib/evidence";

/** How far the log of an import is read; nothing once it was. */
export function ReadingPart({ evidence }: { evidence: EvidenceDetail }) {
  const { progress, numbers } = evidence;
  const words = readingWords(evidence);
  if (words === null) return null;
  return (
    <div className="banner notice reading" role="status">
      <p>
        {words} This page follows by itself.
        {numbers && " What is shown below is what older rules found in the same log."}
      </p>
      {progress && <progress aria-label="Bytes of the log that are read" max={progress.bytes_total} value={progress.bytes_read} />}
    </div>
  );
}
