import { and, eq, sql } from "drizzle-orm";
import { complete } from "@/lib/approvals/complete";
import type { Concluded } from "@/lib/approvals/execute";
import { defineWrite, type Ordering } from "@/lib/approvals/define-write";
import { ASKED, completeAlone, proposeToComplete } from "@/lib/approvals/propose";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/snapshot";
import type { Actor } from "@/lib/permission/grant";
import { presentFiles, requireSameFiles, shownFiles } from "@/lib/notes/file";
import { publish } from "@/lib/db/publish";
import { account } from "@/lib/db/tables/customers";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { z } from "zod";
import { readClosable, refuseUnclosable, requireClosable } from "./closure";
import { type CarryingOut, type ClosingNow, type ClosureForm, ClosureOrder, type HolderProof } from "./inputs";
import { record } from "@/lib/audit/record";
import { AppError } from "@/lib/errors/app-error";
import { refuseClaimed } from "@/lib/provider/intents/claim";
import type { FieldIssue } from "@/lib/errors/result";
import { seal } from "@/lib/db/seal";
import { accountClosure } from "@/lib/db/tables/accounts";
import type { Intent, IntentEnd, Proposed } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import { closeAccount as operation } from "@/lib/provider/operations";
import { standingOf, statusWordIn } from "./standing";
import { isCompletion, stateIn } from "@/lib/contract/told-state";
import { noteClosed } from "./records";

type Closer = Actor<"accounts:close">;

/** Null for a closing whose effect was seen although its answer was lost. */
const Closed = z.object({ status: z.string() }).nullable();
type Closed = z.infer<typeof Closed>;

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<Closed>): Promise<void> {
  const { tenant, id: intentId, object, state, status, code } = intent;
  await record(tx, { tenant, actor: by, code: "accounts.close", outcome, object, intentId, detail: { status, code } });
  if (state === "DONE") await noteClosed(tx, { tenant, object, word: stored?.status ?? "" });
  await publish(tx, { tenant, topic: "transfers", object });
}

type Fact = Shown["facts"][number];

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

type Closing = Ordering<"accounts:close", ClosureOrder>;

async function validate(tx: Tx, { actor: { tenant }, order, approvalId }: Closing): Promise<void> {
  if (approvalId === null) await refuseUnclosable(tx, tenant, order);
  await requireSameFiles(tx, tenant, `account:${order.ref}`, order.files);
}

async function show(tx: Tx, { actor: { tenant }, order }: Closing): Promise<Shown> {
  const { ref, number, userId, reason, seen } = order;
  const files = await shownFiles(tx, tenant, `account:${ref}`);
  const [row] = await tx
    .select({ branch: account.branch, mask: account.documentMask })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, ref)));
  return {
    headline: shownText(`${row?.branch ?? ""} / ${number}`),
    href: `/accounts/${ref}`,
    facts: [
      {
        name: "status",
        before: { as: "account-status", status: "OPEN" },
        after: { as: "account-status", status: "CLOSED" },
      },
      fact("document", shownText(row?.mask ?? "")),
      fact("balance", shownBrl(seen.balance)),
      fact("blocked", shownBrl(seen.blockedBalance)),
      fact("user", shownText(userId)),
      fact("reason", shownText(reason)),
      ...(files === "" ? [] : [fact("files", shownText(files))]),
    ],
  };
}

/** Records the closing with its INTENT. */
async function open(tx: Tx, { actor, order, object }: Closing): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { intentId, ref, reason } = order;
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
  await record(tx, { tenant, actor: staffId, code: "accounts.close", outcome: "INTENT", object, intentId });
  await publish(tx, { tenant, topic: "transfers", object });
}

const ABOUT_CODE = /\b(mfa|code|c[oó]digo|otp)\b/i;
const ABOUT_TOKEN = /\b(token\b|sess[aãi]|expired\b|expirad\w)/i;

/** The secret that a refusal is about, from the provider's words, as it names no field. */
export function refusedProof({ kind, details }: AppError): FieldIssue[] {
  const { status, providerMessage = "" } = details;
  const isRefusal = status === 400 || status === 422 || (kind === "forbidden" && status !== undefined);
  if (!isRefusal) return [];
  if (ABOUT_CODE.test(providerMessage)) return [{ path: ["code"], params: { code: "holder-code" } }];
  return ABOUT_TOKEN.test(providerMessage) ? [{ path: ["userAccessToken"], params: { code: "holder-token" } }] : [];
}

