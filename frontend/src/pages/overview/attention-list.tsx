import { Link } from "react-router";

import type { AttentionItem } from "../../api/types";
import { ReadoutMark } from "../../ui/readout-mark";
import { VerdictGlyph } from "../../ui/verdict-glyph";
import { keepTogether } from "../../lib/format";
import { useRowCursor } from "../../lib/use-row-cursor";
import { VERDICTS } from "../../lib/verdicts";

interface AttentionListProps {
  items: readonly AttentionItem[];
  severalSources: boolean;
  /** The rows belong to the tab before; new ones are on the way. */
  busy: boolean;
}

/** One row for each thing that waits. j and k walk through it and on into the table below. */
export function AttentionList({ items, severalSources, busy }: AttentionListProps) {
  const { bodyRef, rowProps } = useRowCursor<HTMLOListElement>(items.map(placeOf));
  if (items.length === 0) return null;
  return (
    <ol className="attn" ref={bodyRef} aria-busy={busy}>
      {items.map((item, index) => (
        <li key={item.series_id} {...rowProps(index)}>
          <span className="k"><Kind item={item} /></span>
          <span className="what">
            <Link to={placeOf(item)}>{`${item.project_name} / ${item.model_name}`}</Link>
            {severalSources && <span className="muted">{` ${item.source.name}`}</span>}
            <span className="said">{item.sentence}</span>
          </span>
          <span className="usd num"><Cost item={item} /></span>
          <span className="own"><Owner item={item} /></span>
          <span className="next"><Link to={item.next_step.path}>{item.next_step.label}</Link></span>
        </li>
      ))}
    </ol>
  );
}

/** Where the row leads: the readout to review, else the series. */
function placeOf({ readout_id, next_step, series_path }: AttentionItem): string {
  return readout_id === null ? series_path : next_step.path;
}

function Kind({ item: { verdict, kind_word, readout_state } }: { item: AttentionItem }) {
  if (readout_state !== null) return <ReadoutMark state={readout_state} word={kind_word} />;
  if (verdict === null) return kind_word;
  return (
    <>
      <span className={`chip v-${VERDICTS[verdict.code].tone}`}>
        <VerdictGlyph code={verdict.code} />
        {verdict.word !== kind_word && <span className="vh">{verdict.word}</span>}
      </span>
      {kind_word}
    </>
  );
}

/** What it costs a week, in the API's words, with the basis under it. */
function Cost({ item: { money, avoidable } }: { item: AttentionItem }) {
  const basis = avoidable === null ? money.basis : ["a week", money.basis].filter(Boolean).join(", ");
  return (
    <>
      <span className={avoidable === null ? "muted" : "b"} title={money.note || undefined}>{money.amount}</span>
      {basis && <span className="sub">{keepTogether(basis)}</span>}
    </>
  );
}

/** Who has it. A series without a finding has nothing to own yet. */
function Owner({ item: { owner, finding_id } }: { item: AttentionItem }) {
  if (owner) return owner.name;
  return <span className="muted">{finding_id === null ? "No finding" : "No owner"}</span>;
}
