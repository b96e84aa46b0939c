import { useSyncExternalStore } from "react";

import { announcedMessage, onAnnouncement } from "../lib/announce";

/** Where announcements are shown and read out. */
export function LiveRegion() {
  const message = useSyncExternalStore(onAnnouncement, announcedMessage);
  return (
    <div className="live" role="status" aria-live="polite">
      {message && <p>{message}</p>}
    </div>
  );
}
