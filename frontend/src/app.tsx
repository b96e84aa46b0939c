import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createBrowserRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";

import { createQueryClient } from "./api/query-client";
import { CrashPage } from "./pages/crash-page";
import { NotFoundPage } from "./pages/not-found-page";
import { OverviewPage } from "./pages/overview/overview-page";
import { SessionGate } from "./pages/session-gate";
import { SettingsPage } from "./pages/settings/settings-page";
import { SignInPage } from "./pages/sign-in/sign-in-page";
import { NewSourcePage } from "./pages/sources/new-source-page";
import { RunPage } from "./pages/sources/run-page";
import { SourcesPage } from "./pages/sources/sources-page";

async function seriesPage() {
  const { SeriesPage } = await import("./pages/series/series-page");
  return { Component: SeriesPage };
}

async function keyPlanPage() {
  const { KeyPlanPage } = await import("./pages/key-plan/key-plan-page");
  return { Component: KeyPlanPage };
}

async function readoutsPage() {
  const { ReadoutsPage } = await import("./pages/readouts/readouts-page");
  return { Component: ReadoutsPage };
}

async function readoutPage() {
  const { ReadoutPage } = await import("./pages/readouts/readout-page");
  return { Component: ReadoutPage };
}

async function evidenceListPage() {
  const { EvidenceListPage } = await import("./pages/evidence/evidence-list-page");
  return { Component: EvidenceListPage };
}

async function evidencePage() {
  const { EvidencePage } = await import("./pages/evidence/evidence-page");
  return { Component: EvidencePage };
}

async function howPage() {
  const { HowPage } = await import("./pages/how/how-page");
  return { Component: HowPage };
}

/** Every address of the product. The charts of a series and the rules come when first asked for. */
export const routes: RouteObject[] = [
  { path: "/signin", Component: SignInPage, ErrorBoundary: CrashPage },
  {
    Component: SessionGate,
    ErrorBoundary: CrashPage,
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: CrashPage,
        children: [
          { path: "/", Component: OverviewPage },
          { path: "/series/:source/:project/*", lazy: seriesPage },
          { path: "/key-plan/:source/:project/*", lazy: keyPlanPage },
          { path: "/readouts", lazy: readoutsPage },
          { path: "/readouts/:id", lazy: readoutPage },
          { path: "/evidence", lazy: evidenceListPage },
          { path: "/evidence/:id", lazy: evidencePage },
          { path: "/how", lazy: howPage },
          { path: "/sources", Component: SourcesPage },
          { path: "/sources/new", Component: NewSourcePage },
          { path: "/sources/runs/:id", Component: RunPage },
          { path: "/settings", Component: SettingsPage },
          { path: "*", Component: NotFoundPage },
        ],
      },
    ],
  },
];

interface AppProps {
  client?: QueryClient;
}

export function App({ client: given }: AppProps) {
  const [client] = useState(() => given ?? createQueryClient());
  const [router] = useState(() => createBrowserRouter(routes));
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
