/** Marks numbers that are no organization's. */
export function DemoLabel() {
  return (
    <span className="demo" title="Read over HTTP from the bundled simulator, not from an organization">
      demo data
    </span>
  );
}
