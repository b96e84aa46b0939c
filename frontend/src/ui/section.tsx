import { useId, type ReactNode } from "react";

import { Fold } from "./fold";

interface SectionProps {
  title: ReactNode;
  /** Small grey text beside the heading. */
  how?: ReactNode;
  /** Links and buttons at the end of the heading's line. */
  acts?: ReactNode;
  /** Of the part, for links to it. */
  id?: string;
  /** What it holds, where a narrow page shows it only on demand: "the table". */
  fold?: string;
  children: ReactNode;
}

/** A part of a page under a heading that states what it found. */
export function Section({ title, how, acts, id: place, fold, children }: SectionProps) {
  const id = useId();
  return (
    <section id={place} className="sec" aria-labelledby={id}>
      <div className="sech">
        <h2 id={id}>{title}</h2>
        {how && <span className="how">{how}</span>}
        {acts && <span className="acts">{acts}</span>}
      </div>
      <Fold what={fold}>{children}</Fold>
    </section>
  );
}
