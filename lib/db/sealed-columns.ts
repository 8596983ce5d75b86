type SealedPlace = { row: readonly string[]; before?: readonly string[]; hash: string | null };

/** A key change reseals all of these. `row`: the immutable key of the binding; `before`: earlier versions' binding. */
export const SEALED_COLUMNS = {
  "access_review.note_sealed": { row: ["tenant", "id"], hash: null },
  "account.document_sealed": { row: ["ref"], hash: "document_hash" },
  "account_closure.reason_sealed": { row: ["tenant", "intent_id"], hash: null },
  "account_entry.document_sealed": { row: ["tenant", "account_ref", "key", "ordinal"], hash: "document_hash" },
  "account_entry.name_sealed": { row: ["tenant", "account_ref", "key", "ordinal"], hash: "name_hash" },
  "account_entry.text_sealed": { row: ["tenant", "account_ref", "key", "ordinal"], hash: null },
  "approval.frozen_sealed": { row: ["tenant", "id"], hash: null },
  "approval.decision_sealed": { row: ["tenant", "id"], hash: null },
  "approval_comment.text_sealed": { row: ["tenant", "id"], hash: null },
  "bank_intent.body_sealed": { row: ["tenant", "id"], hash: "body_hash" },
  "bank_intent.kept_sealed": { row: ["tenant", "id"], hash: null },
  "bank_intent.said_sealed": { row: ["tenant", "id"], hash: null },
  "casework_content.key_sealed": { row: ["tenant", "file_id"], hash: null },
  "casework_file.name_sealed": { row: ["tenant", "id"], hash: null },
  "casework_file.reason_sealed": { row: ["tenant", "id"], hash: null },
  "casework_note.text_sealed": { row: ["tenant", "id"], hash: null },
  "crypto_order.destination_sealed": { row: ["tenant", "intent_id"], hash: "destination_hash" },
  "crypto_order.fingerprint_sealed": { row: ["tenant", "intent_id"], hash: "fingerprint_hash" },
  "crypto_order.order_sealed": { row: ["tenant", "intent_id"], hash: null },
  "data_key_canary.sealed": { row: ["id"], hash: null },
  "deposit.note_sealed": { row: ["tenant", "id"], hash: null },
  "deposit.reference_sealed": { row: ["tenant", "id"], hash: "reference_hash" },
  "kyc_decision.note_sealed": { row: ["tenant", "intent_id"], before: ["intent_id"], hash: null },
  "dossier.frozen_sealed": { row: ["tenant", "id"], hash: null },
  "dossier.recheck_sealed": { row: ["tenant", "id"], hash: null },
  "dossier.file_sealed": { row: ["tenant", "id"], hash: null },
  "draft.fields_sealed": { row: ["tenant", "id"], hash: null },
  "kyc_decision.reason": { row: ["tenant", "intent_id"], before: ["intent_id"], hash: null },
  "kyc_start.document_sealed": { row: ["tenant", "intent_id"], hash: "document_hash" },
  "kyc_start.subject_sealed": { row: ["tenant", "intent_id"], hash: null },
  "kyc_start_member.document_sealed": { row: ["tenant", "intent_id", "position"], hash: "document_hash" },
  "kyc_start_member.subject_sealed": { row: ["tenant", "intent_id", "position"], hash: null },
  "movement_chunk.key_sealed": { row: ["tenant", "export_id", "position", "nth"], hash: null },
  "onboarding.document_sealed": { row: ["id"], hash: "document_hash" },
  "onboarding_request.document_sealed": { row: ["tenant", "intent_id"], hash: "document_hash" },
  "onboarding_request.form_sealed": { row: ["tenant", "intent_id"], hash: null },
  "outcome_conclusion.reason_sealed": { row: ["tenant", "id"], hash: null },
  "payee.destination_sealed": { row: ["tenant", "id"], hash: "destination_hash" },
  "payee.details_sealed": { row: ["tenant", "id"], hash: null },
  "reveal_alarm.note_sealed": { row: ["tenant", "id"], hash: null },
  "reveal.note_sealed": { row: ["id"], hash: null },
  "staff_passkey.public_key_sealed": { row: ["staff_id", "id"], hash: null },
  "staff_totp.candidate_sealed": { row: ["staff_id"], hash: null },
  "staff_totp.secret_sealed": { row: ["staff_id"], hash: null },
  "suspicion_step.text_sealed": { row: ["tenant", "id"], hash: null },
  "transfer_payee.document_sealed": { row: ["tenant", "intent_id"], hash: "document_hash" },
  "transfer_payee.name_sealed": { row: ["tenant", "intent_id"], hash: "name_hash" },
  "wallet.reference_sealed": { row: ["tenant", "id"], hash: "reference_hash" },
  "wallet_request.customer_sealed": { row: ["tenant", "intent_id"], hash: "customer_hash" },
  "wallet_request.reference_sealed": { row: ["tenant", "intent_id"], hash: "reference_hash" },
  "webhook_event.body_sealed": { row: ["tenant", "id"], hash: "body_hash" },
} as const satisfies Record<string, SealedPlace>;

export type SealedColumn = keyof typeof SEALED_COLUMNS;

/** The place of an earlier version; null when it was the same. */
export function earlierTarget({ column, row }: SealedTarget): SealedTarget | null {
  const { row: names, before }: SealedPlace = SEALED_COLUMNS[column];
  return before === undefined ? null : { column, row: before.map((name) => row[names.indexOf(name)] ?? "") };
}

/** It does not open in another row. */
export type SealedTarget = { column: SealedColumn; row: readonly string[] };

/** Hashes without their source in the row cannot be recomputed; they matter for this many days. */
export const LONE_HASHES = [
  { table: "approval", hash: "body_hash", at: "created_at", days: 7 },
  { table: "intent_claim", hash: "body_hash", at: "created_at", days: 1 },
  { table: "bank_intent", hash: "body_hash", at: "created_at", days: 1 },
  { table: "transfer", hash: "likeness", at: "created_at", days: 3 },
  { table: "transfer", hash: "payee_hash", at: "created_at", days: 1 },
] as const;
