import type { EvidenceNumbers, MissedPart as Part } from "../../api/types";
import { PartsBar } from "../../charts/PartsBar";
import { useChartWidth } from "../../charts/use-chart-width";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { barParts, causeFill } from "../../lib/evidence";
import { formatCount } from "../../lib/format";

/** Missed tokens by cause: they sum to 100.0%, and the unknown is always among them. */
export function MissedPart({ numbers }: { numbers: EvidenceNumbers }) {
  const { missed, missed_total: total } = numbers;
  const { width, box } = useChartWidth();
  return (
    <Section title={numbers.missed_heading} how="missed = readable and not read; the parts sum to 100%">
      <div ref={box}>
        {total > 0 && <PartsBar parts={barParts(missed)} width={width} label={`Missed tokens by cause: ${missed.map(({ word, percent }) => `${word} ${percent}`).join(", ")}`} />}
      </div>
      <ScrollBox label="Causes of missed tokens">
        <table className="missed stacked" role="table">
          <caption className="vh">Missed tokens by cause</caption>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">Cause, the first rule that matches</th>
              <th role="columnheader" scope="col" className="num">Of missed</th>
              <th role="columnheader" scope="col" className="num">Missed tokens</th>
              <th role="columnheader" scope="col" className="num">Cost</th>
              <th role="columnheader" scope="col" className="num">Requests</th>
              <th role="columnheader" scope="col">Whose to fix</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {missed.map((part) => <Row key={part.cause} part={part} />)}
            <tr role="row">
              <th role="rowheader" scope="row">All missed tokens</th>
              <td role="cell" className="num b"><i className="narrow-label">Of missed</i>{total > 0 ? "100.0%" : "0.0%"}</td>
              <td role="cell" className="num b"><i className="narrow-label">Tokens</i>{formatCount(total)}</td>
              <td role="cell" className="num b"><i className="narrow-label">Cost</i><Cost usd={numbers.missed_usd} cost={numbers.missed_cost} note={numbers.missed_cost_note} /></td>
              <td role="cell" className="num b"><i className="narrow-label">Requests</i>{formatCount(missed.reduce((sum, { requests }) => sum + requests, 0))}</td>
              <td role="cell" className="wide-only" />
            </tr>
          </tbody>
        </table>
      </ScrollBox>
      <Prices prices={numbers.prices} />
      {numbers.floor !== null && <p className="note">{numbers.floor}</p>}
    </Section>
  );
}

function Row({ part }: { part: Part }) {
  const fill = causeFill(part.cause);
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <span className={fill === null ? "cause hatched" : "cause"} style={fill === null ? undefined : { background: fill }} />
        {part.word}
        <span className="sub under">{part.note}</span>
      </th>
      <td role="cell" className="num b"><i className="narrow-label">Of missed</i>{part.percent}</td>
      <td role="cell" className="num"><i className="narrow-label">Tokens</i>{formatCount(part.tokens)}</td>
      <td role="cell" className="num"><i className="narrow-label">Cost</i><Cost usd={part.usd} cost={part.cost} note={part.cost_note} /></td>
      <td role="cell" className="num"><i className="narrow-label">Requests</i>{formatCount(part.requests)}</td>
      <td role="cell" className="whose"><i className="narrow-label">Whose to fix</i>{part.owner}</td>
    </tr>
  );
}

function Cost({ usd, cost, note }: { usd: number | null; cost: string; note: string }) {
  return (
    <>
      {usd === null ? <span className="muted">{cost}</span> : cost}
      {note !== "" && <span className="sub">{note}</span>}
    </>
  );
}

/** What the dollars are made of; nothing where nothing was missed. */
function Prices({ prices }: { prices: readonly string[] }) {
  if (prices.length === 0) return null;
  return (
    <div className="note">
      Cost: fresh input less cached input, and for tokens that were written the price of writing less cached input, for the time of this log.
      <ul className="others prices">{prices.map((line) => <li key={line}>{line}</li>)}</ul>
    </div>
  );
}
