import { isStorable } from "@/lib/contract/shared";
import { query } from "@/lib/query";
import { db } from "@/lib/store/store";
import { readStartDesk } from "./start-settle";
import { type Assignee, readAssignees } from "./assign";
import { readAbsence } from "./assign";
import { readCase } from "./case-view";
import { takeFile } from "./events";
import { readFigures } from "./figures";
import { readHolder } from "./events";
import { readDecisionTerms } from "./decision";
import { readDossiers } from "./evidence";
import { readQueue } from "./queue";
import { readCaseRules } from "./case-rules";
import { readChoices } from "./queue";
import { exportQueue } from "./queue-bulk";
import { readNeighbours } from "./queue";
import { readUnread } from "./sweep";
import { readTimeline } from "./case-view";

export type { Assignee } from "./assign";
export type { Absence } from "./assign";
export type { DayFigures, Figures, PersonFigures } from "./figures";
export type { Casework, KycCaseView } from "./case-view";
export type { DecisionView } from "./decisions";
export type { DecisionTerms } from "./decision";
export type { CaseDossier } from "./evidence";
export type { KycQueue } from "./queue";
export type { BulkDone } from "./queue-bulk";
export type { QueueChoices } from "./queue";
export type { SelectionGiven } from "./rules";
export type { KycRow } from "./queue";
export type { RulesChange } from "./case-rules";
export type { RulesStep, RulesView } from "./case-rules";
export type { Related } from "./records";
export type { StartView, SubjectView } from "./started";
export type { StartDesk } from "./start-settle";
export type { TimelineEntry } from "./case-view";

/** The queue, as the watch last saw it; what does not fit in the filter becomes the default. */
export const listCases = query("kyc:read", readQueue);

/** What the provider lists among the cases and nobody here understands. */
export const listUnread = query("kyc:read", async ({ tenant }) => readUnread(await db(), tenant));

/** All of a filter's cases as a file; that it was taken is on record before its first byte. */
export const exportCases = query("kyc:read", exportQueue);

/** Whom and what the queue's filter and its bulk changes can name. */
export const listChoices = query("kyc:read", readChoices);

/** The cases beside one in the queue under a filter. */
export const listNeighbours = query("kyc:read", readNeighbours);

/** Who may have cases, and who of them is away. */
export const listAssignees = query("kyc:assign", async ({ tenant }): Promise<Assignee[]> =>
  readAssignees(await db(), tenant),
);

/** Whose the case is now; null: nobody's, or there is none. */
export const getHolder = query("kyc:read", async ({ tenant }, kycUUID: string) =>
  isStorable(kycUUID) ? readHolder(await db(), { tenant, kycUUID }) : null,
);

/** How the desk is doing, for whoever leads it. */
export const getFigures = query("kyc:read", readFigures);

/** Until when the person themselves is away, and how many open cases they have. */
export const getOwnAbsence = query("kyc:assign", readAbsence);

/** One case, and that this person looked at it is on record; null when the watch has not seen it. */
export const getCase = query("kyc:read", readCase);

/** What happened to a case, newest first; null when the watch has not seen it. */
export const getTimeline = query("kyc:read", readTimeline);

/** The dossiers of a case's decisions, newest first. */
export const listDossiers = query("kyc:read", readDossiers);

/** A file of a case; throws not-found, and forbidden to who may not read what the team writes down. */
export const openCaseFile = query("kyc:read", takeFile);

/** What somebody needs to decide a case; throws `BankError` not-found. */
export const getDecisionTerms = query("kyc:decide", readDecisionTerms);

/** The form to start a case of this kind as the person left it, and starts of which nobody knows what became of them. */
export const getStartDesk = query("kyc:start", readStartDesk);

/** By what rules cases are worked at this tenant, and how those came to be. */
export const getCaseRules = query("settings:manage", readCaseRules);
