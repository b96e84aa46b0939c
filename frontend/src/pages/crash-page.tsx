import { useRouteError } from "react-router";

import { Failure } from "../ui/failure";

/** What a page shows when its own code failed, or could not be loaded. */
export function CrashPage() {
  const thrown = useRouteError();
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return (
    <div className="page">
      <h1>This page could not be shown</h1>
      <Failure what="Its code failed in the browser" error={error} onRetry={() => window.location.reload()} />
    </div>
  );
}
