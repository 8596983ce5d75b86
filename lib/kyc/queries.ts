import { isStorable } from "@/lib/contract/shared";
import { query } from "@/lib/query";
import { db } from "@/lib/db/connection";
import { type Assignee, readAssignees } from "./assignees";
import { readCaseRules } from "./case-rules";
import { readCase, readDecisionTerms, readCaseTimeline } from "./read-case";
import { takeCaseFile } from "./files";
import { readHolder } from "./holder";
import { readDossiers } from "./evidence";
import { readNeighbours } from "./neighbours";
import { exportCase as printedCase } from "./print-case";
import { readCaseQueue } from "./queue";
import { readChoices } from "./queue-choices";
import { countCasesWaiting, readAbsence } from "./queue-counts";
import { exportQueue } from "./queue-export";
import { readStartFormState } from "./start-form";
import { readUnreadCases } from "./sweep";
import { readWorkload } from "./workload";
import { readFigures } from "./figures";

export type { Assignee } from "./assignees";
export type { Absence } from "./queue-counts";
export type { Casework, DecisionTerms, DecisionView, KycCaseView } from "./read-case";
export type { CaseDossier } from "./evidence";
export type { DayFigures, Figures, PersonFigures } from "./figures";
export type { KycQueue, KycRow } from "./queue";
export type { BulkDone } from "./queue-bulk";
export type { QueueChoices } from "./queue-choices";
export type { QueueFileColumn } from "./queue-export";
export type { SelectionInput } from "./inputs";
export type { RulesChange } from "./case-rules";
export type { RulesStep, RulesView } from "./case-rules";
export type { Related } from "./records";
export type { StartView, SubjectView } from "@/lib/db/started-case";
export type { StartFormState } from "./start-form";
export type { TimelineEntry } from "./read-case";
export type { Workload } from "./workload";

/** As the watch last saw it; an invalid filter becomes the default. */
export const listCases = query("kyc:read", readCaseQueue);

/** Records in the provider's list that cannot be read. */
export const listUnread = query("kyc:read", ({ tenant }) => readUnreadCases(tenant));

/** Audited before the first byte. */
export const exportCases = query("kyc:read", exportQueue);

export const countWaitingCases = query("kyc:read", countCasesWaiting);

export const listChoices = query("kyc:read", readChoices);

export const listNeighbours = query("kyc:read", readNeighbours);

export const listAssignees = query("kyc:assign", async ({ tenant }): Promise<Assignee[]> =>
  readAssignees(await db(), tenant),
);

export const getHolder = query("kyc:read", async ({ tenant }, kycUUID: string) =>
  isStorable(kycUUID) ? readHolder(await db(), { tenant, kycUUID }) : null,
);

export const getFigures = query("kyc:read", readFigures);

export const getWorkload = query("kyc:read", readWorkload);

export const getOwnAbsence = query("kyc:assign", readAbsence);

/** Audits the access; null when the watch has not seen the case. */
export const getCase = query("kyc:read", readCase);

/** A PDF of the case as its page shows it, audited first. Throws not-found. */
export const exportCase = query("kyc:read", printedCase);

/** Newest first; null when the watch has not seen the case. */
export const getTimeline = query("kyc:read", readCaseTimeline);

export const listDossiers = query("kyc:read", readDossiers);

/** Throws not-found, and forbidden without permission to read notes. */
export const openCaseFile = query("kyc:read", takeCaseFile);

/** Throws `AppError` not-found. */
export const getDecisionTerms = query("kyc:decide", readDecisionTerms);

export const getStartFormState = query("kyc:start", readStartFormState);

export const getCaseRules = query("settings:manage", readCaseRules);
