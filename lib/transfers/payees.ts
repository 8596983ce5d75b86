import { randomUUID } from "node:crypto";
import { and, desc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { type Intent, ofIntent, openBody } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { ExternalTransfer, InternalTransfer } from "@/lib/contract/accounts";
import { publish } from "@/lib/db/publish";
import { lockByHashes } from "@/lib/db/lease";
import { account } from "@/lib/db/tables/customers";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { partyOf } from "./records";
import { recipientOf } from "./ordered";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  type PayeeRemoval,
  type PayeeSaving,
  TedPayee,
} from "./inputs";
import { payee, transfer } from "@/lib/db/tables/transfers";
import { type PayeeList, PAYEES_MAX, type SavedPayee } from "./view";
import type { TransferKind } from "@/lib/db/enums/transfers";

const Details = z.union([TedPayee, z.strictObject({ accountId: z.string() })]);
type Details = z.output<typeof Details>;

type PayeeRow = typeof payee.$inferSelect;
type PayeeKey = Pick<PayeeRow, "tenant" | "id">;

const target = (column: "destination_sealed" | "details_sealed", { tenant, id }: PayeeKey) =>
  ({ column: `payee.${column}`, row: [tenant, id] }) as const;

const destinationOf = ({ payee: paid, holder }: Essence) => `${paid}\n${holder}`;

/** The account alone. Offered to nobody, this row records that the account was paid, whatever holder was named. */
const anyHolder = (essence: Essence): Essence => ({ ...essence, holder: "" });

const isOf = (tenant: string, ...essences: Essence[]) =>
  and(
    eq(payee.tenant, tenant),
    inArray(
      payee.destinationHash,
      essences.flatMap((essence) => lookupHashes(destinationOf(essence))),
    ),
  );

const lockAccount = (tx: Tx, tenant: string, { payee: paid }: Essence) => lockByHashes(tx, `payee ${tenant} ${paid}`);

const now = sql`clock_timestamp()`;

type PayeeToSave = { tenant: string; essence: Essence; details: Details | null; isPaid: boolean };

async function upsertPayee(tx: Tx, { tenant, essence, details, isPaid }: PayeeToSave): Promise<string> {
  const destination = destinationOf(essence);
  await lockAccount(tx, tenant, essence);
  const [known] = await tx.select({ tenant: payee.tenant, id: payee.id }).from(payee).where(isOf(tenant, essence));
  const row = known ?? { tenant, id: randomUUID() };
  const columns = {
    detailsSealed: details === null ? null : seal(JSON.stringify(details), target("details_sealed", row)),
    ...(isPaid && { paidAt: now }),
  };
  const destinationSealed = seal(destination, target("destination_sealed", row));
  const named = { kind: essence.kind, destinationSealed, destinationHash: lookupHash(destination), savedAt: now };
  await tx
    .insert(payee)
    .values({ ...row, ...named, ...columns })
    .onConflictDoUpdate({ target: [payee.tenant, payee.id], set: columns });
  return row.id;
}

function detailsOf(row: PayeeRow): Details | null {
  const { detailsSealed } = row;
  if (detailsSealed === null) return null;
  const text = unsealedOrNull(() => unseal(detailsSealed, target("details_sealed", row)));
  return text === null ? null : Details.parse(JSON.parse(text));
}

type Destination = { essence: Essence; details: Details };

function paidIn(kind: TransferKind, intent: Intent): Destination | null {
  const body = openBody(intent);
  if (body === null) return null;
  if (kind === "INTERNAL") {
    const order = InternalTransfer.parse(body);
    return { essence: essenceOfInternal(order), details: { accountId: order.accountIdTo } };
  }
  const order = ExternalTransfer.parse(body);
  return { essence: essenceOfExternal(order), details: TedPayee.parse(order) };
}

/** Saves the payee of a confirmed transfer. */
export async function savePaid(tx: Tx, kind: TransferKind, intent: Intent): Promise<void> {
  const { tenant } = intent;
  const paid = paidIn(kind, intent);
  if (paid === null) return;
  const { essence } = paid;
  await upsertPayee(tx, { tenant, ...paid, isPaid: true });
  if (essence.holder !== "")
    await upsertPayee(tx, { tenant, essence: anyHolder(essence), details: null, isPaid: true });
}

/** A return means not paid: unless another transfer stands, the account was never paid. */
export async function forgetReturned(tx: Tx, intent: Intent): Promise<void> {
  const { tenant, id } = intent;
  const paid = paidIn("EXTERNAL", intent);
  if (paid === null) return;
  const { essence } = paid;
  const destination = destinationOf(essence);
  await lockAccount(tx, tenant, essence);
  const others = await tx
    .select({ intent: providerIntent })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(
      and(
        eq(transfer.tenant, tenant),
        eq(transfer.kind, "EXTERNAL"),
        inArray(transfer.payeeHash, lookupHashes(essence.payee)),
        isNull(transfer.returnedAt),
        ne(transfer.intentId, id),
        eq(providerIntent.state, "DONE"),
      ),
    );
  const stands = others.some((other) => {
    const its = paidIn("EXTERNAL", other.intent);
    return its === null || destinationOf(its.essence) === destination;
  });
  const unpaid = [...(stands ? [] : [essence]), ...(others.length > 0 ? [] : [anyHolder(essence)])];
  if (unpaid.length > 0)
    await tx
      .update(payee)
      .set({ paidAt: null })
      .where(isOf(tenant, ...unpaid));
}

