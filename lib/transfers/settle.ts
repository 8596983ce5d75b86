import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { entryDirection } from "@/lib/accounts/inputs";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { provider } from "@/lib/provider/client";
import { intents } from "@/lib/provider/intents/intent";
import { isAcceptedSql, ofIntent } from "@/lib/provider/intents/intent-record";
import { getTransaction } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import type { StatementEntry } from "@/lib/contract/accounts";
import { findIn } from "@/lib/contract/open-answer";
import { stateIn, type ToldState } from "@/lib/contract/told-state";
import { log } from "@/lib/log/log";
import { accountDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { unsealedOrNull } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { sendTed } from "./ted";
import { transfer } from "@/lib/db/tables/transfers";
import type { Statements } from "./statements";

type Settler = Actor<"transfers:create">;

/** A quarter of its age later, between half a minute and an hour: most end, or come back, within the hour. */
export const isReadDue = or(
  isNull(transfer.returnReadAt),
  sql`${transfer.returnReadAt} < clock_timestamp() - greatest(interval '30 seconds',
    least(interval '1 hour', (clock_timestamp() - ${transfer.createdAt}) / 4))`,
);

const MAX_TEDS = 20;
const LOOKED_FOR = sql`interval '30 days'`;

type Accepted = { ted: typeof transfer.$inferSelect; payer: typeof account.$inferSelect };

function dueAccepted(store: Db, tenant: string): Promise<Accepted[]> {
  return store
    .select({ ted: transfer, payer: account })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .innerJoin(account, and(eq(account.tenant, transfer.tenant), eq(account.accountId, transfer.accountId)))
    .where(
      and(
        eq(transfer.tenant, tenant),
        eq(transfer.kind, "EXTERNAL"),
        isAcceptedSql,
        sql`${transfer.createdAt} > clock_timestamp() - ${LOOKED_FOR}`,
        isReadDue,
      ),
    )
    .orderBy(sql`coalesce(${transfer.returnReadAt}, ${transfer.createdAt})`, asc(transfer.createdAt))
    .limit(MAX_TEDS);
}

function isEntryOf(entry: StatementEntry, { transactionId, endToEndId }: Accepted["ted"]): boolean {
  const { direction } = entry;
  if (entryDirection(isUnknown(direction) ? rawWord(direction) : direction) === "CREDIT") return false;
  const isIt = transactionId !== null && entry.transactionId === transactionId;
  return isIt || (endToEndId !== null && findIn(entry, "endToEndId")?.text === endToEndId);
}

async function settle(actor: Settler, { intentId }: Accepted["ted"], { is, word }: ToldState): Promise<void> {
  if (is === "DONE") await intents.confirm(actor, sendTed.intent, intentId);
  if (is === "REFUSED") await intents.refute(actor, sendTed.intent, { intentId, code: `unknown:${word}` });
}

/** A record without a state proves nothing. */
async function askAbout(actor: Settler, { ted, payer }: Accepted, documentNumber: string): Promise<void> {
  const { transactionId } = ted;
  if (transactionId === null) return;
  const asked = { object: `account:${payer.ref}`, query: { transactionId, documentNumber } };
  try {
    const told = stateIn((await provider.get(actor, getTransaction, asked)).answer);
    if (told.word !== "") await settle(actor, ted, told);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
  }
}

/** The statement shows sent ones; others are read by id. */
async function settleOf(actor: Settler, statements: Statements, accepted: readonly Accepted[]): Promise<void> {
  const [first] = accepted;
  const documentNumber = first === undefined ? null : unsealedOrNull(() => accountDocument(first.payer));
  if (first === undefined || documentNumber === null) return;
  const { accountId, ref } = first.payer;
  const oldest = Math.min(...accepted.map(({ ted }) => ted.createdAt.getTime()));
  const left = new Map(accepted.map((one) => [one.ted.intentId, one]));
  for await (const entries of statements({ accountId, documentNumber, ref }, new Date(oldest))) {
    for (const entry of entries) {
      const found = [...left.values()].find(({ ted }) => isEntryOf(entry, ted));
      const told = stateIn(entry);
      if (found === undefined || told.is === "OPEN") continue;
      left.delete(found.ted.intentId);
      await settle(actor, found.ted, told);
    }
    if (left.size === 0) return;
  }
  for (const one of left.values()) await askAbout(actor, one, documentNumber);
}

export async function settleAccepted(actor: Settler, statements: Statements): Promise<void> {
  const { tenant } = actor;
  const store = await db();
  const due = await dueAccepted(store, tenant);
  if (due.length === 0) return;
  const ids = due.map(({ ted }) => ted.intentId);
  await store
    .update(transfer)
    .set({ returnReadAt: sql`clock_timestamp()` })
    .where(and(eq(transfer.tenant, tenant), inArray(transfer.intentId, ids)));
  for (const accountId of new Set(due.map(({ ted }) => ted.accountId))) {
    try {
      await settleOf(
        actor,
        statements,
        due.filter(({ ted }) => ted.accountId === accountId),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ tenant, kind: error.kind }, "an accepted transfer could not be looked for");
    }
  }
}
