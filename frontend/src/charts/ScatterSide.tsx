import { placeSideWords, type PlacedBand, type ScatterFrame } from "./scatter-layout";

/** What lies between the levels of the first and the last band. */
export interface ScatterChange {
  /** Red-orange is for a fall only. */
  lost: boolean;
  headline: string;
  lines: string[];
  /** The change alone, for the narrow drawing. */
  short: string;
}

interface ScatterSideProps {
  bands: readonly PlacedBand[];
  change: ScatterChange | null;
  frame: ScatterFrame;
}

/** Leaders from each level to a bracket, and the numbers at its ends. */
export function ScatterSide({ bands, change, frame }: ScatterSideProps) {
  const [first, last] = [bands[0], bands.at(-1)];
  if (!first || !last || !change) return null;
  const [stem, edge] = frame.narrow ? [frame.right + 10, frame.right + 20] : [frame.right + 10, frame.right + 20];
  return (
    <>
      {bands.map((band) => (
        <line key={band.title} className="lead" x1={band.x2} x2={stem} y1={band.levelY} y2={band.levelY} />
      ))}
      <path className={change.lost ? "brk" : "level"} d={`M${stem} ${first.levelY}H${edge}V${last.levelY}H${stem}`} />
      {frame.narrow ? (
        <NarrowWords first={first} last={last} change={change} x={edge + 4} frame={frame} />
      ) : (
        <WideWords bands={[first, last]} change={change} x={edge + 12} frame={frame} />
      )}
    </>
  );
}

function WideWords({ bands, change, x, frame }: { bands: [PlacedBand, PlacedBand]; change: ScatterChange; x: number; frame: ScatterFrame }) {
  const [top = 0, middle = 0, foot = 0] = placeSideWords(bands, change.lines.length + 1, frame);
  const start = middle - (change.lines.length * 17) / 2 + 4;
  return (
    <>
      <BandWords band={bands[0]} x={x} y={top} />
      <text className={change.lost ? "loss" : "strong"} x={x} y={start}>{change.headline}</text>
      {change.lines.map((line, index) => (
        <text key={line} className={index === 0 ? "strong" : undefined} x={x} y={start + 17 * (index + 1)}>{line}</text>
      ))}
      <BandWords band={bands[1]} x={x} y={foot} />
    </>
  );
}

function BandWords({ band, x, y }: { band: PlacedBand; x: number; y: number }) {
  // "100%" and "0.3%" are wider than "70%".
  const beside = x + (band.value.length > 3 ? 60 : 50);
  return (
    <>
      <text className="big" x={x} y={y + 3}>{band.value}</text>
      <text className="lab" x={beside} y={y - 5}>{band.lines[0]}</text>
      <text x={beside} y={y + 9}>{band.lines[1]}</text>
    </>
  );
}

function NarrowWords({ first, last, change, x, frame }: { first: PlacedBand; last: PlacedBand; change: ScatterChange; x: number; frame: ScatterFrame }) {
  const [top = 0, middle = 0, foot = 0] = placeSideWords([first, last], 1, frame);
  return (
    <>
      <text className="strong" x={x} y={top + 4}>{first.value}</text>
      <text className={change.lost ? "loss" : "lab"} x={x} y={middle + 4}>{change.short}</text>
      <text className="strong" x={x} y={last.levelY === first.levelY ? foot + 10 : foot + 4}>{last.value}</text>
    </>
  );
}
