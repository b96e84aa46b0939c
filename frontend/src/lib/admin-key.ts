const OTHER_KINDS: readonly (readonly [string, string])[] = [
  ["sk-proj-", "a project key (sk-proj)"],
  ["sk-svcacct-", "a service account key (sk-svcacct)"],
];

/** What is wrong with a key that can be told without asking the provider; null when nothing is. */
export function adminKeyProblem(key: string): string | null {
  if (key.trim() === "") return "Enter the admin key.";
  if (/\s/.test(key.trim())) return "The key holds a space or a line break. Copy it again, alone.";
  const other = OTHER_KINDS.find(([start]) => key.trim().startsWith(start));
  return other ? `This is ${other[1]}. OpenAI refuses it for usage. The key must start with sk-admin.` : null;
}
