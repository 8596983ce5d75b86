import { EXPOSURES, SLA_CLOCKS } from "@/lib/db/enums/kyc";
import { APPROVAL_KIND_NAMES, POLICY_RULES, OUTCOME_NAMES } from "@/lib/permission/writes";
import { z } from "zod";
import { ROLES } from "@/lib/permission/permission";
import { EVIDENCE_SOURCES, OUTCOMES } from "@/lib/db/enums/outcomes";
import { type Network, NETWORKS } from "@/lib/contract/crypto";
import { seal, shownSealed, unseal } from "@/lib/db/seal";
import type { SealedColumn } from "@/lib/db/sealed-columns";
import { shortAddress } from "@/lib/text/short";
import { maskName } from "@/lib/text/masks";
import type { approval } from "@/lib/db/tables/approvals";
import { APPROVAL_REASONS } from "./view";
import { RULE_PARTS } from "@/lib/db/enums/case-rules";

/** No value holds a document or a secret in clear. */
export const ShownValue = z.discriminatedUnion("as", [
  z.strictObject({ as: z.literal("brl"), decimal: z.string() }),
  z.strictObject({ as: z.literal("kyc-status"), status: z.string() }),
  z.strictObject({ as: z.literal("account-status"), status: z.enum(["OPEN", "CLOSED"]) }),
  z.strictObject({ as: z.literal("account-type"), type: z.enum(["CACC", "SVGS"]) }),
  z.strictObject({ as: z.literal("sla-clock"), clock: z.enum(SLA_CLOCKS) }),
  z.strictObject({ as: z.literal("exposure"), exposure: z.enum(EXPOSURES) }),
  z.strictObject({ as: z.literal("text"), text: z.string() }),
  z.strictObject({ as: z.literal("coins"), amount: z.string(), asset: z.string() }),
  z.strictObject({ as: z.literal("held"), balance: z.string(), asset: z.string(), asOf: z.string() }),
  z.strictObject({
    as: z.literal("sends"),
    sends: z.array(z.strictObject({ at: z.string(), txHash: z.string().nullable() })),
  }),
  z.strictObject({ as: z.literal("network"), network: z.enum(NETWORKS) }),
  z.strictObject({ as: z.literal("networks"), networks: z.array(z.enum(NETWORKS)) }),
  z.strictObject({ as: z.literal("time"), at: z.string() }),
  z.strictObject({ as: z.literal("elsewhere"), seenAt: z.string().nullable() }),
  z.strictObject({ as: z.literal("address"), address: z.string() }),
  z.strictObject({
    as: z.literal("wallet"),
    walletId: z.string(),
    told: z.enum(["customer", "checkout", "own", "untold"]).default("untold"),
    label: z.string().nullable(),
    labelled: z
      .strictObject({ byName: z.string(), at: z.string(), isOfMaker: z.boolean(), isRecent: z.boolean() })
      .nullable()
      .default(null),
  }),
  z.strictObject({
    as: z.literal("alike"),
    found: z.array(z.strictObject({ address: z.string(), as: z.enum(["paid", "ours", "saved", "history"]) })),
  }),
  z.strictObject({ as: z.literal("roles"), roles: z.array(z.enum(ROLES)) }),
  z.strictObject({ as: z.literal("kind"), kind: z.enum(APPROVAL_KIND_NAMES) }),
  z.strictObject({ as: z.literal("write"), write: z.enum(OUTCOME_NAMES) }),
  z.strictObject({ as: z.literal("outcome"), outcome: z.enum(OUTCOMES) }),
  z.strictObject({ as: z.literal("evidence"), source: z.enum(EVIDENCE_SOURCES) }),
  z.strictObject({
    as: z.literal("rule"),
    rule: z.enum(POLICY_RULES),
    amount: z.string().nullable(),
    limits: z
      .strictObject({
        personSum: z.string().nullable(),
        personCount: z.number().nullable(),
        payeeSum: z.string().nullable(),
        payeeCount: z.number().nullable(),
        tenantSum: z.string().nullable().default(null),
        firstSum: z.string().nullable().default(null),
      })
      .optional(),
  }),
  z.strictObject({
    as: z.literal("why"),
    by: z.enum(APPROVAL_REASONS),
    sum: z.string(),
    count: z.number(),
    limit: z.string().nullable().default(null),
  }),
]);
export type ShownValue = z.infer<typeof ShownValue>;

