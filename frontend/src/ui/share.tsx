import type { Pooled } from "../api/types";
import { formatShare, formatTokens } from "../lib/format";

import { Unknown } from "./unknown";

interface ShareProps {
  pooled: Pooled;
  /** Why nothing could be reported, such as that there was no traffic; null where something could. */
  nothing?: string | null;
}

/** A pooled share with its numerator and denominator under it; N/A with the reason when it is not known. */
export function Share({ pooled, nothing = null }: ShareProps) {
  if (pooled.share === null) return <Unknown reason={nothing ?? whyUnknown(pooled)} />;
  return (
    <>
      <span className="b">{formatShare(pooled.share)}</span>
      <span className="sub">
        {formatTokens(pooled.cached_tokens)} / {formatTokens(pooled.input_tokens)}
      </span>
    </>
  );
}

function whyUnknown({ cached_tokens, input_tokens }: Pooled): string {
  if (input_tokens === null) return "input not reported";
  if (input_tokens === 0) return "no input tokens";
  return cached_tokens === null ? "cached not reported" : "no share";
}
