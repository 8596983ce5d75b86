import { isStorable } from "@/lib/contract/shared";
import { query } from "@/lib/query";
import { db } from "@/lib/store/store";
import { type Assignee, readAssignees } from "./assignees";
import { readAbsence } from "./away";
import { readCase } from "./case-view";
import { takeFile } from "./files";
import { readHolder } from "./held";
import { readDecisionTerms } from "./decision-terms";
import { readQueue } from "./queue";
import { readTimeline } from "./timeline";

export type { Assignee } from "./assignees";
export type { Absence } from "./away";
export type { Casework, KycCaseView } from "./case-view";
export type { DecisionState, DecisionView } from "./decisions";
export type { DecisionTerms } from "./decision-terms";
export type { KycQueue } from "./queue";
export type { KycRow } from "./queue-rows";
export type { Related, RelatedCase } from "./related";
export type { MemberView, StartView, SubjectView } from "./start-view";
export type { Timeline, TimelineEntry } from "./timeline";

/** The queue, as the watch last saw it; what does not fit in the filter becomes the default. */
export const listCases = query("kyc:read", readQueue);

/** Who may have cases, and who of them is away. */
export const listAssignees = query("kyc:assign", async ({ tenant }): Promise<Assignee[]> =>
  readAssignees(await db(), tenant),
);

/** Whose the case is now; null: nobody's, or there is none. */
export const getHolder = query("kyc:read", async ({ tenant }, kycUUID: string) =>
  isStorable(kycUUID) ? readHolder(await db(), { tenant, kycUUID }) : null,
);

/** Until when the person themselves is away, and how many open cases they have. */
export const getOwnAbsence = query("kyc:assign", readAbsence);

/** One case, and that this person looked at it is on record; null when the watch has not seen it. */
export const getCase = query("kyc:read", readCase);

/** What happened to a case, newest first; null when the watch has not seen it. */
export const getTimeline = query("kyc:read", readTimeline);

/** A file of a case; throws not-found, and forbidden to who may not read what the team writes down. */
export const openCaseFile = query("kyc:read", takeFile);

/** What somebody needs to decide a case; throws `BankError` not-found. */
export const getDecisionTerms = query("kyc:decide", readDecisionTerms);
