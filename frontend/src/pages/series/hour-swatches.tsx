const HOURS_OF_DAY = Array.from({ length: 24 }, (_, hour) => hour);

/** The colours of the hours of the day, with words before them. */
export function HourSwatches({ children }: { children: string }) {
  return (
    <span className="dotlegend">
      {children}
      <span>
        00
        <span className="swatches hours24" aria-hidden="true">
          {HOURS_OF_DAY.map((hour) => <i key={hour} style={{ background: `var(--h${hour})` }} />)}
        </span>
        23
      </span>
    </span>
  );
}
