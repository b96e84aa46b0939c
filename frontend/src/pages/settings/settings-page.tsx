import { useMe } from "../../lib/use-me";
import { usePageTitle } from "../../lib/use-page-title";

import { MembersPart } from "./members";
import { PasswordPart } from "./password";
import { ProfilePart } from "./profile";
import { TokensPart } from "./tokens";

/** One's own account; members for owners, tokens for owners and admins. */
export function SettingsPage() {
  usePageTitle("Settings");
  const me = useMe();
  return (
    <>
      <p className="crumb">
        <span>Settings</span>
      </p>
      <h1>{me.name ? `Signed in as ${me.name}` : `Signed in as ${me.email}`}</h1>
      <div className="half sec">
        <ProfilePart me={me} />
        <PasswordPart me={me} />
      </div>
      {me.role === "owner" ? <MembersPart /> : <p className="note">Only an owner can see and change who has access.</p>}
      {me.can.admin ? <TokensPart /> : <p className="note">Only an owner or an admin can make API tokens.</p>}
    </>
  );
}
