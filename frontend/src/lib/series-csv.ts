export type CsvValue = string | number | null;

/** What a spreadsheet may run instead of show, full-width signs and unseen letters too; as the server's files. */
const RUNS_AS_FORMULA = /^[\p{Z}\p{C}\p{M}]*[=+\-@]/u;

/** A table as a CSV address that the browser saves as a file: the very numbers of the table, unknown left empty. */
export function csvAddress(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(csvField).join(","));
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${lines.join("\r\n")}\r\n`)}`;
}

function csvField(value: CsvValue): string {
  if (value === null) return "";
  const text = typeof value === "string" && RUNS_AS_FORMULA.test(value.normalize("NFKC")) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
