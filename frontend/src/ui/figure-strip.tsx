export interface Figure {
  label: string;
  value: string;
  unit?: string;
  sub: string;
}

/** A row of figures, each with its unit and what it stands on. */
export function FigureStrip({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="strip">
      {figures.map(({ label, value, unit, sub }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            {unit && <small> {unit}</small>}
          </dd>
          <dd className="sub">{sub}</dd>
        </div>
      ))}
    </dl>
  );
}