/** Adds `issues` when the provider refused the holder's token or code. */
async function namingRefusedProof<T>(closed: Promise<T>): Promise<T> {
  try {
    return await closed;
  } catch (refusal) {
    const issues = refusal instanceof AppError ? refusedProof(refusal) : [];
    if (!(refusal instanceof AppError) || issues.length === 0) throw refusal;
    throw new AppError(refusal.kind, { ...refusal.details, issues });
  }
}

async function describe(store: Db | Tx, { tenant, object }: Intent): Promise<OutcomeSubject> {
  const ref = object.replace("account:", "");
  const [row] = await store
    .select({ branch: account.branch, number: account.number })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, ref)));
  const subject = row === undefined ? null : `${row.branch} / ${row.number}`;
  return { subject, amount: null, href: `/accounts/${ref}` };
}

const UNPROVEN: HolderProof = { userAccessToken: "", code: "" };

/**
 * Needs the holder's secrets, which nothing stores, and reads the account again right before sending. It has no
 * Idempotency-Key (interface: Bank accounts › POST /v1/bank-accounts/closeAccount).
 */
export const closeAccount = defineWrite({
  name: "account.close",
  order: ClosureOrder,
  objectOf: async (_store, _tenant, { ref }) => `account:${ref}`,
  validate,
  approval: {
    isExclusive: true,
    needsApproval: async (_tx, _closing, { rule }) => (rule === "never" ? null : ASKED),
    show,
    // Open account pages show the proposal.
    proposed: (tx, { actor: { tenant }, object }) => publish(tx, { tenant, topic: "transfers", object }),
  },
  operation,
  isKeyed: false,
  busyCode: "closing-pending",
  unconfirmedCode: "closing-unconfirmed",
  bodyOf: ({ userId, number, reason }, proof: HolderProof | null) => ({
    userId,
    account: number,
    reason,
    ...(proof ?? UNPROVEN),
  }),
  traced: ({ userAccessToken: _token, code: _code, ...told }) => told,
  opened: open,
  recheck: ({ actor, order: { ref, intentId } }) => requireClosable(actor, { ref, intentId }),
  stored: Closed,
  toStore: (answer) => ({ status: statusWordIn(answer) }),
  told: (answer) => stateIn(answer, (word) => standingOf(word) === "CLOSED" || isCompletion(word)),
  ended: onOutcome,
  settle: { needsSecond: true, describe },
});

/** The order with the account's current balance, when nothing blocks it. */
async function orderFrom(actor: Closer, form: ClosureForm): Promise<ClosureOrder> {
  const { tenant, id } = actor;
  await refuseClaimed(await db(), { tenant, id: form.intentId, kind: closeAccount.claimedAs, actor: id });
  const { row, seen } = await readClosable(actor, form);
  const { balance, blockedBalance } = seen;
  const files = await presentFiles(await db(), actor.tenant, `account:${form.ref}`);
  const hashes = files.map(({ sha256 }) => sha256);
  return { ...form, number: row.number, seen: { balance, blockedBalance }, files: hashes };
}

/**
 * Proposes to close an account; its maker completes it after an authorisation. Throws as `readClosable` and
 * `proposeToComplete` do.
 */
export const proposeClosure = async (actor: Closer, form: ClosureForm): Promise<Proposed> =>
  proposeToComplete(closeAccount, actor, await orderFrom(actor, form));

/** Completes an authorised closing; throws as `complete` and `requireClosable` do. */
export const carryOutClosure = (
  maker: Closer,
  { approvalId, ...secret }: z.output<typeof CarryingOut>,
): Promise<Concluded> => namingRefusedProof(complete(closeAccount, { maker, approvalId, secret }));

/** Closes at once when no approval is needed; throws as `completeAlone` and `requireClosable` do. */
export async function closeNow(
  actor: Closer,
  { userAccessToken, code, ...form }: z.output<typeof ClosingNow>,
): Promise<null> {
  const order = await orderFrom(actor, form);
  await namingRefusedProof(completeAlone(closeAccount, actor, { order, secret: { userAccessToken, code } }));
  return null;
}
