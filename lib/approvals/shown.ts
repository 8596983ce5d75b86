import { z } from "zod";
import { APPROVAL_KIND_NAMES, POLICY_RULES } from "@/lib/approval-terms";
import { ROLES } from "@/lib/auth/permission";
import { EVIDENCE_SOURCES, OUTCOME_NAMES, OUTCOMES } from "@/lib/outcome-view";

/** A value as people saw it when they proposed; never a document or a secret in clear. */
export const ShownValue = z.discriminatedUnion("as", [
  z.strictObject({ as: z.literal("brl"), decimal: z.string() }),
  z.strictObject({ as: z.literal("kyc-status"), status: z.string() }),
  z.strictObject({ as: z.literal("account-status"), status: z.enum(["OPEN", "CLOSED"]) }),
  z.strictObject({ as: z.literal("text"), text: z.string() }),
  z.strictObject({ as: z.literal("roles"), roles: z.array(z.enum(ROLES)) }),
  z.strictObject({ as: z.literal("kind"), kind: z.enum(APPROVAL_KIND_NAMES) }),
  z.strictObject({ as: z.literal("write"), write: z.enum(OUTCOME_NAMES) }),
  z.strictObject({ as: z.literal("outcome"), outcome: z.enum(OUTCOMES) }),
  z.strictObject({ as: z.literal("evidence"), source: z.enum(EVIDENCE_SOURCES) }),
  z.strictObject({ as: z.literal("rule"), rule: z.enum(POLICY_RULES), amount: z.string().nullable() }),
]);
export type ShownValue = z.infer<typeof ShownValue>;

export const FACT_NAMES = [
  "status",
  "earlierDecision",
  "earlierBy",
  "reason",
  "amount",
  "from",
  "to",
  "recipient",
  "document",
  "institution",
  "branch",
  "account",
  "description",
  "network",
  "token",
  "repeat",
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
] as const;

/** What would change, in words for people: `before` is what stood when it was proposed, null where nothing did. */
export const Shown = z.strictObject({
  /** What it is about, in a list. */
  headline: ShownValue,
  /** The screen of the record, where there is one. */
  href: z.string().nullable(),
  facts: z.array(z.strictObject({ name: z.enum(FACT_NAMES), before: ShownValue.nullable(), after: ShownValue })),
});
export type Shown = z.infer<typeof Shown>;
export type Fact = Shown["facts"][number];

const TELLING = ["status", "recipient", "to", "roles", "rule"];

/** The fact that a list has room for. */
export function gistOf({ facts }: Shown): Pick<Fact, "before" | "after"> | null {
  const telling = facts.find(({ name }) => TELLING.includes(name));
  return telling === undefined ? null : { before: telling.before, after: telling.after };
}

export const shownText = (text: string): ShownValue => ({ as: "text", text });
export const shownBrl = (decimal: string): ShownValue => ({ as: "brl", decimal });
