import type { Network } from "@/lib/contract/crypto";

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

/** A transfer of a network's native coin that waits; `units` and `fee` in its base units, as text. */
export type CryptoTransferDetails = {
  kind: "crypto-transfer";
  walletId: string;
  network: Network;
  /** The destination in its canonical form. */
  to: string;
  units: string;
  fee: string;
};

/** What a case needs to be carried out, or given back, when it is decided. */
export type CaseDetails = TransferDetails | CryptoTransferDetails;
