import "./charts.css";

import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { memo, useMemo } from "react";

import { Picker } from "./Picker";
import { useChartWidth } from "./use-chart-width";

interface HeatGridProps {
  finding: string;
  rowLabels: readonly string[];
  /** One for each column; an empty label is not drawn. */
  columnLabels: readonly string[];
  /** Row by row: a share 0 to 1, or null where there is none. */
  cells: readonly (number | null)[];
  /** A quantity for each column, drawn as bars above the grid. */
  bars: readonly (number | null)[];
  barsTitle: string;
  pickerLabel: string;
  /** Indexes into `cells`. */
  picked: ReadonlySet<number>;
  onPick: (index: number | null) => void;
  wordsOf: (index: number) => string;
}

const LEFT = 34;
const TOP = 46;
const ROW_HEIGHT = 18;
const BAR_FOOT = 40;
const BAR_HEAD = 14;
/** Narrower cells have room for every second label only. */
const LABELLED_CELL = 9;

interface HeatFrame {
  columns: number;
  cellWidth: number;
  height: number;
}

/** Shares in a grid of rows and columns; a cell without a share is hatched. */
export function HeatGrid(props: HeatGridProps) {
  const { width, box } = useChartWidth();
  const { rowLabels, columnLabels, cells } = props;
  const columns = columnLabels.length;
  const frame = useMemo(
    () => ({ columns, cellWidth: (width - LEFT - 2) / columns, height: TOP + rowLabels.length * ROW_HEIGHT + 20 }),
    [columns, width, rowLabels],
  );
  const index = cells.findIndex((_, place) => props.picked.has(place));
  return (
    <div className="chartbox" ref={box}>
      <svg className="chart" viewBox={`0 0 ${width} ${frame.height}`} role="img" aria-label={props.finding}>
        <Drawing frame={frame} rowLabels={rowLabels} columnLabels={columnLabels} cells={cells} bars={props.bars} barsTitle={props.barsTitle} />
        {[...props.picked].map((cell) => <rect key={cell} className="ring" {...cellBox(cell, frame)} />)}
      </svg>
      <Picker
        label={props.pickerLabel}
        count={cells.length}
        index={index < 0 ? null : index}
        words={index < 0 ? "none picked" : props.wordsOf(index)}
        locate={(x, y) => cellAt(x, y, frame, rowLabels.length)}
        onPick={props.onPick}
        stride={columns}
      />
    </div>
  );
}

function cellBox(cell: number, { columns, cellWidth }: HeatFrame) {
  return {
    x: LEFT + (cell % columns) * cellWidth,
    y: TOP + Math.floor(cell / columns) * ROW_HEIGHT,
    width: cellWidth,
    height: ROW_HEIGHT,
  };
}

function cellAt(x: number, y: number, { columns, cellWidth }: HeatFrame, rows: number): number | null {
  const [column, row] = [Math.floor((x - LEFT) / cellWidth), Math.floor((y - TOP) / ROW_HEIGHT)];
  return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : null;
}

type DrawingProps = Pick<HeatGridProps, "rowLabels" | "columnLabels" | "cells" | "bars" | "barsTitle"> & { frame: HeatFrame };

/** Everything that stays as it is while cells are picked. */
const Drawing = memo(function Drawing({ frame, rowLabels, columnLabels, cells, bars, barsTitle }: DrawingProps) {
  const { cellWidth, height } = frame;
  const isShown = (column: number) => columnLabels[column] !== "" && (cellWidth >= LABELLED_CELL || column % 6 === 0);
  return (
    <>
      <Bars bars={bars} cellWidth={cellWidth} title={barsTitle} />
      {rowLabels.map((label, row) => (
        <text key={label} x={LEFT - 7} y={TOP + row * ROW_HEIGHT + 13} textAnchor="end">{label}</text>
      ))}
      {cells.map((share, cell) => <Cell key={cell} share={share} {...cellBox(cell, frame)} />)}
      {columnLabels.map((label, column) => isShown(column) && (
        <text key={label} x={LEFT + (column + 0.5) * cellWidth} y={height - 5} textAnchor="middle">{label}</text>
      ))}
    </>
  );
});

interface CellProps {
  share: number | null;
  x: number;
  y: number;
  width: number;
  height: number;
}

function Cell({ share, ...place }: CellProps) {
  if (share !== null) return <rect className="cell" {...place} style={{ fill: `var(--q${heatStep(share)})` }} />;
  return <rect className="cell hatch" {...place} />;
}

/** The colour step of a share: one for each ten points, the ninth for 80% and above. */
export function heatStep(share: number): number {
  return Math.min(Math.max(Math.floor(share * 10 + 1e-9), 0), 8);
}

function Bars({ bars, cellWidth, title }: { bars: HeatGridProps["bars"]; cellWidth: number; title: string }) {
  const place = scaleLinear([0, max(bars, (bar) => bar ?? 0) || 1], [BAR_FOOT, BAR_HEAD]);
  return (
    <>
      <text className="lab" x={LEFT + 4} y={10}>{title}</text>
      {bars.map((bar, column) => bar !== null && bar > 0 && (
        <rect
          key={column}
          className="load"
          x={LEFT + column * cellWidth + 1}
          y={place(bar)}
          width={Math.max(cellWidth - 2, 1)}
          height={BAR_FOOT - place(bar)}
        />
      ))}
    </>
  );
}
