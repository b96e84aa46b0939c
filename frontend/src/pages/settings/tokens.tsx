import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { revokeToken, tokensQuery } from "../../api/members";
import type { Token } from "../../api/types";
import { AskButton } from "../../ui/ask-button";
import { Region } from "../../ui/region";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { ShownOnce } from "../../ui/shown-once";
import { formatAgo, formatDate } from "../../lib/time";
import { useNow } from "../../lib/use-now";

import { TokenForm } from "./token-form";
import { useAccountMutation } from "./use-account-mutation";

/** Tokens for other tools, and a form to make one. */
export function TokensPart() {
  const query = useQuery(tokensQuery);
  const [fresh, setFresh] = useState<string | null>(null);
  return (
    <Section
      title="API tokens"
      how={
        <>
          for other tools: <code>Authorization: Bearer TOKEN</code>
        </>
      }
      acts={<a href="/api/v1/docs">API documentation</a>}
    >
      {fresh && <ShownOnce label="The new token. Only its hash is stored, so it is not shown again: copy it now." secret={fresh} onDone={() => setFresh(null)} />}
      <Region query={query} what="the tokens" rows={3}>
        {({ items }) => (items.length === 0 ? <p className="soft">No token was made yet.</p> : <TokenTable tokens={items} />)}
      </Region>
      <TokenForm onToken={setFresh} />
    </Section>
  );
}

const COLUMNS = ["Name", "Token", "Scopes", "Owner", "Made", "Expires", "Last used"];

function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  return (
    <ScrollBox label="Table of tokens">
      <table>
        <thead>
          <tr>
            {COLUMNS.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function TokenRow({ token }: { token: Token }) {
  const now = useNow();
  return (
    <tr>
      <td className="b">{token.name}</td>
      <td className="mono">{token.hint}</td>
      <td>{token.scopes.join(", ")}</td>
      <td>{token.owner}</td>
      <td className="nw">{formatDate(token.created_at)}</td>
      <td className="nw">{token.expires_at ? formatDate(token.expires_at) : "never"}</td>
      <td className="nw">{token.last_used_at ? formatAgo(token.last_used_at, now) : "never"}</td>
      <td className="rowacts">{token.revoked_at ? <span className="muted">revoked {formatDate(token.revoked_at)}</span> : <RevokeButton token={token} />}</td>
    </tr>
  );
}

function RevokeButton({ token }: { token: Token }) {
  const revoke = useAccountMutation(() => revokeToken(token.id), `Token ${token.name} revoked`);
  return (
    <AskButton className="linkbtn" action="Revoke token" question={`Revoke ${token.name}?`} onConfirm={() => revoke.mutate()}>
      <p>Tools that use it are refused from the next request on. It cannot be undone.</p>
    </AskButton>
  );
}
