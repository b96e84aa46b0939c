import { useEffect } from "react";

/** Names the browser tab after the page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - cachewatch`;
  }, [title]);
}
