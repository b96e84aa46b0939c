import { Link, useLocation } from "react-router";

import { Notice } from "../../ui/notice";

import { ConnectSteps } from "./connect-steps";

/** Sources without a source: how to get one. */
export function FirstRun() {
  const { state } = useLocation() as { state: { from?: string } | null };
  return (
    <>
      <p className="crumb">
        <span>Sources</span>
      </p>
      {state?.from === "overview" && <Notice>The overview is empty until a source is connected, so it leads here.</Notice>}
      <h1>No data yet: connect an OpenAI organization to start</h1>
      <p className="lede">
        The newest week is read first. A verdict needs 24 linked hours, so most series have one as soon as the first week is in.
      </p>
      <p className="note">
        No admin key, as with Azure or a gateway? <Link to="/sources/new?kind=requests">Let the gateway push its requests</Link>, or{" "}
        <Link to="/sources/new?kind=buckets">another system its hours</Link>.
      </p>
      <ConnectSteps withDemo />
    </>
  );
}