const FACT_NAMES = [
  "status",
  "earlierDecision",
  "earlierBy",
  "earlierAt",
  "standingBy",
  "exposure",
  "reason",
  "amount",
  "from",
  "fromHolder",
  "to",
  "toHolder",
  "recipient",
  "document",
  "institution",
  "branch",
  "account",
  "accountType",
  "description",
  "network",
  "token",
  "repeat",
  "onChain",
  "hash",
  "ruledOut",
  "ours",
  "alike",
  "firstUse",
  "over",
  "why",
  "files",
  "checklist",
  "note",
  "balance",
  "blocked",
  "user",
  "email",
  "roles",
  "rule",
  "about",
  "evidence",
  "reference",
  "seen",
  ...RULE_PARTS,
] as const;

/** `before`: the value at the proposal; null when there was none. */
export const Shown = z.strictObject({
  headline: ShownValue,
  href: z.string().nullable(),
  facts: z.array(z.strictObject({ name: z.enum(FACT_NAMES), before: ShownValue.nullable(), after: ShownValue })),
});
export type Shown = z.infer<typeof Shown>;
export type Fact = Shown["facts"][number];

const TELLING = ["status", "recipient", "to", "roles", "rule"];

export function gistOf({ facts }: Shown): Pick<Fact, "before" | "after"> | null {
  const telling = facts.find(({ name }) => TELLING.includes(name));
  return telling === undefined ? null : { before: telling.before, after: telling.after };
}

/** Coins move on a `network`; null for reais. `isFirstUse`: when it was requested. */
export type ShownParties = {
  from: string;
  to: string;
  isFirstUse: boolean;
  network: Network | null;
};

/** Payer and payee: by initials, or by account or address when the holder is unknown; null for other kinds. */
export function partiesOf({ facts }: Shown): ShownParties | null {
  const afterOf = (name: Fact["name"]) => facts.find((fact) => fact.name === name)?.after;
  const textOf = (name: Fact["name"]) => {
    const after = afterOf(name);
    if (after?.as === "address") return shortAddress(after.address);
    return after?.as === "text" ? after.text : null;
  };
  const on = afterOf("network");
  const recipient = textOf("recipient");
  const from = textOf("fromHolder") ?? textOf("from");
  const to = textOf("toHolder") ?? textOf("to");
  const payee = recipient === null ? to : maskName(recipient);
  if (from === null || payee === null) return null;
  return {
    from,
    to: payee,
    isFirstUse: afterOf("firstUse") !== undefined,
    network: on?.as === "network" ? on.network : null,
  };
}

export const shownText = (text: string): ShownValue => ({ as: "text", text });
export const shownBrl = (decimal: string): ShownValue => ({ as: "brl", decimal });

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

const Snapshot = z.strictObject({
  columns: z.string(),
  order: z.string(),
  bytes: z.string(),
  shown: Shown,
});
type Snapshot = z.infer<typeof Snapshot>;

const targetOf = <Column extends SealedColumn>(column: Column, { tenant, id }: { tenant: string; id: string }) => ({
  column,
  row: [tenant, id],
});

const written = (row: Columns) => JSON.stringify(COLUMNS.map((name) => row[name]));

export const sealSnapshot = (row: Columns, { order, bytes, shown }: Omit<Snapshot, "columns">): string =>
  seal(JSON.stringify({ columns: written(row), order, bytes, shown }), targetOf("approval.frozen_sealed", row));

async function open(row: Approval): Promise<Snapshot | null> {
  const snapshot = Snapshot.parse(JSON.parse(unseal(row.frozenSealed, targetOf("approval.frozen_sealed", row))));
  return snapshot.columns === written(row) ? snapshot : null;
}

/** Returns null when the row was altered: an edited column or another row's seal is detected. */
export const readSnapshot = (row: Approval): Promise<Snapshot | null> => open(row).catch(() => null);

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
    targetOf("approval.decision_sealed", row),
  );

async function openDecision(row: Approval): Promise<Decision | null> {
  const { id, bodyHash, deciderId, decisionSealed } = row;
  if (decisionSealed === null) return null;
  const decision = Decision.parse(JSON.parse(unseal(decisionSealed, targetOf("approval.decision_sealed", row))));
  const isOfRow = decision.approvalId === id && decision.bodyHash === bodyHash && decision.deciderId === deciderId;
  return isOfRow ? decision : null;
}

/** Returns null when nobody decided, whatever the row's state says. */
export const readDecision = (row: Approval): Promise<Decision | null> => openDecision(row).catch(() => null);

type CommentId = { tenant: string; id: string };

export const sealComment = (which: CommentId, text: string): string =>
  seal(text, targetOf("approval_comment.text_sealed", which));

export const readComment = (row: CommentId & { textSealed: string }): string =>
  shownSealed(row.textSealed, targetOf("approval_comment.text_sealed", row));
