import { z } from "zod";
import { seal, shownSealed, unseal } from "@/lib/store/seal";
import type { SealedColumn } from "@/lib/store/sealed-columns";
import type { approval } from "./schema";
import { Shown } from "./shown";

export type Approval = typeof approval.$inferSelect;

const COLUMNS = [
  "tenant",
  "id",
  "kind",
  "permission",
  "intentId",
  "object",
  "isExclusive",
  "bodyHash",
  "policyVersion",
  "makerId",
  "createdAt",
  "expiresAt",
] as const satisfies (keyof Approval)[];

type Columns = Pick<Approval, (typeof COLUMNS)[number]>;

/** What was proposed: the columns that never change, what will be sent, and what people saw. */
const Frozen = z.strictObject({
  columns: z.string(),
  /** The verb's own order, as JSON. */
  order: z.string(),
  bytes: z.string(),
  shown: Shown,
});
type Frozen = z.infer<typeof Frozen>;

const placeOf = <Column extends SealedColumn>(column: Column, { tenant, id }: { tenant: string; id: string }) => ({
  column,
  row: [tenant, id],
});

const written = (row: Columns) => JSON.stringify(COLUMNS.map((name) => row[name]));

export const sealFrozen = (row: Columns, { order, bytes, shown }: Omit<Frozen, "columns">): string =>
  seal(JSON.stringify({ columns: written(row), order, bytes, shown }), placeOf("approval.frozen_sealed", row));

async function open(row: Approval): Promise<Frozen | null> {
  const frozen = Frozen.parse(JSON.parse(unseal(row.frozenSealed, placeOf("approval.frozen_sealed", row))));
  return frozen.columns === written(row) ? frozen : null;
}

/**
 * What was proposed, as it was; null when the row is no longer what was sealed. Nobody seals without the data key, and what
 * is sealed names its own row: editing a column, or exchanging the sealed text for another row's, is found out.
 */
export async function readFrozen(row: Approval): Promise<Frozen | null> {
  const [opened] = await Promise.allSettled([open(row)]);
  return opened.status === "fulfilled" ? opened.value : null;
}

/** What somebody decided about a proposal. */
const Decision = z.strictObject({
  approvalId: z.string(),
  bodyHash: z.string(),
  deciderId: z.string(),
  verdict: z.enum(["AUTHORISED", "REFUSED"]),
  reason: z.string().nullable(),
});
type Decision = z.infer<typeof Decision>;

export const sealDecision = (row: Approval, decision: Omit<Decision, "approvalId" | "bodyHash">): string =>
  seal(
    JSON.stringify({ approvalId: row.id, bodyHash: row.bodyHash, ...decision }),
    placeOf("approval.decision_sealed", row),
  );

async function openDecision(row: Approval): Promise<Decision | null> {
  const { id, bodyHash, deciderId, decisionSealed } = row;
  if (decisionSealed === null) return null;
  const decision = Decision.parse(JSON.parse(unseal(decisionSealed, placeOf("approval.decision_sealed", row))));
  const isOfRow = decision.approvalId === id && decision.bodyHash === bodyHash && decision.deciderId === deciderId;
  return isOfRow ? decision : null;
}

/** Who decided what about it; null when nobody did, whatever the row's state says. */
export async function readDecision(row: Approval): Promise<Decision | null> {
  const [opened] = await Promise.allSettled([openDecision(row)]);
  return opened.status === "fulfilled" ? opened.value : null;
}

type CommentId = { tenant: string; id: string };

export const sealComment = (which: CommentId, text: string): string =>
  seal(text, placeOf("approval_comment.text_sealed", which));

export const readComment = (row: CommentId & { textSealed: string }): string =>
  shownSealed(row.textSealed, placeOf("approval_comment.text_sealed", row));
