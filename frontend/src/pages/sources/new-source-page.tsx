import { Link } from "react-router";

import { usePageTitle } from "../../lib/use-page-title";
import { useMe } from "../../lib/use-me";

import { ConnectSteps } from "./connect-steps";

/** A further source. */
export function NewSourcePage() {
  usePageTitle("Connect an organization");
  const { demo } = useMe();
  return (
    <>
      <p className="crumb">
        <Link to="/sources">Sources</Link>
        <span>/</span>
        <span>New</span>
      </p>
      <h1>Connect an OpenAI organization</h1>
      {demo && <p className="lede">The demo pauses and leaves every total as soon as a real source is connected.</p>}
      <ConnectSteps withDemo={false} />
    </>
  );
}
