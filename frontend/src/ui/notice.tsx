import type { ReactNode } from "react";

/** A sentence above a page's content that is good to know and no error. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="banner notice" role="status">
      {children}
    </p>
  );
}
