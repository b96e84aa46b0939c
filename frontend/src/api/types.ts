/** The shapes of /api/v1, by name. Times are RFC 3339 in UTC, shares are 0 to 1, null is "not known". */

import type { components } from "./schema.gen";

type Schemas = components["schemas"];

export interface Page<Item> {
  items: Item[];
  total: number;
  limit: number;
  offset: number;
}

export type VerdictCode = Schemas["VerdictCode"];
export type Role = Schemas["Role"];
export type Me = Schemas["Me"];
export type FreshHourState = Schemas["FreshHourState"];
export type Freshness = Schemas["Freshness"];
export type Pooled = Schemas["Pooled"];
export type SourceRef = Schemas["SourceRef"];
export type VerdictCount = Schemas["VerdictCount"];
export type Overview = Schemas["Overview"];
export type VerdictSummary = Schemas["VerdictSummary"];
export type Third = Schemas["Third"];
export type SharePoint = Schemas["SharePoint"];
export type SeriesRow = Schemas["SeriesRow"];
export type SeriesFacets = Schemas["SeriesFacets"];
export type Excluded = Schemas["Excluded"];
export type ThresholdRow = Schemas["ThresholdRow"];
export type SeriesDetail = Schemas["SeriesDetail"];
export type HourState = Schemas["HourState"];
export type SeriesHour = Schemas["SeriesHour"];
export type SeriesHours = Schemas["SeriesHours"];
export type VerdictRun = Schemas["VerdictRun"];
export type VerdictHistory = Schemas["VerdictHistory"];
export type ScopeState = Schemas["ScopeState"];
export type Scopes = Schemas["Scopes"];
export type Run = Schemas["Run"];
export type Source = Schemas["Source"];
export type ProbeResult = Schemas["ProbeResult"];
export type NewSource = Schemas["NewSource"];
export type SourceChange = Schemas["SourceChange"];
export type Coverage = Schemas["Coverage"];
export type BackfillWeek = Schemas["BackfillWeek"];
export type Backfill = Schemas["Backfill"];
export type Revision = Schemas["Revision"];
export type Reject = Schemas["Reject"];
export type Member = Schemas["Member"];
export type Token = Schemas["Token"];
export type ErrorBody = Schemas["ErrorBody"];
export type TokenScope = Schemas["TokenScope"];
export type AddedMember = Schemas["AddedMember"];
export type SignInUrl = Schemas["SignInUrl"];
export type NewTokenShown = Schemas["NewTokenShown"];
