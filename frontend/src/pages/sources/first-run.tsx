import { useLocation } from "react-router";

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
      <ConnectSteps withDemo />
    </>
  );
}
