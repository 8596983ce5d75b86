import { watchId } from "@/lib/permission/watches";
import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { entryDirection } from "@/lib/accounts/inputs";
import { isBooked, isReturnOf as isKeptReturnOf, returningEntry } from "@/lib/accounts/records";
import { record } from "@/lib/audit/record";
import { watchActor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { findIntent, ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import type { StatementEntry } from "@/lib/contract/accounts";
import { findIn } from "@/lib/contract/open-answer";
import { publish } from "@/lib/db/publish";
import { log } from "@/lib/log/log";
import { account } from "@/lib/db/tables/customers";
import { accountDocument } from "@/lib/db/document";
import { unsealedOrNull } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { readReais } from "@/lib/text/typed-amount";
import type { Watch } from "@/lib/watch/watch";
import { settleDueHolds } from "./held";
import { forgetReturned } from "./payees";
import { isReadDue, settleAccepted } from "./settle";
import { transfer } from "@/lib/db/tables/transfers";
import { createStatements, type Statements } from "./statements";

const actorOf = (tenant: string) => watchActor("transfers", tenant, "transfers:create");

const MAX_PAGES = 4;
const MAX_ACCOUNTS = 5;
const RETURNS_WITHIN = sql`interval '5 days'`;

type Out = Pick<
  typeof transfer.$inferSelect,
  "intentId" | "accountId" | "amount" | "createdAt" | "transactionId" | "endToEndId"
>;

/** Confirmed TEDs by account that may still be returned and were not checked just now. */
async function tedsOut(store: Db, tenant: string): Promise<Map<string, Out[]>> {
  const { intentId, accountId, amount, createdAt, transactionId, endToEndId } = transfer;
  const rows = await store
    .select({ intentId, accountId, amount, createdAt, transactionId, endToEndId })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(
      and(
        eq(transfer.tenant, tenant),
        eq(transfer.kind, "EXTERNAL"),
        eq(providerIntent.state, "DONE"),
        isNull(transfer.returnedAt),
        or(isNotNull(transactionId), isNotNull(endToEndId)),
        sql`${createdAt} > clock_timestamp() - ${RETURNS_WITHIN}`,
        isReadDue,
      ),
    )
    .orderBy(sql`coalesce(${transfer.returnReadAt}, ${createdAt})`, asc(createdAt));
  const byAccount = new Map<string, Out[]>();
  for (const row of rows) byAccount.set(row.accountId, [...(byAccount.get(row.accountId) ?? []), row]);
  return byAccount;
}

/** The criteria for a TED's return: a credit of its amount that names it. */
function isReturnOf(entry: StatementEntry, { amount, transactionId, endToEndId }: Out): boolean {
  const { direction } = entry;
  if (entryDirection(isUnknown(direction) ? rawWord(direction) : direction) !== "CREDIT") return false;
  if (readReais(entry.amount) !== amount) return false;
  if (!isBooked({ status: findIn(entry, "status")?.text ?? "" })) return false;
  const byId = findIn(entry, "returnOf")?.text;
  const byEndToEnd = findIn(entry, "returnOfEndToEnd")?.text;
  return [transactionId, endToEndId].some((id) => id !== null && (id === byId || id === byEndToEnd));
}

type Came = { intentId: string; returnId: string };

async function keepReturn(tx: Tx, tenant: string, { intentId, returnId }: Came): Promise<void> {
  const [returned] = await tx
    .update(transfer)
    .set({ returnId, returnedAt: sql`clock_timestamp()` })
    .where(and(eq(transfer.tenant, tenant), eq(transfer.intentId, intentId), isNull(transfer.returnedAt)))
    .returning({ amount: transfer.amount });
  const intent = await findIntent(tx, { tenant, id: intentId });
  if (returned === undefined || intent === null) return;
  const { object } = intent;
  await forgetReturned(tx, intent);
  const what = { code: "ted.return", outcome: "DONE", object, intentId, detail: returned } as const;
  await record(tx, { tenant, actor: watchId("transfers"), ...what });
  await publish(tx, { tenant, topic: "transfers", object });
}

type Sweep = { store: Db; tenant: string; statements: Statements };

/** Reads the statement of one account since its oldest TED among these. */
async function seekReturns({ store, tenant, statements }: Sweep, teds: readonly Out[]): Promise<void> {
  const [oldest] = teds.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  if (oldest === undefined) return;
  const { accountId } = oldest;
  const ids = teds.map(({ intentId }) => intentId);
  // First, so that an unreadable account does not delay the others.
  await store
    .update(transfer)
    .set({ returnReadAt: sql`clock_timestamp()` })
    .where(and(eq(transfer.tenant, tenant), inArray(transfer.intentId, ids)));
  const [payer] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  const documentNumber = payer === undefined ? null : unsealedOrNull(() => accountDocument(payer));
  if (payer === undefined || documentNumber === null) return;
  let left = [...teds];
  let read = 0;
  const { ref } = payer;
  for await (const entries of statements({ accountId, documentNumber, ref }, oldest.createdAt)) {
    for (const entry of entries) {
      const ted = left.find((one) => isReturnOf(entry, one));
      if (ted === undefined) continue;
      const returnId = findIn(entry, "transactionId")?.text ?? entry.transactionId;
      await store.transaction((tx) => keepReturn(tx, tenant, { intentId: ted.intentId, returnId }));
      left = left.filter((one) => one !== ted);
    }
    read += 1;
    if (left.length === 0 || read === MAX_PAGES) return;
  }
}

async function noteKeptReturns(tenant: string): Promise<void> {
  const store = await db();
  const { intentId, transactionId } = transfer;
  const value = sql`${transfer.amount}::numeric`;
  const isIts = isKeptReturnOf({ tenant: transfer.tenant, accountRef: account.ref, transactionId, value });
  const back = await store
    .select({ intentId, returnId: returningEntry.transactionId })
    .from(transfer)
    .innerJoin(account, and(eq(account.tenant, transfer.tenant), eq(account.accountId, transfer.accountId)))
    .innerJoin(returningEntry, isIts)
    .where(and(eq(transfer.tenant, tenant), eq(transfer.kind, "EXTERNAL"), isNull(transfer.returnedAt)));
  for (const one of back) await store.transaction((tx) => keepReturn(tx, tenant, one));
}

/** An unreadable account is retried when due, without delaying others' outcomes. */
async function seekReturnsOf(tenant: string, statements: Statements): Promise<void> {
  const store = await db();
  const due = await tedsOut(store, tenant);
  try {
    for (const teds of [...due.values()].slice(0, MAX_ACCOUNTS)) {
      await seekReturns({ store, tenant, statements }, teds);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ tenant, kind: error.kind }, "a statement could not be read for returns");
  }
}

/** Finds out what became of transfers whose answer was lost, and which TEDs came back. */
export const transfersWatch: Watch = {
  name: "transfers",
  topic: "transfers",
  async sweep(tenant) {
    const statements = createStatements(actorOf(tenant));
    await settleAccepted(actorOf(tenant), statements);
    await settleDueHolds(actorOf(tenant), statements);
    await noteKeptReturns(tenant);
    await seekReturnsOf(tenant, statements);
  },
};
