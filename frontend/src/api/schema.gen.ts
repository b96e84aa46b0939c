/** The shapes of /api/v1, by name. Times are RFC 3339 in UTC, shares are 0 to 1, null is "not known". */

export type VerdictCode =
  | "load-correlated-misses"
  | "flat-low-share"
  | "cold-only-after-idle"
  | "no-cached-tokens"
  | "share-rises-with-load"
  | "healthy"
  | "load-does-not-vary"
  | "too-few-linked-hours"
  | "mix-shift"
  | "level-shift-mid-window"
  | "sparse-traffic-retention"
  | "inconclusive";

export type Role = "owner" | "admin" | "member" | "read-only";

export interface Page<Item> {
  items: Item[];
  total: number;
  limit: number;
  offset: number;
}

export interface Me {
  email: string;
  name: string;
  role: Role;
  has_password: boolean;
  shortcuts_on: boolean;
  source_slugs: string[] | null;
  demo: boolean;
  can: { annotate: boolean; ingest: boolean; admin: boolean };
}

export type FreshHourState = "complete" | "settling" | "open" | "missing";

export interface Freshness {
  complete_to: string | null;
  settling_hours: number;
  hours: { hour: string; state: FreshHourState }[];
  hours_behind: number | null;
  stale: boolean;
  demo: boolean;
}

export interface Pooled {
  share: number | null;
  cached_tokens: number | null;
  input_tokens: number | null;
}

export interface SourceRef {
  slug: string;
  name: string;
  kind: string;
}

export interface VerdictCount {
  code: VerdictCode;
  count: number;
}

export interface Overview {
  window: { start: string; end: string; hours: number };
  headline: string;
  pooled: Pooled;
  previous_pooled: Pooled | null;
  series: number;
  projects: number;
  findings: number;
  new_findings: number;
  losing_under_load: number;
  near: number | null;
  verdict_counts: VerdictCount[];
  sources: SourceRef[];
  has_source: boolean;
}

export interface VerdictSummary {
  code: VerdictCode;
  word: string;
  published_state: string;
  published_word: string;
  action_class: string;
  since: string;
  days: number;
  short: string;
  sentence: string;
  is_finding: boolean;
  day: string;
}

/** One third of the linked hours by request rate, pooled. */
export interface Third {
  share: number | null;
  cached_tokens: number | null;
  input_tokens: number | null;
  requests_per_hour: number;
  hours: number;
  low_requests: number;
  high_requests: number;
}

/** Six hours, pooled. */
export interface SharePoint {
  t: string;
  share: number | null;
  cached_tokens: number | null;
  input_tokens: number | null;
}

export interface SeriesRow {
  id: number;
  source: SourceRef;
  project_id: string | null;
  project_name: string;
  model: string | null;
  model_name: string;
  path: string;
  verdict: VerdictSummary | null;
  pooled: Pooled;
  quiet: Third | null;
  busy: Third | null;
  third_reason: string | null;
  rho: number | null;
  linked_hours: number;
  requests_per_day: number | null;
  points: SharePoint[];
  complete_to: string | null;
  last_traffic: string | null;
  idle_days: number;
}

export interface SeriesFacets {
  verdicts: VerdictCount[];
  projects: { id: string | null; name: string; count: number }[];
  models: { model: string | null; count: number }[];
  sources: { slug: string; name: string; count: number }[];
  total: number;
}

export interface Excluded {
  after_gap: number;
  unsettled: number;
  no_input: number;
  no_requests: number;
  not_reported: number;
  clipped: number;
  unknown_before: number;
}

export interface ThresholdRow {
  name: string;
  label: string;
  value: number | null;
  limit: number;
  side: "at or above" | "at or below";
  unit: "share" | "points" | "correlation" | "hours" | "ratio";
  passes: boolean | null;
  sentence: string;
  closest: boolean;
}

export interface SeriesDetail extends SeriesRow {
  lede: string;
  window: { start: string; end: string } | null;
  now_hours: number;
  excluded: Excluded;
  excluded_sentence: string;
  thresholds: ThresholdRow[];
  threshold_values: {
    rho_floor: number;
    ratio_floor: number;
    quiet_floor: number;
    min_hours: number;
    set_by: "default" | "source" | "series";
  };
  handoff: { verdict_owner: string; text: string } | null;
  repairs: { step: string; why: string; how: string }[];
  decided_at: string | null;
  rules_version: string;
  previous_id: number | null;
  next_id: number | null;
  api_keys: { api_key_id: string; name: string }[];
}

export type HourState =
  | "used"
  | "after_gap"
  | "unknown_before"
  | "settling"
  | "open"
  | "no_traffic"
  | "missing"
  | "no_input"
  | "no_requests"
  | "not_reported";

