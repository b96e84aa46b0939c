/** A heading inside a chapter of the rules, and what stands under it. */
export interface GuidePart {
  /** Of its heading, for links to it. */
  anchor: string;
  title: string;
  html: string;
}

/** A chapter's HTML in pieces: what stands before the first heading, and one piece for each. */
export function guideParts(html: string): { before: string; parts: GuidePart[] } {
  const [before = "", ...pieces] = html.split(/(?=<h3[ >])/);
  return { before, parts: pieces.map(guidePart) };
}

function guidePart(piece: string): GuidePart {
  const [heading = "", anchor = "", title = ""] = /^<h3(?: id="([^"]*)")?>([\s\S]*?)<\/h3>/.exec(piece) ?? [];
  return { anchor, title, html: piece.slice(heading.length) };
}
