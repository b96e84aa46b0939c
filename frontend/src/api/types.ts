/** The shapes of /api/v1, by name. Times are RFC 3339 in UTC, shares are 0 to 1, null is "not known". */

import type { components, paths } from "./schema.gen";

type Schemas = components["schemas"];

export interface Page<Item> {
  items: Item[];
  total: number;
  limit: number;
  offset: number;
}

export type Me = Schemas["Me"];
export type Role = Me["role"];

export type Freshness = Schemas["Freshness"];
export type FreshHourState = Schemas["FreshHour"]["state"];
export type Overview = Schemas["Overview"];
export type Pooled = Schemas["Pooled"];
export type SourceRef = Schemas["SourceRef"];

export type VerdictSummary = Schemas["VerdictSummary"];
export type VerdictCode = VerdictSummary["code"];
export type VerdictCount = Schemas["VerdictCount"];
export type VerdictGroup = Schemas["VerdictGroup"];
export type Money = Schemas["Money"];
/** One third of the linked hours by request rate, pooled. */
export type Third = Schemas["Third"];
/** Six hours, pooled. */
export type SharePoint = Schemas["SharePoint"];
/** A row of the table, with the work behind it. */
export type SeriesRow = Schemas["ListedSeries"];
export type RowWork = Schemas["RowWork"];
export type SeriesFacets = Schemas["SeriesFacets"];
export type SeriesSort = NonNullable<NonNullable<paths["/api/v1/series"]["get"]["parameters"]["query"]>["sort"]>;

export type SeriesDetail = Schemas["SeriesDetail"];
export type Excluded = Schemas["Excluded"];
export type ThresholdRow = Schemas["ThresholdRow"];
/** One cause that was looked for: how it stands, its numbers in words, what would change it. */
export type Control = Schemas["Control"];
export type ControlStatus = Control["status"];
export type CellRef = Schemas["CellRef"];
export type LoadIntervals = Schemas["LoadIntervals"];
export type Stability = Schemas["Stability"];
export type Repair = Schemas["Repair"];
/** One busy day by the minute, and how the newest request for one stands. */
export type SeriesMinutes = Schemas["SeriesMinutes"];
export type MinuteOfSeries = Schemas["MinuteOfSeries"];
export type MinuteTest = Schemas["MinuteTestNumbers"];
/** The verdict's window and its parts, each with its own quiet and busy third. */
export type SeriesParts = Schemas["SeriesParts"];
export type WeekPart = Schemas["WeekPart"];
export type PartsCut = Schemas["PartsCut"];
export type SeriesHour = Schemas["SeriesHour"];
export type HourState = SeriesHour["state"];
export type SeriesHours = Schemas["SeriesHours"];
/** One run of days with the same verdict; `end` is not part of it. */
export type VerdictRun = Schemas["VerdictRun"];
export type VerdictHistory = Schemas["VerdictHistory"];

/** Something that happened to a series, a project or a source; `rollout` is null where it is no repair. */
export type Marker = Schemas["Marker"];
export type MarkerKind = Marker["kind"];
export type Particulars = Schemas["Particulars"];
export type NewParticulars = Schemas["NewParticulars"];
export type NewMarker = Schemas["NewMarker"];
export type MarkerChanges = Schemas["MarkerChanges"];
export type KeyPlan = Schemas["KeyPlan"];
export type KeyLint = Schemas["KeyLint"];
/** Whether a key helps a series, which, over how many shards, and the code. */
export type SeriesKeyPlan = Schemas["SeriesKeyPlan"];
export type PlannedUnit = NonNullable<SeriesKeyPlan["unit"]>;
export type ReadoutRow = Schemas["ReadoutRow"];
/** Some readouts, and how many of each state there are whatever states are chosen. */
export type ReadoutPage = Schemas["ReadoutPage"];
export type ReadoutMissing = Schemas["ReadoutMissing"];
export type StateCount = Schemas["StateCount"];
export type ReadoutSort = NonNullable<NonNullable<paths["/api/v1/readouts"]["get"]["parameters"]["query"]>["sort"]>;
export type ReadoutState = ReadoutRow["state"];
export type ReadoutRef = Schemas["ReadoutRef"];
/** A readout with everything it stands on; `numbers` is null until it was measured. */
export type ReadoutDetail = Schemas["ReadoutDetail"];
export type ReadoutNumbers = Schemas["ReadoutNumbers"];
export type ReadoutMeasure = Schemas["MeasureReading"];
export type ReadoutCheck = Schemas["ReadoutCheck"];
export type ReadoutControls = Schemas["ReadoutControls"];
export type ReadoutLook = Schemas["ReadoutLook"];
export type NewDecision = Schemas["NewDecision"];
export type Outcome = NewDecision["outcome"];

