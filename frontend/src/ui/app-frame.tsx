import type { ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";

import type { Me } from "../api/types";
import { HatchDefs } from "../charts/HatchDefs";
import { copyText } from "../lib/copy-text";
import { toggleTheme } from "../lib/theme";
import { useShortcut } from "../lib/use-shortcut";

import { AccountMenu } from "./account-menu";
import { DemoLabel } from "./demo-label";
import { Footer } from "./footer";
import { Freshness } from "./freshness";
import { LiveRegion } from "./live-region";

/** Header, main part and footer of every page one sees signed in. */
export function AppFrame({ me, children }: { me: Me; children: ReactNode }) {
  useFrameShortcuts();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <HatchDefs />
      <div className="topwrap">
        <header className="top">
          <Link className="brand" to="/">
            cachewatch
          </Link>
          {me.demo && <DemoLabel />}
          <MainNav />
          <Freshness />
          <button className="iconbtn" type="button" title="Switch between light and dark" onClick={toggleTheme}>
            Light / dark
          </button>
          <AccountMenu me={me} />
        </header>
      </div>
      <main className="page" id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer shortcutsOn={me.shortcuts_on} />
      <LiveRegion />
    </>
  );
}

function MainNav() {
  const { pathname } = useLocation();
  const part = partOf(pathname);
  const current = (name: string, path: string) => (part === name ? (pathname === path ? "page" : "true") : undefined);
  return (
    <nav className="nav" aria-label="Main">
      <Link to="/" aria-current={current("overview", "/")}>
        Overview
      </Link>
      <Link to="/readouts" aria-current={current("readouts", "/readouts")}>
        Readouts
      </Link>
      <Link to="/evidence" aria-current={current("evidence", "/evidence")}>
        Evidence
      </Link>
      <Link to="/sources" aria-current={current("sources", "/sources")}>
        Sources
      </Link>
    </nav>
  );
}

/** The part of the product an address belongs to. */
function partOf(pathname: string): string {
  if (pathname === "/" || pathname.startsWith("/series/")) return "overview";
  return /^\/(readouts|evidence|sources)(\/|$)/.exec(pathname)?.[1] ?? "";
}

function useFrameShortcuts(): void {
  const navigate = useNavigate();
  useShortcut("g o", "overview", () => void navigate("/"));
  useShortcut("g r", "readouts", () => void navigate("/readouts"));
  useShortcut("g e", "evidence", () => void navigate("/evidence"));
  useShortcut("g s", "sources", () => void navigate("/sources"));
  useShortcut("t", "light or dark", toggleTheme);
  useShortcut("y", "copy the address of this page", () => void copyText(window.location.href, "Address copied"));
}
