import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { makeSignInLink, membersQuery, removeMember, updateMember } from "../../api/members";
import type { Member, Role } from "../../api/types";
import { AskButton } from "../../ui/ask-button";
import { Region } from "../../ui/region";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { ShownOnce } from "../../ui/shown-once";
import { plural } from "../../lib/format";
import { formatDate } from "../../lib/time";

import { MemberForm } from "./member-form";
import { MemberSources } from "./member-sources";
import { ROLES } from "./roles";
import { useAccountMutation } from "./use-account-mutation";

/** A fresh one-time link and whom it signs in. */
export interface FreshLink {
  email: string;
  url: string;
}

/** Who has access, and a form to add somebody. */
export function MembersPart() {
  const query = useQuery(membersQuery);
  const [link, setLink] = useState<FreshLink | null>(null);
  return (
    <Section title={query.data ? `${plural(query.data.total, "person has", "people have")} access` : "Members"}>
      {link && (
        <ShownOnce
          label={`One-time link for ${link.email}. It works once, for 24 hours, and is not shown again: send it to them.`}
          secret={link.url}
          onDone={() => setLink(null)}
        />
      )}
      <Region query={query} what="the members" rows={3}>
        {({ items }) => <MemberTable members={items} onLink={setLink} />}
      </Region>
      <MemberForm onLink={setLink} />
    </Section>
  );
}

interface TableProps {
  members: readonly Member[];
  onLink: (link: FreshLink) => void;
}

function MemberTable({ members, onLink }: TableProps) {
  return (
    <ScrollBox label="Table of members">
      <table>
        <thead>
          <tr>
            <th scope="col">E-mail</th>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Sources</th>
            <th scope="col">Last sign-in</th>
            <th scope="col">
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} onLink={onLink} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function MemberRow({ member, onLink }: { member: Member; onLink: (link: FreshLink) => void }) {
  return (
    <tr>
      <td className="b">{member.email}</td>
      <td>{member.name || <span className="muted">not given</span>}</td>
      <td>{member.is_you ? "owner, you" : <RoleSelect member={member} />}</td>
      <td>
        <MemberSources member={member} />
      </td>
      <td className="nw">{member.last_sign_in ? formatDate(member.last_sign_in) : "never"}</td>
      <td className="rowacts">{!member.is_you && <MemberActions member={member} onLink={onLink} />}</td>
    </tr>
  );
}

function RoleSelect({ member }: { member: Member }) {
  const change = useAccountMutation(
    // An owner sees every source; the server refuses to say otherwise.
    (role: Role) => updateMember(member.id, { role, source_slugs: role === "owner" ? null : member.source_slugs }),
    `Role of ${member.email} changed`,
  );
  const shown = change.isPending ? change.variables : member.role;
  return (
    <select aria-label={`Role of ${member.email}`} value={shown} disabled={change.isPending} onChange={(event) => change.mutate(event.target.value as Role)}>
      {ROLES.map(({ role, word }) => (
        <option key={role} value={role}>
          {word}
        </option>
      ))}
    </select>
  );
}

function MemberActions({ member, onLink }: { member: Member; onLink: (link: FreshLink) => void }) {
  const make = useAccountMutation(() => makeSignInLink(member.id), null);
  const remove = useAccountMutation(() => removeMember(member.id), `${member.email} removed`);
  const makeLink = () => make.mutate(undefined, { onSuccess: ({ sign_in_url }) => onLink({ email: member.email, url: sign_in_url }) });
  return (
    <>
      <button className="linkbtn" type="button" disabled={make.isPending} onClick={makeLink}>
        Make one-time link
      </button>
      <AskButton className="linkbtn" action="Remove member" question={`Remove ${member.email}?`} onConfirm={() => remove.mutate()}>
        <p>They are signed out, their tokens stop working, and what they wrote stays under their name.</p>
      </AskButton>
    </>
  );
}
