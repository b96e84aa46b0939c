import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "react-router";

interface PartLinkProps {
  /** Address parameters to set; null takes one away. */
  set: Readonly<Record<string, string | null>>;
  current?: boolean;
  children: ReactNode;
}

/** A link to the same page with some parameters of the address changed. */
export function PartLink({ set, current = false, children }: PartLinkProps) {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(set)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return (
    <Link to={{ pathname, search: next.toString() }} aria-current={current ? "true" : undefined} preventScrollReset>
      {children}
    </Link>
  );
}
