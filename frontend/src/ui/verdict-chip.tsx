import type { VerdictCode } from "../api/types";
import { VERDICTS } from "../lib/verdicts";

import { VerdictGlyph } from "./verdict-glyph";

interface VerdictChipProps {
  code: VerdictCode;
  /** The API's word, where it came with the row. */
  word?: string;
  big?: boolean;
}

/** Glyph, word and colour of a verdict. */
export function VerdictChip({ code, word, big = false }: VerdictChipProps) {
  const look = VERDICTS[code];
  return (
    <span className={`chip v-${look.tone}${big ? " big" : ""}`}>
      <VerdictGlyph code={code} />
      {word ?? look.word}
    </span>
  );
}