/** Whether nothing confirmed went to this account. An earlier version kept no row of the account alone. */
export async function isFirstUse(store: Db | Tx, tenant: string, essence: Essence): Promise<boolean> {
  const isIts = isOf(tenant, essence, anyHolder(essence));
  return (await store.$count(payee, and(isIts, isNotNull(payee.paidAt)))) === 0;
}

type Payer = Actor<"transfers:create">;

const essenceOfTed = (to: TedPayee) =>
  essenceOfExternal({ ...to, userId: "", onBoardingId: "", idAccount: "", value: "" });

async function toSaved(store: Db, row: PayeeRow): Promise<SavedPayee[]> {
  const details = detailsOf(row);
  if (details === null) return [];
  const said = { id: row.id, paidAt: row.paidAt?.toISOString() ?? null };
  if ("document" in details) {
    const isIts = isOf(row.tenant, anyHolder(essenceOfTed(details)));
    const [paid] = row.paidAt === null ? await store.select().from(payee).where(isIts) : [row];
    return [{ ...said, paidAt: paid?.paidAt?.toISOString() ?? null, to: recipientOf(details) }];
  }
  const [party] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, row.tenant), eq(account.accountId, details.accountId)));
  return party === undefined ? [] : [{ ...said, to: partyOf(party) }];
}

export async function listPayees({ tenant }: Payer, kind: TransferKind): Promise<PayeeList> {
  const store = await db();
  const rows = await store
    .select()
    .from(payee)
    .where(and(eq(payee.tenant, tenant), eq(payee.kind, kind), isNotNull(payee.detailsSealed)))
    .orderBy(desc(sql`coalesce(${payee.paidAt}, ${payee.savedAt})`), payee.id)
    .limit(PAYEES_MAX + 1);
  const shown = await Promise.all(rows.slice(0, PAYEES_MAX).map((row) => toSaved(store, row)));
  return { payees: shown.flat(), hasMore: rows.length > PAYEES_MAX };
}

/** The payee of a TED to a saved one. Throws not-found `payee-gone`. */
export async function reportedPayee(store: Db, tenant: string, id: string): Promise<TedPayee> {
  const [row] = await store
    .select()
    .from(payee)
    .where(and(eq(payee.tenant, tenant), eq(payee.id, id)));
  const details = row === undefined ? null : detailsOf(row);
  if (details === null || !("document" in details)) throw new AppError("not-found", { code: "payee-gone" });
  return details;
}

/** Throws not-found. */
async function destinationIn(store: Db, tenant: string, saving: PayeeSaving): Promise<Destination> {
  if (saving.kind === "EXTERNAL") {
    const { kind: _kind, institutionCode, ...typed } = saving;
    const details = TedPayee.parse({ ...typed, institutionCode: Number(institutionCode) });
    return { essence: essenceOfTed(details), details };
  }
  const isIt = and(eq(account.tenant, tenant), eq(account.ref, saving.to));
  const [paid] = await store.select({ accountId: account.accountId }).from(account).where(isIt);
  if (paid === undefined) throw new AppError("not-found");
  const unsent = { userId: "", accountIdFrom: "", amount: "" };
  return { essence: essenceOfInternal({ ...unsent, accountIdTo: paid.accountId }), details: paid };
}

/** Saves a transfer's payee before anything is sent; audited by its reference alone. */
export async function savePayee(actor: Payer, saving: PayeeSaving): Promise<PayeeList> {
  const { tenant, id: staffId } = actor;
  const store = await db();
  const destination = await destinationIn(store, tenant, saving);
  await store.transaction(async (tx) => {
    const id = await upsertPayee(tx, { tenant, ...destination, isPaid: false });
    await record(tx, { tenant, actor: staffId, code: "payee.save", outcome: "DONE", object: `payee:${id}` });
    await publish(tx, { tenant, topic: "transfers" });
  });
  return listPayees(actor, saving.kind);
}

export async function removePayee(actor: Payer, { payeeId: id }: PayeeRemoval): Promise<PayeeList> {
  const { tenant, id: staffId } = actor;
  const kind = await (
    await db()
  ).transaction(async (tx) => {
    const [removed] = await tx
      .update(payee)
      .set({ detailsSealed: null })
      .where(and(eq(payee.tenant, tenant), eq(payee.id, id), isNotNull(payee.detailsSealed)))
      .returning({ kind: payee.kind });
    if (removed === undefined) throw new AppError("not-found", { code: "payee-gone" });
    await record(tx, { tenant, actor: staffId, code: "payee.remove", outcome: "DONE", object: `payee:${id}` });
    await publish(tx, { tenant, topic: "transfers" });
    return removed.kind;
  });
  return listPayees(actor, kind);
}
