import { useQuery } from "@tanstack/react-query";

import { sourcesQuery } from "../../api/sources";

/** Which sources a person sees, as boxes to tick; nothing to choose where there is one source. */
export function SourceChoice({ chosen = [] }: { chosen?: readonly string[] }) {
  const sources = useQuery(sourcesQuery).data?.items ?? [];
  if (sources.length < 2) return null;
  return (
    <fieldset className="ticks">
      <legend>Sources; none ticked means every source</legend>
      {sources.map(({ slug, name }) => (
        <label className="tick" key={slug}>
          <input type="checkbox" name="source" value={slug} defaultChecked={chosen.includes(slug)} />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

/** The slugs that are ticked; null, every source, where none is. */
export function chosenSources(form: FormData): string[] | null {
  const chosen = form.getAll("source").map(String);
  return chosen.length > 0 ? chosen : null;
}
