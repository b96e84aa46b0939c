import { Link } from "react-router";

import type { RulesChapter } from "../../api/types";

/** The chapters and their parts, as links to them. */
export function Contents({ chapters }: { chapters: readonly RulesChapter[] }) {
  return (
    <nav className="contents" aria-label="On this page">
      <ul>
        {chapters.map(({ name, title, parts }) => (
          <li key={name}>
            <Link to={`#${name}`}>{title}</Link>
            <ul>
              {parts.map(({ anchor, title: part }) => (
                <li key={anchor}>
                  <Link to={`#${anchor}`}>{part}</Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <Link to="#thresholds">Thresholds</Link>
        </li>
      </ul>
    </nav>
  );
}
