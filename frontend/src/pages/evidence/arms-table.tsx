import type { EvidenceArm, EvidenceNumbers } from "../../api/types";
import { FractionBar, FractionScale } from "../../charts/FractionBar";
import { Mark } from "../../ui/mark";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { Share } from "../../ui/share";
import { formatCount, formatShare, UNKNOWN } from "../../lib/format";

const BAR_WIDTH = 180;

/** What each arm read, against the one that the others are compared with. */
export function ArmsTable({ numbers }: { numbers: EvidenceNumbers }) {
  const { arms, baseline } = numbers;
  return (
    <Section title={numbers.arms_heading} how="arms, in the order in which they first ran">
      {numbers.order_note !== "" && <p className="order">{numbers.order_note}</p>}
      <ScrollBox label="Table of arms">
        <table className="arms stacked" role="table">
          <caption className="vh">Arms</caption>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">Arm</th>
              <th role="columnheader" scope="col" className="num">n</th>
              <th role="columnheader" scope="col" className="num">Zeros</th>
              <th role="columnheader" scope="col" className="num">Partial</th>
              <th role="columnheader" scope="col" className="num">Full reads</th>
              <th role="columnheader" scope="col"><span className="vh">Full reads over n</span><FractionScale width={BAR_WIDTH} /></th>
              <th role="columnheader" scope="col" className="num">95% interval (Wilson)</th>
              <th role="columnheader" scope="col" className="num">Pooled cached share</th>
              <th role="columnheader" scope="col" className="num">Distinct keys</th>
              <th role="columnheader" scope="col" className="num">{baseline === null ? "p" : `Against ${baseline}`}</th>
              <th role="columnheader" scope="col">Reading</th>
            </tr>
          </thead>
          <tbody role="rowgroup">{arms.map((arm) => <Row key={arm.label} arm={arm} />)}</tbody>
        </table>
      </ScrollBox>
      <p className="note">
        Full: at least 85% of what was readable, or of the largest read of the same prompt. Zero: exactly 0. Partial: anything between. The interval is of full reads
        over n. p is two-sided: by permutation, or Fisher's exact test where n is small. Pooled share counts all input, also what can never be cached.
      </p>
      <Comparisons numbers={numbers} />
    </Section>
  );
}

function Row({ arm }: { arm: EvidenceArm }) {
  const [low, high] = arm.hit_interval;
  const interval = `${formatShare(low)} to ${formatShare(high)}`;
  return (
    <tr role="row">
      <th role="rowheader" scope="row" className="aname">{arm.label}</th>
      <td role="cell" className="num"><i className="narrow-label">n</i>{formatCount(arm.n)}</td>
      <td role="cell" className="num"><i className="narrow-label">Zeros</i>{formatCount(arm.zeros)}</td>
      <td role="cell" className="num"><i className="narrow-label">Partial</i>{formatCount(arm.partial)}</td>
      <td role="cell" className="num"><i className="narrow-label">Full</i>{formatCount(arm.full)}</td>
      <td role="cell" className="abar"><FractionBar value={arm.n > 0 ? arm.full / arm.n : null} interval={arm.hit_interval} marked={arm.differs} width={BAR_WIDTH} label={`${arm.full} of ${arm.n}, 95% interval ${interval}`} /></td>
      <td role="cell" className="num"><i className="narrow-label">95% interval</i>{interval}</td>
      <td role="cell" className="num"><i className="narrow-label">Cached share</i><Share pooled={arm.pooled} /></td>
      <td role="cell" className="num"><i className="narrow-label">Keys</i>{arm.distinct_keys === null ? <span className="muted">{UNKNOWN}</span> : formatCount(arm.distinct_keys)}</td>
      <td role="cell" className="num"><i className="narrow-label">p</i>{arm.p === null ? <span className="muted">{arm.p_text}</span> : arm.p_text}</td>
      <td role="cell" className="aread">
        {arm.differs ? <Mark kind={arm.reading === "reads more" ? "okk" : "warn"}>{arm.reading}</Mark> : <span className="soft">{arm.reading}</span>}
        {arm.is_small && <span className="sub">n is small</span>}
      </td>
    </tr>
  );
}

function Comparisons({ numbers: { comparisons } }: { numbers: EvidenceNumbers }) {
  if (comparisons.length === 0) return null;
  return (
    <details className="copied">
      <summary>Each comparison in words</summary>
      <dl className="kv pairs">
        {comparisons.map(({ a, b, statement }) => (
          <div key={`${a}\n${b}`}>
            <dt>{a} against {b}</dt>
            <dd>{statement}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
