/** How far back a source's history is read, in days. */
export const HISTORY_CHOICES: readonly { days: number; label: string }[] = [
  { days: 365, label: "52 weeks" },
  { days: 182, label: "26 weeks" },
  { days: 28, label: "4 weeks" },
  { days: 7, label: "7 days" },
];
