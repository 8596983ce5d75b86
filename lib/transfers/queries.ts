import { recalledTimes } from "@/lib/provider/intents/recall";
import { and, asc, eq, inArray, notLike, or, sql } from "drizzle-orm";
import { approval } from "@/lib/db/tables/approvals";
import { readDecision } from "@/lib/approvals/snapshot";
import { requestsOf } from "@/lib/approvals/visible";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Actor } from "@/lib/permission/grant";
import { isUnsent, needsPerson } from "@/lib/provider/intents/intent-record";
import { saidOf, toldOf } from "@/lib/provider/intents/told";
import { providerIntent } from "@/lib/db/tables/provider";
import { query } from "@/lib/query";
import { storeNow } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { isUnknown } from "@/lib/text/provider-word";
import { settleHoldsOf } from "./held";
import { sendTed } from "./ted";
import { exportTransferList } from "./export-list";
import { findTransfer, readOthersToPayee, type ReadTransfer } from "./records";
import { readTransfers } from "./list";
import { readClosingHoldings, readPayer } from "./payer";
import { listTransferDrafts } from "./drafts";
import { readTransferFormState } from "./form-state";
import type { TransferFilter } from "./inputs";
import type { transfer } from "@/lib/db/tables/transfers";
import type { TransferEvent, TransferEventKind, TransferRecord, TransferRow } from "./view";

export type { TransferFileColumn } from "./export-list";
export { orderersOf, transferBatches } from "./list";
export type { TransferList } from "./list";
export type { Payer } from "./payer";
export type { TransferFormState } from "./form-state";
export type { TransferReview } from "./review-transfer";

type Reader = Actor<"transfers:read">;

const EVENTS: Readonly<Record<string, TransferEventKind>> = {
  "approval.propose DONE": "proposed",
  "approval.authorise DONE": "authorised",
  "approval.refuse DONE": "declined",
  "approval.withdraw DONE": "withdrawn",
  "approval.expire DONE": "expired",
  "approval.execute REFUSED": "unsent",
  "transfer INTENT": "sent",
  "transfer DONE": "confirmed",
  "transfer HELD": "held",
  "transfer REFUSED": "refused",
  "transfer UNKNOWN": "unconfirmed",
  "transfer ACCEPTED": "accepted",
  "ted.return DONE": "returned",
  "outcomes.end DONE": "concluded",
  "outcomes.contradict UNKNOWN": "contradicted",
};

/** Acts of the provider, which must not be attributed to the person named in the record. */
const ANSWERS: ReadonlySet<TransferEventKind> = new Set([
  "confirmed",
  "held",
  "refused",
  "blocked",
  "unconfirmed",
  "accepted",
  "released",
  "rejected",
  "lapsed",
]);

type AuditedStep = { code: string; outcome: string; detail: (typeof auditEvent.$inferSelect)["detail"] };

function kindOf({ code, outcome, detail }: AuditedStep) {
  const isTheirWord = outcome === "UNKNOWN" && isUnknown(String(detail["code"]));
  return EVENTS[`${code.startsWith("transfer.") ? "transfer" : code} ${isTheirWord ? "ACCEPTED" : outcome}`];
}

function decisionOf(kind: TransferEventKind, code: string | null): TransferEventKind {
  if (kind === "confirmed") return "released";
  return kind === "refused" ? (code === "hold-expired" ? "lapsed" : "rejected") : kind;
}

/** What never reached the provider was not sent, and what stood in its way is no refusal of the provider's. */
function neverLeft<Event extends { kind: TransferEventKind; code: string }>(event: Event): Event | null {
  if (event.kind === "sent" || event.code === "approval.execute") return null;
  return event.kind === "refused" ? { ...event, kind: "unsent" } : event;
}

/** As audited, oldest first; includes only its own approval. */
async function eventsOf(store: Db, reader: Reader, { row: shownRow, sent }: ReadTransfer): Promise<TransferEvent[]> {
  const { id, approvalId, code: endCode } = shownRow;
  const { code, outcome, at, actor, detail } = auditEvent;
  const rows = await store
    .select({ code, outcome, at, actor, detail, byName: staff.name })
    .from(auditEvent)
    .leftJoin(staff, eq(sql`${staff.id}::text`, actor))
    .where(
      and(
        eq(auditEvent.tenant, reader.tenant),
        eq(auditEvent.intentId, id),
        or(notLike(code, "approval.%"), eq(auditEvent.object, `approval:${approvalId}`)),
      ),
    )
    .orderBy(asc(auditEvent.seq));
  const recalled = sent === undefined ? null : recalledTimes(sent.intent, rows[0]?.at);
  const wasConcluded = rows.some((row) => row.code === "outcomes.end");
  const wasSent = rows.some((row) => row.code.startsWith("transfer."));
  const events = rows.flatMap((row) => {
    const kind = kindOf(row);
    return kind === undefined ? [] : [{ ...row, kind }];
  });
  // What a person said ends the write in the same moment; what was sent says itself why it was refused.
  const hasLeft = sent === undefined || !isUnsent(sent.intent) || sent.intent.opening > 1;
  const kept = hasLeft ? events : events.flatMap((event) => neverLeft(event) ?? []);
  const shown = kept.filter(({ kind, byName }, index) => {
    if (kind === "unsent") return !wasSent || !hasLeft;
    const isEnd = kind === "confirmed" || kind === "refused";
    return !(wasConcluded && isEnd && byName !== null && kept[index + 1]?.kind === "concluded");
  });
  return shown.map(({ kind: noted, at: recordedAt, byName, actor: by }, index) => {
    const when = recalled?.[noted] ?? recordedAt;
    const isBlocked = noted === "refused" && shownRow.state === "BLOCKED";
    const kind = shown[index - 1]?.kind === "held" ? decisionOf(noted, endCode) : isBlocked ? "blocked" : noted;
    const isDecision = kind !== noted && kind !== "blocked";
    const decidedAt = (isDecision ? sent?.transfer.decidedAt : null) ?? null;
    const decision = isDecision ? { seenAt: when.toISOString(), isTold: decidedAt !== null } : null;
    const isTheirs = ANSWERS.has(kind) || (kind === "sent" && approvalId !== null);
    const who = isTheirs ? { byName: null, isMine: false } : { byName, isMine: by === reader.id };
    return { kind, at: (decidedAt ?? when).toISOString(), decision, ...who };
  });
}