export interface SeriesHour {
  hour: string;
  state: HourState;
  requests: number | null;
  input_tokens: number | null;
  cached_tokens: number | null;
  cache_write_tokens: number | null;
  share: number | null;
  third: "quiet" | "busy" | null;
}

export interface SeriesHours {
  items: SeriesHour[];
  start: string;
  end: string;
}

/** One run of days with the same verdict; `end` is not part of it. */
export interface VerdictRun {
  start: string;
  end: string;
  code: VerdictCode;
  word: string;
  days: number;
  flipped_from: VerdictCode | null;
}

export interface VerdictHistory {
  items: VerdictRun[];
  days_stored: number;
}

export type ScopeState = "granted" | "missing" | "unknown";

export interface Scopes {
  usage: ScopeState;
  management: ScopeState;
}

export interface Run {
  id: number;
  source: string;
  kind: string;
  status: string;
  start: string | null;
  end: string | null;
  started_at: string;
  finished_at: string | null;
  seconds: number | null;
  pages: number;
  hours: number;
  rows_read: number;
  rows_new: number;
  rows_changed: number;
  rows_removed: number;
  rows_unchanged: number;
  rows_rejected: number;
  error: string;
  error_code: string;
  notices: string[];
}

export interface Source {
  slug: string;
  name: string;
  kind: string;
  base_url: string;
  key: { state: "ok" | "unreadable" | "missing" | "variable"; hint: string; variable: string };
  paused: boolean;
  problem: string;
  grouping: string[];
  refused_grouping: string[];
  settle_minutes: number;
  time_zone: string;
  backfill_days: number;
  scopes: Scopes;
  probed_at: string | null;
  lookback: string | null;
  last_run: Run | null;
  next_run_at: string | null;
  buckets_stored: number;
  hours_stored: number;
  series_count: number;
  first_hour: string | null;
  complete_to: string | null;
  created_at: string;
  runs_ok: number;
  runs_total: number;
  revised_rows_7d: number;
  rejected_rows_7d: number;
  rows_7d: number;
}

export interface ProbeResult {
  ok: boolean;
  sentence: string;
  scopes: Scopes;
  lookback: string | null;
}

export interface NewSource {
  name: string;
  admin_key: string;
  base_url?: string;
  settle_minutes?: number;
  time_zone?: string;
  backfill_days?: number;
}

export type SourceChange = Partial<NewSource> & { paused?: boolean };

export interface Coverage {
  hours: { hour: string; state: "complete" | "revised" | "settling" | "open" | "missing"; revisions: number }[];
}

export interface BackfillWeek {
  start: string;
  end: string;
  state: string;
  note: string;
  hours_fetched: number;
  hours_total: number;
}

export interface Backfill {
  weeks: BackfillWeek[];
  fetched: number;
  total: number;
  running: boolean;
  sentence: string;
}

export interface Revision {
  id: number;
  source: string;
  series_id: number;
  series_name: string;
  series_path: string;
  hour: string;
  input_before: number | null;
  input_now: number | null;
  change: number | null;
  share_before: number | null;
  share_now: number | null;
  nth: number;
  seen_at: string;
  removed: boolean;
}

export interface Reject {
  id: number;
  source: string;
  hour: string | null;
  dimensions: string;
  field: string;
  place: string;
  reason: string;
  sent: string;
  first_seen_at: string;
  last_seen_at: string;
}

export interface Member {
  id: number;
  email: string;
  name: string;
  role: Role;
  source_slugs: string[] | null;
  last_sign_in: string | null;
  is_you: boolean;
}

export interface Token {
  id: number;
  name: string;
  hint: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  owner: string;
}

/** The one error shape of every answer that is not 2xx. */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    request_id: string;
    fields: { name: string; message: string }[];
  };
}

export type TokenScope = "read" | "annotate" | "ingest" | "admin";
export interface AddedMember { member: Member; sign_in_url: string; expires_at: string }
export interface SignInUrl { sign_in_url: string; expires_at: string }
export interface NewTokenShown { token: string; item: Token }

type PathOf<Path> = [Path] extends [never] ? { path?: never } : { path: Path };
type BodyOf<Body> = [Body] extends [never] ? { requestBody?: never } : { requestBody: { content: { "application/json": Body } } };
type Op<Ok, Body = never, Path = never, Query = never> = {
  parameters: { query?: Query; header?: never; cookie?: never } & PathOf<Path>;
  responses: {
    200: { headers: Record<string, unknown>; content: { "application/json": Ok } };
    default: { headers: Record<string, unknown>; content: { "application/json": ErrorBody } };
  };
} & BodyOf<Body>;
interface Paging { limit?: number; offset?: number }
interface Facet { q?: string; verdict?: string[]; project?: string[]; model?: string[]; source?: string[] }
interface Slug { slug: string }

