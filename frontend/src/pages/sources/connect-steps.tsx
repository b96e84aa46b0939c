import { ScrollBox } from "../../ui/scroll-box";
import { useMe } from "../../lib/use-me";

import { SourceForm } from "./source-form";

/** The steps to a first source; the third is for those who only look around. */
export function ConnectSteps({ withDemo }: { withDemo: boolean }) {
  const { can } = useMe();
  return (
    <ol className="steps">
      <li>
        <div>
          <h2>Create an admin key</h2>
          <p>
            An organization owner creates it at platform.openai.com under Admin keys. Choose the scopes when the key is created. A project key cannot read
            usage.
          </p>
          <ScopeTable />
        </div>
      </li>
      <li>
        <div>
          <h2>Give it to cachewatch</h2>
          <p>
            It is stored encrypted and sent to the provider&apos;s address alone. Or set <code>OPENAI_ADMIN_KEY</code> (or{" "}
            <code>OPENAI_ADMIN_KEY_FILE</code>) and restart.
          </p>
          {can.add_source ? <SourceForm /> : <p>Only an owner or an admin of every source can connect one.</p>}
        </div>
      </li>
      {withDemo && <LookAround />}
    </ol>
  );
}

function ScopeTable() {
  return (
    <ScrollBox label="Scopes of the key">
      <table className="narrow">
        <thead>
          <tr>
            <th scope="col">Scope</th>
            <th scope="col">Needed</th>
            <th scope="col">For</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td className="mono">api.usage.read</td>
            <td>yes</td>
            <td>hourly tokens, cached tokens and requests</td>
          </tr>
          <tr>
            <td className="mono">api.management.read</td>
            <td>optional</td>
            <td>project and key names instead of ids</td>
          </tr>
        </tbody>
      </table>
    </ScrollBox>
  );
}

function LookAround() {
  return (
    <li>
      <div>
        <h2>Or look around first</h2>
        <p>
          No key at hand: started without a source, <code>make run</code> reads a bundled simulator over HTTP and labels every page as demo data. For saved
          usage pages, <code>cachewatch diagnose PATH</code> prints the verdicts in the terminal, without a server.
        </p>
      </div>
    </li>
  );
}
