import type { Role } from "../../api/types";

/** What each role may do, from most to least. */
export const ROLES: readonly { role: Role; word: string; may: string }[] = [
  { role: "owner", word: "Owner", may: "everything, also members" },
  { role: "admin", word: "Admin", may: "sources, runs, thresholds, own tokens" },
  { role: "member", word: "Member", may: "reads and annotates" },
  { role: "read-only", word: "Read only", may: "reads" },
];
