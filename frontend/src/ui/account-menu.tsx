import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";

import { signOut } from "../api/session";
import type { Me } from "../api/types";
import { announce } from "../lib/announce";

const ROLE_WORDS: Readonly<Record<Me["role"], string>> = {
  owner: "Owner",
  admin: "Admin",
  member: "Member",
  "read-only": "Read only",
};

/** Who is signed in, with Settings and sign out behind it. */
export function AccountMenu({ me }: { me: Me }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const leave = useLeave();
  useCloseOutside(box, open, () => setOpen(false));
  return (
    <div className="account" ref={box}>
      <button className="iconbtn" type="button" aria-expanded={open} aria-controls="account-menu" onClick={() => setOpen(!open)}>
        Account
      </button>
      <div id="account-menu" className="menu" hidden={!open}>
        <p>
          <span className="b">{me.name || me.email}</span>
          <span className="sub">
            {me.name ? `${me.email}, ` : ""}
            {ROLE_WORDS[me.role]}
          </span>
        </p>
        <Link to="/settings" onClick={() => setOpen(false)}>
          Settings
        </Link>
        <button type="button" onClick={() => leave.mutate()}>
          Sign out
        </button>
      </div>
    </div>
  );
}

function useLeave() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate("/signin");
      client.clear();
    },
    onError: (error) => announce(error.message),
  });
}

function useCloseOutside(box: React.RefObject<HTMLElement | null>, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return;
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      close();
      box.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", onPointer);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [box, open, close]);
}
