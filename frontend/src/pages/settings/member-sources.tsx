import { useQuery } from "@tanstack/react-query";
import { useRef, type SubmitEvent } from "react";

import { updateMember } from "../../api/members";
import { sourcesQuery } from "../../api/sources";
import type { Member } from "../../api/types";
import { FormError } from "../../ui/form-error";

import { chosenSources, SourceChoice } from "./source-choice";
import { useAccountMutation } from "./use-account-mutation";

/** The sources a member sees, and a form to change them. An owner, and oneself, sees every source. */
export function MemberSources({ member }: { member: Member }) {
  const sources = useQuery(sourcesQuery).data?.items ?? [];
  const seen = member.source_slugs === null ? "every source" : member.source_slugs.join(", ") || "none";
  if (member.is_you || member.role === "owner" || sources.length < 2) return seen;
  return <ChangeSources member={member} seen={seen} />;
}

function ChangeSources({ member, seen }: { member: Member; seen: string }) {
  const details = useRef<HTMLDetailsElement>(null);
  const change = useAccountMutation(
    (source_slugs: string[] | null) => updateMember(member.id, { role: member.role, source_slugs }),
    `Sources of ${member.email} changed`,
    true,
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(chosenSources(new FormData(event.currentTarget)), {
      onSuccess: () => details.current?.removeAttribute("open"),
    });
  };
  return (
    <details ref={details}>
      <summary aria-label={`Sources of ${member.email}: ${seen}`}>{seen}</summary>
      <form className="form" onSubmit={submit} aria-label={`Sources of ${member.email}`}>
        <SourceChoice key={seen} chosen={member.source_slugs ?? []} />
        <FormError error={change.error} fields={[]} />
        <div className="row">
          <button className="btn" type="submit" disabled={change.isPending}>
            Save sources
          </button>
        </div>
      </form>
    </details>
  );
}
