import "./charts.css";

interface ProgressCellsProps {
  have: number;
  need: number;
  /** "9 of 24 linked hours". */
  label: string;
  /** More cells than this would be too narrow to be told apart; each then stands for several. */
  most?: number | undefined;
}

const MOST_CELLS = 48;

/** One cell for each thing that is needed, filled for each that is there. */
export function ProgressCells({ have, need, label, most = MOST_CELLS }: ProgressCellsProps) {
  const each = Math.max(Math.ceil(need / most), 1);
  const cells = Math.ceil(need / each);
  const filled = Math.min(Math.floor(have / each), cells);
  return (
    <div className="cells" role="img" aria-label={label}>
      {Array.from({ length: cells }, (_, index) => <i key={index} className={index < filled ? "full" : undefined} />)}
    </div>
  );
}
