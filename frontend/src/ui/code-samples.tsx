import { useState } from "react";

import { CopyButton } from "./copy-button";

interface CodeSample {
  label: string;
  code: string;
  /** What the code calls, to copy along with it. */
  helper?: string;
}

/** The same code for each way to call the API, one at a time. */
export function CodeSamples({ samples }: { samples: readonly CodeSample[] }) {
  const [chosen, setChosen] = useState(0);
  const sample = samples[chosen] ?? samples[0];
  if (sample === undefined) return null;
  return (
    <div className="samples">
      <div className="sampletabs" role="group" aria-label="Code for">
        {samples.map(({ label }, index) => (
          <button key={label} className="linkbtn" type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>{label}</button>
        ))}
      </div>
      <pre tabIndex={0} aria-label={`${sample.label} code`}><code>{sample.code}</code></pre>
      {sample.helper !== undefined && (
        <>
          <p className="sub">The function that it calls, to copy:</p>
          <pre tabIndex={0} aria-label={`${sample.label} function`}><code>{sample.helper}</code></pre>
        </>
      )}
      <CopyButton label="Copy code" text={sample.helper === undefined ? sample.code : `${sample.helper}\n\n${sample.code}`} done="The code is on the clipboard" />
    </div>
  );
}
