export const TRANSFER_KINDS = ["INTERNAL", "EXTERNAL"] as const;
/** Between two accounts at the provider, or a TED. */
export type TransferKind = (typeof TRANSFER_KINDS)[number];