/** A log of requests that was imported; counts are null until it was read. */
export type EvidenceRow = Schemas["EvidenceRow"];
/** Some imports, where the reader may import, and the formats there are. */
export type EvidencePage = Schemas["EvidencePage"];
/** An import with everything that its log shows; `numbers` is null until it was read. */
export type EvidenceDetail = Omit<Schemas["EvidenceDetail"], "numbers"> & { numbers: EvidenceNumbers | null };
export type EvidenceNumbers = Omit<Schemas["EvidenceNumbers"], "arms"> & { arms: EvidenceArm[] };
/** The transport's types widen the pair of bounds to a list. */
export type EvidenceArm = Omit<Schemas["EvidenceArm"], "hit_interval"> & { hit_interval: [number, number] };
export type EvidencePoint = Schemas["EvidencePoint"];
export type EvidenceFinding = Schemas["EvidenceFinding"];
export type MissedPart = Schemas["MissedPart"];
export type MissedCause = MissedPart["cause"];

/** What decides a verdict: chapters of the documentation as HTML, and every threshold. */
export type Rules = Schemas["Rules"];
export type RulesChapter = Schemas["RulesChapter"];
export type RulesThreshold = Schemas["RulesThreshold"];

export type Scopes = Schemas["Scopes"];
export type ScopeState = Scopes["usage"];
export type Run = Schemas["Run"];
export type Source = Schemas["SourceRow"];
export type ProbeResult = Schemas["ProbeResult"];
export type QueuedRead = Schemas["QueuedRead"];
export type NewSource = Schemas["NewSource"];
export type SourceChange = Schemas["SourceChange"];
export type Coverage = Schemas["Coverage"];
export type BackfillWeek = Schemas["BackfillWeekRow"];
export type Backfill = Schemas["Backfill"];
export type Revision = Schemas["Revision"];
export type Reject = Schemas["RejectedRow"];

export type Member = Schemas["Member"];
export type AddedMember = Schemas["AddedMember"];
export type SignInUrl = Schemas["SignInUrl"];
export type Token = Schemas["Token"];
export type TokenScope = Schemas["NewToken"]["scopes"][number];
export type NewTokenShown = Schemas["MadeToken"];

/** The work item behind a verdict that is a finding. */
export type Finding = Schemas["Finding"];
export type FindingState = Finding["state"];
export type FindingChanges = Schemas["FindingChanges"];
/** A step of the repair list; `number` is null where it is kept from a former verdict. */
export type Step = Schemas["Step"];
export type StepState = Step["state"];
export type StepChange = Schemas["StepChange"];
/** What stands in the rail of a series page. */
export type SeriesWork = Schemas["SeriesWork"];
export type Person = Schemas["Person"];
export type TeamNote = Schemas["TeamNote"];
export type NoteRef = Schemas["NoteRef"];
export type NoteKey = NoteRef["key"];
export type HandoffNote = Schemas["HandoffNote"];
export type Activity = Schemas["Activity"];
export type Attention = Schemas["Attention"];
export type AttentionItem = Schemas["AttentionItem"];
export type AttentionTab = NonNullable<NonNullable<paths["/api/v1/attention"]["get"]["parameters"]["query"]>["attention"]>;

/** The one error shape of every answer that is not 2xx. */
export type ErrorBody = Schemas["Problem"];
