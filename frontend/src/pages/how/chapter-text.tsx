import { useNarrow } from "../../lib/use-narrow";
import { guideParts } from "../../lib/guide-parts";

/** A chapter as it is written; on a narrow page each part stands behind its heading. Made of files of the repository, and cleaned by the server. */
export function ChapterText({ html }: { html: string }) {
  const narrow = useNarrow();
  if (!narrow) return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
  const { before, parts } = guideParts(html);
  return (
    <>
      <div className="prose" dangerouslySetInnerHTML={{ __html: before }} />
      {parts.map((part) => (
        <details key={part.anchor} className="part">
          <summary>
            <h3 id={part.anchor} dangerouslySetInnerHTML={{ __html: part.title }} />
          </summary>
          <div className="prose" dangerouslySetInnerHTML={{ __html: part.html }} />
        </details>
      ))}
    </>
  );
}
