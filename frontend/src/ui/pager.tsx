import { Link, useLocation, useSearchParams } from "react-router";

import { formatCount } from "../lib/format";

interface PagerProps {
  /** The address's parameter that holds the first row. */
  name: string;
  offset: number;
  limit: number;
  total: number;
}

/** Which rows of how many, with links to the ones before and after. Nothing when all fit. */
export function Pager({ name, offset, limit, total }: PagerProps) {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  if (total <= limit && offset === 0) return null;
  const to = (first: number) => {
    const next = new URLSearchParams(params);
    if (first > 0) next.set(name, String(first));
    else next.delete(name);
    return { pathname, search: next.toString() };
  };
  const end = Math.min(offset + limit, total);
  return (
    <nav className="pager" aria-label="Rows">
      <span>
        Rows {formatCount(Math.min(offset + 1, total))} to {formatCount(end)} of {formatCount(total)}
      </span>
      {offset > 0 && <Link to={to(Math.max(offset - limit, 0))}>Previous {formatCount(limit)}</Link>}
      {end < total && <Link to={to(end)}>Next {formatCount(Math.min(limit, total - end))}</Link>}
    </nav>
  );
}

/** The first row an address asks for; 0 when it names none or nonsense. */
export function offsetOf(params: URLSearchParams, name: string): number {
  const offset = Number(params.get(name) ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}
