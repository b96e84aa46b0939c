import { Link, useLocation } from "react-router";

import { usePageTitle } from "../lib/use-page-title";

export function NotFoundPage() {
  usePageTitle("No such page");
  const { pathname } = useLocation();
  return (
    <>
      <h1>There is no page at this address</h1>
      <p className="lede">
        <code>{pathname}</code> leads nowhere. The <Link to="/">Overview</Link> lists the series that count, <Link to="/sources">Sources</Link> leads to
        those of each source.
      </p>
    </>
  );
}
