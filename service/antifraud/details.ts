/** A transfer in reais that waits: between two accounts, or (`toAccountId` null) to another institution. */
export type TransferDetails = {
  kind: "transfer";
  type: "INTERNAL" | "TED";
  fromAccountId: string;
  toAccountId: string | null;
  /** Whole cents, as text. */
  cents: string;
  description: string;
  /** What a TED says of its recipient. */
  recipient?: Record<string, unknown>;
};

/** What a case needs to be carried out, or given back, when it is decided. */
export type CaseDetails = TransferDetails;
