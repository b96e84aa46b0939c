import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Navigate, Outlet, ScrollRestoration, useLocation } from "react-router";

import { ApiError } from "../api/errors";
import { meQuery } from "../api/me";
import { AppFrame } from "../ui/app-frame";
import { Failure } from "../ui/failure";
import { pressKey } from "../lib/shortcuts";

/** Lets signed-in people through to the frame; others go to the sign-in page and come back here after. */
export function SessionGate() {
  const query = useQuery(meQuery);
  const { pathname, search } = useLocation();
  useKeys(query.data?.shortcuts_on ?? false);
  useMainFocus(pathname);
  if (query.error instanceof ApiError && query.error.status === 401) {
    const here = pathname + search;
    return <Navigate to={here === "/" ? "/signin" : `/signin?next=${encodeURIComponent(here)}`} replace />;
  }
  if (query.data) {
    return (
      <AppFrame me={query.data}>
        <Outlet />
        <ScrollRestoration />
      </AppFrame>
    );
  }
  return <main className="page">{query.isError ? <NoAnswer error={query.error} retry={() => void query.refetch()} /> : null}</main>;
}

function NoAnswer({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <>
      <h1>cachewatch could not be reached</h1>
      <Failure what="Who is signed in could not be read" error={error} onRetry={retry} />
    </>
  );
}

function useKeys(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const onKey = (event: KeyboardEvent) => pressKey(event, event.timeStamp);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [on]);
}

/** A new page starts for the keyboard and for screen readers where it starts for the eye. */
function useMainFocus(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);
}