const returnOf = (sent: Pick<typeof transfer.$inferSelect, "returnId" | "returnedAt"> | undefined) =>
  sent?.returnId == null || sent.returnedAt === null
    ? null
    : { entryId: sent.returnId, at: sent.returnedAt.toISOString() };

function messageOf({ transfer: { kind }, intent }: Pick<Required<ReadTransfer>["sent"], "transfer" | "intent">) {
  const kept = kind === "INTERNAL" || intent.keptSealed === null ? null : sendTed.intent.storedOf(intent)?.message;
  return kept ?? saidOf(intent);
}

async function holdOf(
  store: Db,
  { tenant, accountId, amount, createdAt, candidateId, returnReadAt }: typeof transfer.$inferSelect,
): Promise<TransferRecord["hold"]> {
  const isLess = sql`${account.blockedBalance} < ${amount}::numeric and ${account.balanceAt} > ${createdAt.toISOString()}`;
  const [less] = await store
    .select({ amount: account.blockedBalance, at: account.balanceAt })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId), isLess));
  const { amount: blocked, at } = less ?? { amount: null, at: null };
  return {
    askedAt: returnReadAt?.toISOString() ?? null,
    candidateId,
    lessBlocked: blocked === null || at === null ? null : { amount: blocked, at: at.toISOString() },
  };
}

/** A transfer's outcome, by its intent; null when there is none. */
export const getTransfer = query("transfers:read", async (reader, id: string): Promise<TransferRecord | null> => {
  if (!isUuid(id)) return null;
  const store = await db();
  const { tenant } = reader;
  const found = await findTransfer(store, reader, id);
  if (found === null) return null;
  const { row, order, sent, pendingApproval } = found;
  const requestId = (await requestsOf(store, reader, [id])).get(id) ?? null;
  const isTold = row.state === "DECLINED" && requestId !== null && pendingApproval !== undefined;
  const [open] = await store
    .select({ needsPerson })
    .from(providerIntent)
    .where(and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, id)));
  const [conclusion] = await store
    .select({ id: approval.id })
    .from(approval)
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, "outcome.end"),
        eq(approval.object, `outcome:${id}`),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    );
  const isOpen = ["UNKNOWN", "SENDING", "HELD"].includes(sent?.intent.state ?? "");
  return {
    row,
    requestId,
    reason: isTold ? ((await readDecision(pendingApproval))?.reason ?? null) : null,
    description: order?.description ?? null,
    userId: order?.userId ?? null,
    transactionId: sent?.transfer.transactionId ?? null,
    returned: returnOf(sent?.transfer),
    told: sent === undefined ? null : toldOf(sent.intent),
    message: sent === undefined ? null : messageOf(sent),
    isRepeat: sent?.transfer.isRepeat ?? false,
    asking:
      sent === undefined || !isOpen
        ? null
        : {
            attempts: sent.intent.attempts,
            firstSentAt: sent.intent.firstSentAt?.toISOString() ?? null,
            nextTryAt: sent.intent.nextTryAt?.toISOString() ?? null,
          },
    needsPerson: open?.needsPerson ?? false,
    isSaid: sent !== undefined && sent.intent.endedBy !== null,
    conclusionId: conclusion?.id ?? null,
    hold: sent?.intent.state === "HELD" ? await holdOf(store, sent.transfer) : null,
    events: await eventsOf(store, reader, found),
    asOf: (await storeNow(store)).toISOString(),
  };
});

export type ProposedTransfer = Pick<TransferRow, "from" | "to"> & {
  /** Newest first; null when the order does not open. */
  others: TransferRow[] | null;
};

/** Both accounts of a transfer to decide, and earlier transfers to the same payee; null when there is none. */
export const getProposedTransfer = query(
  "transfers:read",
  async (reader, id: string): Promise<ProposedTransfer | null> => {
    const store = await db();
    const found = isUuid(id) ? await findTransfer(store, reader, id) : null;
    if (found === null) return null;
    const { from, to } = found.row;
    return { from, to, others: await readOthersToPayee(store, reader, id) };
  },
);

export const getPayer = query("transfers:read", readPayer);

export const getHoldings = query("accounts:read", readClosingHoldings);

export const listTransfers = query("transfers:read", async (reader, filter: Partial<TransferFilter>) => {
  const { view, account: ref } = filter;
  if (view === "held" && ref !== undefined) await settleHoldsOf(reader, ref);
  return readTransfers(reader, filter);
});

export const exportTransfers = query("statement:export", exportTransferList);

/** The initial state of a form; null for an unknown account. */
export const getTransferFormState = query("transfers:create", readTransferFormState);

/** This person's unfinished orders, from any account. */
export const getTransferDrafts = query("transfers:create", listTransferDrafts);
