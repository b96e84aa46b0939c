import { useId, type ReactNode } from "react";

interface SectionProps {
  title: ReactNode;
  /** Small grey text beside the heading. */
  how?: ReactNode;
  /** Links and buttons at the end of the heading's line. */
  acts?: ReactNode;
  /** Of the part, for links to it. */
  id?: string;
  children: ReactNode;
}

/** A part of a page under a heading that states what it found. */
export function Section({ title, how, acts, id: place, children }: SectionProps) {
  const id = useId();
  return (
    <section id={place} className="sec" aria-labelledby={id}>
      <div className="sech">
        <h2 id={id}>{title}</h2>
        {how && <span className="how">{how}</span>}
        {acts && <span className="acts">{acts}</span>}
      </div>
      {children}
    </section>
  );
}
