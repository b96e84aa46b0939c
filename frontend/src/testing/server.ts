import { http, HttpResponse, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";

import type { ErrorBody } from "../api/types";

import { evidencePage } from "./evidence-fixture";
import * as fixtures from "./fixtures";
import { partsFixture } from "./parts-fixture";
import { minutesFixture } from "./series-fixture";
import * as sources from "./source-fixtures";
import * as works from "./work-fixtures";

const API = "*/api/v1";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Answers one address of the API; `seen` gets each request's URL and body. */
export function answer(method: Method, path: string, body: JsonBodyType, seen?: (url: URL, sent: unknown) => void) {
  return http[method](`${API}${path}`, async ({ request }) => {
    seen?.(new URL(request.url), await request.json().catch(() => null));
    return HttpResponse.json(body);
  });
}

/** Answers one address with a refusal in the one error shape; `seen` as above. */
export function refuse(method: Method, path: string, status: number, error: Partial<ErrorBody["error"]> = {}, seen?: (url: URL, sent: unknown) => void) {
  const body: ErrorBody = { error: { code: "refused", message: "It was refused.", request_id: "req-1", fields: [], ...error } };
  return http[method](`${API}${path}`, async ({ request }) => {
    seen?.(new URL(request.url), await request.json().catch(() => null));
    return HttpResponse.json(body, { status });
  });
}

/** Answers an address that has no body to give. */
export function accept(method: Method, path: string, seen?: (url: URL) => void) {
  return http[method](`${API}${path}`, ({ request }) => {
    seen?.(new URL(request.url));
    return new HttpResponse(null, { status: 204 });
  });
}

/** A connected organization with three series, as an owner sees it. */
export const server = setupServer(
  answer("get", "/me", fixtures.me()),
  answer("get", "/freshness", fixtures.freshness()),
  answer("get", "/overview", fixtures.overview()),
  answer("get", "/rules", fixtures.rules()),
  answer("get", "/series", fixtures.pageOf(fixtures.seriesRows())),
  answer("get", "/series/facets", fixtures.facets()),
  refuse("get", "/series/by-path", 404, { code: "not_found" }),
  answer("get", "/series/:id/minutes", minutesFixture()),
  answer("get", "/series/:id/parts", partsFixture()),
  answer("get", "/series/:id/work", works.noWork()),
  answer("get", "/series/:id/activity", fixtures.pageOf([])),
  answer("get", "/attention", works.attention()),
  answer("get", "/markers", fixtures.pageOf([])),
  answer("get", "/evidence", evidencePage()),
  answer("get", "/readouts", { ...fixtures.pageOf([]), states: [] }),
  answer("get", "/sources", fixtures.pageOf([sources.source()])),
  answer("get", "/sources/:slug/coverage", sources.coverage()),
  answer("get", "/sources/:slug/backfill", sources.backfill()),
  answer("get", "/runs", fixtures.pageOf([sources.run()])),
  answer("get", "/runs/:id", sources.run()),
  answer("get", "/revisions", fixtures.pageOf([sources.revision()])),
  answer("get", "/rejects", fixtures.pageOf([sources.reject()])),
  answer("get", "/members", fixtures.pageOf([sources.member()])),
  answer("get", "/tokens", fixtures.pageOf([])),
);
