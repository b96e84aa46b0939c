import { Link } from "react-router";

import { Keys } from "./keys";
import { ShortcutDialog } from "./shortcut-dialog";

const SHOWN: readonly (readonly [string, string])[] = [
  ["/", "search"],
  ["j k", "move"],
  ["Enter", "open"],
  ["g o", "overview"],
];

/** The shortcuts worth knowing first, where the rules are, and what a share is. */
export function Footer({ shortcutsOn }: { shortcutsOn: boolean }) {
  return (
    <footer className="foot">
      {shortcutsOn &&
        SHOWN.map(([keys, label]) => (
          <span key={keys}>
            <Keys keys={keys} /> {label}
          </span>
        ))}
      <ShortcutDialog shortcutsOn={shortcutsOn} />
      <Link className="footlink" to="/how">
        How cachewatch decides
      </Link>
      <span className="share-rule">Hours are UTC. A share is cached input tokens / input tokens, pooled over the hours named.</span>
    </footer>
  );
}
