/** What stands in a table's place while its rows are on the way: rules, no motion. */
export function RuleRows({ what, rows = 8 }: { what: string; rows?: number }) {
  return (
    <div className="rulerows" aria-busy="true">
      <span className="vh">Loading {what}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} />
      ))}
    </div>
  );
}
