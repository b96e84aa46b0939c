export interface FilterOption {
  value: string;
  label: string;
}

interface FilterSelectProps {
  name: string;
  /** What is chosen, where that is not the name: "owner", "finding state". */
  what?: string;
  chosen: readonly string[];
  options: readonly FilterOption[];
  onChange: (values: string[]) => void;
}

const SEVERAL = "_several";

/** One choice of a filter; several values from the address stay until another choice is made. */
export function FilterSelect({ name, what = name, chosen, options, onChange }: FilterSelectProps) {
  const id = `f-${name}`;
  const value = chosen.length > 1 ? SEVERAL : (chosen[0] ?? "");
  return (
    <>
      <label className="vh" htmlFor={id}>
        {what.charAt(0).toUpperCase() + what.slice(1)}
      </label>
      <select id={id} name={name} value={value} onChange={(event) => onChange(event.target.value ? [event.target.value] : [])}>
        <option value="">Any {what}</option>
        {chosen.length > 1 && (
          <option value={SEVERAL} disabled>
            {chosen.length} {what}s
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </>
  );
}
