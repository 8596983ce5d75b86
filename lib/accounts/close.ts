import { sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { type IntentOutcome, intents } from "@/lib/bank/intent";
import { publish } from "@/lib/live/publish";
import type { FieldIssue } from "@/lib/errors/result";
import { seal } from "@/lib/store/seal";
import type { Tx } from "@/lib/store/store";
import { accountClosing, closureBody } from "./close-kind";
import type { ClosureOrder, HolderProof } from "./close-rules";
import { accountClosure } from "./schema";
import { requireClosable } from "./terms";

type Closer = Actor<"accounts:close">;

/** The closure on record, with its INTENT. */
async function open(tx: Tx, actor: Closer, { intentId, ref, reason }: ClosureOrder): Promise<void> {
  const { tenant, id: staffId } = actor;
  const closure = {
    accountRef: ref,
    reasonSealed: seal(reason, { column: "account_closure.reason_sealed", row: [tenant, intentId] }),
    staffId,
    createdAt: sql`clock_timestamp()`,
    seenOpenAt: null,
    lookedAt: null,
  };
  await tx
    .insert(accountClosure)
    .values({ tenant, intentId, ...closure })
    .onConflictDoUpdate({ target: [accountClosure.tenant, accountClosure.intentId], set: closure });
  const object = `account:${ref}`;
  await record(tx, { tenant, actor: staffId, code: "accounts.close", outcome: "INTENT", object, intentId });
  await publish(tx, { tenant, topic: "transfers", object });
}

const ABOUT_CODE = /\b(mfa|code|c[oó]digo|otp)\b/i;
const ABOUT_TOKEN = /\b(token\b|sess[aãi]|expired\b|expirad\w)/i;

/** Which of the holder's two secrets a refusal is about, by the provider's words: it names no field. */
export function refusedProof({ kind, details }: BankError): FieldIssue[] {
  const { status, providerMessage = "" } = details;
  const isRefusal = status === 400 || status === 422 || (kind === "forbidden" && status !== undefined);
  if (!isRefusal) return [];
  if (ABOUT_CODE.test(providerMessage)) return [{ path: ["code"], params: { code: "holder-code" } }];
  return ABOUT_TOKEN.test(providerMessage) ? [{ path: ["userAccessToken"], params: { code: "holder-token" } }] : [];
}

/**
 * Closes an account, once per intent (interface: POST /v1/bank-accounts/closeAccount). What it holds is read just before:
 * nothing is sent while something stands in the way. Throws what `Intents.carryOut` and `requireClosable` do; where the
 * provider refused the holder's token or code, its `issues` say which.
 */
export async function closeAccount(
  actor: Closer,
  order: ClosureOrder,
  proof: HolderProof,
): Promise<IntentOutcome<unknown>> {
  const { intentId, ref } = order;
  const [closed] = await Promise.allSettled([
    intents.carryOut(accountClosing, {
      actor,
      intentId,
      object: `account:${ref}`,
      body: closureBody(order, proof),
      opened: (tx) => open(tx, actor, order),
      prepare: () => requireClosable(actor, { ref, intentId }),
    }),
  ]);
  if (closed.status === "fulfilled") return closed.value;
  const refusal: unknown = closed.reason;
  const issues = refusal instanceof BankError ? refusedProof(refusal) : [];
  if (!(refusal instanceof BankError) || issues.length === 0) throw refusal;
  throw new BankError(refusal.kind, { ...refusal.details, issues });
}
