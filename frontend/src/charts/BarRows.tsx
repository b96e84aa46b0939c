import "./charts.css";

export interface RowBar {
  /** Its place on the one axis of all rows, from 0. */
  place: number;
  /** Of the highest bar, 0 to 1. */
  height: number;
  /** Of the same, the part that is filled. */
  filled: number;
  crossed: boolean;
  ticked: boolean;
  /** The numbers in words. */
  title: string;
}

export interface BarRow {
  name: string;
  sub: string;
  bars: readonly RowBar[];
}

export interface BarLine {
  place: number;
  label: string;
}

interface BarRowsProps {
  rows: readonly BarRow[];
  lines: readonly BarLine[];
  /** Places on the axis. */
  count: number;
  width: number;
  /** The ends of the time axis in words; null where times are not known. */
  ends: readonly [string, string] | null;
  label: string;
}

const LEAST_PITCH = 9;
/** Of very many bars. */
const TIGHT_PITCH = 4;
const MANY = 400;
/** Words of a line that is closer to the line before are left out. */
const WORDS_ROOM = 110;
const MOST_BAR = 12;
/** Room for the words of lines. */
const WORDS = 20;
const NAME = 30;
const BAR = 58;
const UNDER = 14;
const ROW = NAME + BAR + UNDER;
const FOOT = 34;
const CROSS = 6;

/** Bars of several rows on one axis, each with a filled part; lines go through all rows. */
export function BarRows({ rows, lines, count, width, ends, label }: BarRowsProps) {
  const pitch = Math.max(count > MANY ? TIGHT_PITCH : LEAST_PITCH, width / Math.max(count, 1));
  const full = Math.max(width, pitch * count);
  // Lines without words may be as many as bars: they leave the names of the rows free.
  const named = lines.some(({ label: words }) => words !== "");
  const top = named ? WORDS : 0;
  const bottom = top + rows.length * ROW;
  const bar = Math.min(MOST_BAR, pitch - 1.5);
  const middle = (place: number) => pitch * (place + 0.5);
  const stretches = named ? [[4, bottom] as const] : rows.map((_, index) => [top + index * ROW + NAME, top + index * ROW + NAME + BAR] as const);
  return (
    <svg className="chart barrows" style={{ width: full, maxWidth: "none" }} width={full} height={bottom + FOOT} viewBox={`0 0 ${full} ${bottom + FOOT}`} role="img" aria-label={label}>
      {lines.map(({ place, label: words }, index) => {
        const near = pitch * (place - (lines[index - 1]?.place ?? -Infinity)) < WORDS_ROOM;
        return <Line key={place} x={pitch * place} stretches={stretches} words={near ? "" : words} full={full} />;
      })}
      {rows.map((row, index) => (
        <g key={row.name} transform={`translate(0 ${top + index * ROW})`}>
          <text x="0" y="20" className="haloed"><tspan className="strong">{row.name}</tspan>{`  ${row.sub}`}</text>
          {row.bars.map((one) => <Bar key={one.place} bar={one} x={middle(one.place)} width={bar} />)}
          <line className="axis" x1="0" x2={full} y1={NAME + BAR} y2={NAME + BAR} />
        </g>
      ))}
      <Axis count={count} middle={middle} y={bottom + 4} full={full} ends={ends} />
    </svg>
  );
}

interface LineProps {
  x: number;
  /** From where to where it is drawn, from the top. */
  stretches: readonly (readonly [number, number])[];
  words: string;
  full: number;
}

function Line({ x, stretches, words, full }: LineProps) {
  const late = x > full - 120;
  return (
    <>
      {stretches.map(([from, to]) => <line key={from} className="switch" x1={x} x2={x} y1={from} y2={to} />)}
      {words !== "" && <text x={late ? x - 5 : x + 5} y="14" textAnchor={late ? "end" : "start"} className="switchword">{words}</text>}
    </>
  );
}

function Bar({ bar, x, width }: { bar: RowBar; x: number; width: number }) {
  const base = NAME + BAR;
  const [height, filled] = [bar.height * (BAR - CROSS - 6), bar.filled * (BAR - CROSS - 6)];
  const left = x - width / 2;
  const top = base - height - CROSS - 3;
  return (
    <g>
      <title>{bar.title}</title>
      <rect className="whole" x={left} y={base - height} width={width} height={height} />
      {filled > 0 && <rect className="filled" x={left} y={base - filled} width={width} height={filled} />}
      {bar.crossed && <path className="na" d={`M${x - CROSS / 2} ${top}l${CROSS} ${CROSS}m0 ${-CROSS}l${-CROSS} ${CROSS}`} />}
      {bar.ticked && <rect className="tickmark" x={left} y={base + 4} width={width} height="3.5" />}
    </g>
  );
}

const LABEL_ROOM = 90;

interface AxisProps {
  count: number;
  middle: (place: number) => number;
  y: number;
  full: number;
  ends: readonly [string, string] | null;
}

function Axis({ count, middle, y, full, ends }: AxisProps) {
  const most = Math.max(1, Math.floor(full / LABEL_ROOM));
  const step = Math.max(1, Math.ceil(count / most / 10) * 10);
  const places = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
  return (
    <>
      {places.map((place) => (
        <text key={place} x={place === 0 ? 0 : middle(place)} y={y + 8} textAnchor={place === 0 ? "start" : "middle"}>{place === 0 ? "request 1" : place + 1}</text>
      ))}
      {ends && <text x="0" y={y + 24}>{ends[0]}</text>}
      {ends && <text x={full} y={y + 24} textAnchor="end">{ends[1]}</text>}
    </>
  );
}