export interface paths {
  "/api/v1/me": { get: Op<Me>; patch: Op<Me, { name?: string; shortcuts_on?: boolean; password?: string }> };
  "/api/v1/freshness": { get: Op<Freshness> };
  "/api/v1/overview": { get: Op<Overview> };
  "/api/v1/series": { get: Op<Page<SeriesRow>, never, never, Facet & Paging & { sort?: string }> };
  "/api/v1/series/facets": { get: Op<SeriesFacets, never, never, Facet> };
  "/api/v1/series/by-path": { get: Op<SeriesDetail, never, never, { source: string; project: string; model: string }> };
  "/api/v1/series/{series_id}": { get: Op<SeriesDetail, never, { series_id: number }, Facet & { sort?: string }> };
  "/api/v1/series/{series_id}/hours": { get: Op<SeriesHours, never, { series_id: number }, { from?: string; to?: string }> };
  "/api/v1/series/{series_id}/verdicts": { get: Op<VerdictHistory, never, { series_id: number }> };
  "/api/v1/series/{series_id}/thresholds": {
    put: Op<SeriesDetail, { rho_floor?: number; ratio_floor?: number; quiet_floor?: number; min_hours?: number }, { series_id: number }>;
    delete: Op<SeriesDetail, never, { series_id: number }>;
  };
  "/api/v1/sources": { get: Op<Page<Source>, never, never, Paging>; post: Op<Source, NewSource> };
  "/api/v1/sources/probe": { post: Op<ProbeResult, { admin_key: string; base_url?: string }> };
  "/api/v1/sources/{slug}": { get: Op<Source, never, Slug>; patch: Op<Source, SourceChange, Slug>; delete: Op<undefined, never, Slug> };
  "/api/v1/sources/{slug}/probe": { post: Op<ProbeResult, never, Slug> };
  "/api/v1/sources/{slug}/run": { post: Op<{ queued: boolean }, never, Slug> };
  "/api/v1/sources/{slug}/coverage": { get: Op<Coverage, never, Slug> };
  "/api/v1/sources/{slug}/backfill": { get: Op<Backfill, never, Slug>; post: Op<Backfill, { days?: number }, Slug> };
  "/api/v1/runs": { get: Op<Page<Run>, never, never, Paging & { source?: string; problems?: boolean }> };
  "/api/v1/runs/{run_id}": { get: Op<Run, never, { run_id: number }> };
  "/api/v1/revisions": { get: Op<Page<Revision>, never, never, Paging & { source?: string }> };
  "/api/v1/rejects": { get: Op<Page<Reject>, never, never, Paging & { source?: string }> };
  "/api/v1/members": { get: Op<Page<Member>, never, never, Paging>; post: Op<AddedMember, { email: string; role: Role; source_slugs?: string[] | null }> };
  "/api/v1/members/{member_id}": {
    patch: Op<Member, { role: Role; source_slugs?: string[] | null }, { member_id: number }>;
    delete: Op<undefined, never, { member_id: number }>;
  };
  "/api/v1/members/{member_id}/sign-in-link": { post: Op<SignInUrl, never, { member_id: number }> };
  "/api/v1/tokens": { get: Op<Page<Token>, never, never, Paging>; post: Op<NewTokenShown, { name: string; scopes: TokenScope[]; expires_in_days?: number | null }> };
  "/api/v1/tokens/{token_id}": { delete: Op<undefined, never, { token_id: number }> };
}

export interface components {
  schemas: {
    VerdictCode: VerdictCode;
    Role: Role;
    Me: Me;
    FreshHourState: FreshHourState;
    Freshness: Freshness;
    Pooled: Pooled;
    SourceRef: SourceRef;
    VerdictCount: VerdictCount;
    Overview: Overview;
    VerdictSummary: VerdictSummary;
    Third: Third;
    SharePoint: SharePoint;
    SeriesRow: SeriesRow;
    SeriesFacets: SeriesFacets;
    Excluded: Excluded;
    ThresholdRow: ThresholdRow;
    SeriesDetail: SeriesDetail;
    HourState: HourState;
    SeriesHour: SeriesHour;
    SeriesHours: SeriesHours;
    VerdictRun: VerdictRun;
    VerdictHistory: VerdictHistory;
    ScopeState: ScopeState;
    Scopes: Scopes;
    Run: Run;
    Source: Source;
    ProbeResult: ProbeResult;
    NewSource: NewSource;
    SourceChange: SourceChange;
    Coverage: Coverage;
    BackfillWeek: BackfillWeek;
    Backfill: Backfill;
    Revision: Revision;
    Reject: Reject;
    Member: Member;
    Token: Token;
    ErrorBody: ErrorBody;
    TokenScope: TokenScope;
    AddedMember: AddedMember;
    SignInUrl: SignInUrl;
    NewTokenShown: NewTokenShown;
  };
}
