import type { Control, SeriesDetail } from "../../api/types";
import { Fold } from "../../ui/fold";
import { Mark, type MarkKind } from "../../ui/mark";
import { Section } from "../../ui/section";
import { boundWords, causeGroups, causeName, causesHeading, type CauseGroup } from "../../lib/series-causes";

/** Every cause that was looked for, by how it stands, with its numbers and what would change it. */
export function CauseList({ series }: { series: SeriesDetail }) {
  const { controls, verdict } = series;
  const groups = causeGroups(controls);
  const settled = groups.filter(({ status }) => !isPressing(status));
  const differs = verdict !== null && verdict.code !== verdict.published_state;
  return (
    <Section id="causes" title={causesHeading(controls)} how="other causes">
      {differs && <p className="published">The published rule would say: <span className="b">{verdict.published_word.toLowerCase()}</span>.</p>}
      <Causes groups={groups.filter(({ status }) => isPressing(status))} />
      <Fold what={settled.length > 0 ? `${settled.reduce((sum, { causes }) => sum + causes.length, 0)} causes that are ruled out or cannot be tested` : undefined}>
        <Causes groups={settled} />
      </Fold>
    </Section>
  );
}

/** What a reader of a narrow page needs at once. */
function isPressing(status: CauseGroup["status"]): boolean {
  return status === "fired" || status === "open";
}

function Causes({ groups }: { groups: readonly CauseGroup[] }) {
  if (groups.length === 0) return null;
  return <table className="ruled causes">{groups.map((group) => <Group key={group.status} group={group} />)}</table>;
}

const MARKS: Record<CauseGroup["status"], { kind: MarkKind; word: string }> = {
  fired: { kind: "fired", word: "shown" },
  open: { kind: "open", word: "open" },
  ruled_out: { kind: "out", word: "ruled out" },
  not_testable: { kind: "shut", word: "not testable" },
};

function Group({ group }: { group: CauseGroup }) {
  return (
    <tbody>
      <tr>
        <th colSpan={2} scope="rowgroup">{group.heading}</th>
      </tr>
      {group.causes.map((cause) => <Row key={cause.name} cause={cause} lead={group.lead} />)}
    </tbody>
  );
}

function Row({ cause, lead }: { cause: Control; lead: string }) {
  const { kind, word } = MARKS[cause.status];
  const bound = boundWords(cause);
  return (
    <tr>
      <td><Mark kind={kind}><span className="vh">{word}</span></Mark></td>
      <td>
        <span className="b">{causeName(cause.name)}</span> <span className="state" aria-hidden="true">{word}</span>
        <span className="sub said">{bound === null ? cause.statement : `${cause.statement} ${bound}`}</span>
        {cause.to_flip !== "" && <span className="sub">{lead}: {lowerFirst(cause.to_flip)}</span>}
      </td>
    </tr>
  );
}

/** API keys and figures stay as they are. */
function lowerFirst(sentence: string): string {
  return /^[A-Z][a-z ]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
