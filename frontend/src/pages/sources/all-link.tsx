import { formatCount } from "../../lib/format";

import { PartLink } from "./part-link";

interface AllLinkProps {
  /** The parameter of the address that asks for all rows. */
  name: string;
  /** The parameter that holds the first row of those. */
  offset: string;
  all: boolean;
  total: number;
}

/** From the newest few rows of a table to all of them, and back. */
export function AllLink({ name, offset, all, total }: AllLinkProps) {
  return <PartLink set={{ [name]: all ? null : "all", [offset]: null }}>{all ? "Fewer" : `All ${formatCount(total)}`}</PartLink>;
}
