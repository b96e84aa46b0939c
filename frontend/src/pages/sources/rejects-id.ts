/** Where a page's rejected values stand, for links to them. */
export const REJECTS_ID = "rejected-values";
