import type { KycProcessName, KycStatus } from "@/lib/contract/kyc";
import type { IntentState } from "@/lib/db/tables/provider";
import { isUnknown } from "@/lib/text/provider-word";

export type ProcessRecord = { process: KycProcessName; status: KycStatus; changedAt: Date };

type KnownState = {
  records: readonly ProcessRecord[];
  isDocumentscopyOrdered?: boolean;
  decision?: { decision: "APPROVED" | "REPROVED"; sentAt: Date } | null;
};

/** States of a decision that leave the case undecided: one in flight may still be refused. */
export const UNDECIDED: readonly IntentState[] = ["SENDING", "REFUSED"];

export type CaseState = { process: KycProcessName; status: KycStatus };

const STAGES: readonly KycProcessName[] = ["kyc-backgroundcheck", "kyc-documentscopy"];

/** Unknown processes count as the latest. */
const stageOf = (process: KycProcessName) => (isUnknown(process) ? STAGES.length : STAGES.indexOf(process));

export function rankOf(status: KycStatus): number {
  if (isUnknown(status)) return 2;
  return { REPROVED: 0, PENDING: 1, PROCESSING: 3, APPROVED: 4 }[status];
}

export const worseOf = <One extends { status: KycStatus }>(one: One, other: One): One =>
  rankOf(other.status) < rankOf(one.status) ? other : one;

const speaksFirst = (one: ProcessRecord, other: ProcessRecord) =>
  rankOf(one.status) - rankOf(other.status) || stageOf(other.process) - stageOf(one.process);

/** A decision covers the whole case: records unchanged since then are overruled. */
function inForce({ records, decision }: KnownState): { records: readonly ProcessRecord[]; isDecided: boolean } {
  if (!decision) return { records, isDecided: false };
  const since = records.filter(({ changedAt }) => changedAt >= decision.sentAt);
  const isDecided = since.some(({ status }) => status === decision.decision);
  return { records: isDecided ? since : records, isDecided };
}

/** The state of a case from all of its records (decision 45); null without any. */
export function caseState(known: KnownState): CaseState | null {
  const { records, isDecided } = inForce(known);
  const [first] = records.toSorted(speaksFirst);
  if (first === undefined) return null;
  const { process, status } = first;
  const awaitsDocuments =
    known.isDocumentscopyOrdered === true &&
    !isDecided &&
    records.every((one) => one.process === "kyc-backgroundcheck");
  return { process, status: status === "APPROVED" && awaitsDocuments ? "PROCESSING" : status };
}

export const FINAL: readonly string[] = ["APPROVED", "REPROVED"];

export const isFinal = (status: string): boolean => FINAL.includes(status);
