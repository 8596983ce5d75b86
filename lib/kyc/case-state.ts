import type { KycProcessName, KycStatus } from "@/lib/contract/kyc";
import { isUnknown } from "@/lib/text/unknown";

/** What the provider says of one process of a case, and since when by our reading. */
export type ProcessRecord = { process: KycProcessName; status: KycStatus; changedAt: Date };

type Known = {
  records: readonly ProcessRecord[];
  /** Document-scopy was ordered with the case, as far as we know. */
  isDocumentscopyOrdered?: boolean;
  /** Our people's last decision that the provider took or may have taken. */
  decision?: { decision: "APPROVED" | "REPROVED"; sentAt: Date } | null;
};

export type CaseState = { process: KycProcessName; status: KycStatus };

const STAGES: readonly KycProcessName[] = ["kyc-backgroundcheck", "kyc-documentscopy"];

/** A process that the interface does not name counts as later than those it does. */
const stageOf = (process: KycProcessName) => (isUnknown(process) ? STAGES.length : STAGES.indexOf(process));

/** The lower, the more it says of the whole case. */
function rankOf(status: KycStatus): number {
  if (isUnknown(status)) return 2;
  return { REPROVED: 0, PENDING: 1, PROCESSING: 3, APPROVED: 4 }[status];
}

/** Of two records of one process, the one that says more. */
export const graverOf = <One extends { status: KycStatus }>(one: One, other: One): One =>
  rankOf(other.status) < rankOf(one.status) ? other : one;

/** Which of two records of a case speaks for it: the graver status, then the later stage. */
const speaksFirst = (one: ProcessRecord, other: ProcessRecord) =>
  rankOf(one.status) - rankOf(other.status) || stageOf(other.process) - stageOf(one.process);

/** A decision is about the whole case: once a record has taken it, those that have not changed since are overruled. */
function inForce({ records, decision }: Known): { records: readonly ProcessRecord[]; isDecided: boolean } {
  if (!decision) return { records, isDecided: false };
  const since = records.filter(({ changedAt }) => changedAt >= decision.sentAt);
  const isDecided = since.some(({ status }) => status === decision.decision);
  return { records: isDecided ? since : records, isDecided };
}

/** The state of a case from all of its records (decision 45); null: there are none. */
export function caseState(known: Known): CaseState | null {
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
