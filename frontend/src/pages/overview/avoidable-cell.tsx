import type { Money } from "../../api/types";
import { keepTogether } from "../../lib/format";

/** What a finding costs a week, in the API's words. "unpriced", "N/A" and "none claimed" are no dollars. */
export function AvoidableCell({ money: { amount, basis, note }, claimed }: { money: Money; claimed: boolean }) {
  return (
    <>
      <span className={claimed ? "b" : "muted"} title={note || undefined}>
        {amount}
      </span>
      {basis && <span className="sub">{keepTogether(basis)}</span>}
    </>
  );
}
