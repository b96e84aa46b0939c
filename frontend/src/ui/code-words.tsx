/** A call, a command, or a name with underscores and what it is set to: what one would type as it stands. */
const CODE = /([A-Za-z_.]+\([^)]*\)|cachewatch diff \S+ \S+|[a-z]+(?:_[a-z0-9]+)+(?:="[^"]*")?)/;

/** A sentence whose names and calls are set as code. */
export function CodeWords({ text }: { text: string }) {
  return text.split(CODE).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
