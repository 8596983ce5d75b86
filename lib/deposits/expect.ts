import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { recordAll } from "@/lib/audit/record";
import { invalidField } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { amountKey } from "@/lib/contract/identity";
import { db, type Tx } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { lookupHash, lookupHashes, seal } from "@/lib/db/seal";
import { deposit } from "@/lib/db/tables/deposits";
import { type CsvRow, hasColumns, readCsv } from "@/lib/text/csv";
import { civilInstant, DAY_MS } from "@/lib/text/time";
import { triggerWatch } from "@/lib/watch/watch";
import {
  type DepositFile,
  ExpectedAsset,
  ExpectedDay,
  ExpectedNetwork,
  ExpectedReference,
  type ExpectOrder,
  readExpected,
} from "./inputs";
import { depositTarget, holdDeposits, keepReference } from "./keep";
import type { ExpectReport } from "./view";
import { askedSweeps } from "./watch";

type Expecter = Actor<"wallets:label">;

const ROWS_AT_ONCE = 500;

/** A page's cursor holds no microseconds. */
const listedNow = sql`date_trunc('milliseconds', clock_timestamp())`;

const dayAfter = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
const endOf = (day: string | null) => (day === null ? null : civilInstant(`${dayAfter(day)}T00:00:00`));

const spellingOf = ({
  amount,
  asset,
  network,
  dueAt,
}: Pick<typeof deposit.$inferSelect, "amount" | "asset" | "network" | "dueAt">) =>
  JSON.stringify([amountKey(amount), asset?.toLowerCase() ?? null, network, dueAt?.getTime() ?? null]);

type Fresh = { order: ExpectOrder; id: string };

/** Those that were not expected yet. Put on record by `recordExpected`, last. */
async function saveExpected(
  tx: Tx,
  { tenant, id: staffId }: Expecter,
  orders: readonly ExpectOrder[],
): Promise<Fresh[]> {
  await holdDeposits(tx, tenant);
  const hashes = orders.flatMap(({ reference }) => lookupHashes(reference));
  const standing = await tx
    .select()
    .from(deposit)
    .where(
      and(
        eq(deposit.tenant, tenant),
        eq(deposit.kind, "expected"),
        isNull(deposit.cause),
        inArray(deposit.referenceHash, hashes),
      ),
    );
  const isKept = (order: ExpectOrder) => {
    const of = lookupHashes(order.reference);
    const spelt = spellingOf({ ...order, dueAt: endOf(order.due) });
    return standing.some(
      (row) => row.referenceHash !== null && of.includes(row.referenceHash) && spellingOf(row) === spelt,
    );
  };
  const news = orders.filter((order) => !isKept(order)).map((order) => ({ order, id: randomUUID() }));
  const rows = news.map(({ order, id }) => ({
    tenant,
    id,
    kind: "expected" as const,
    standing: "expected" as const,
    referenceHash: lookupHash(order.reference),
    referenceSealed: seal(order.reference, depositTarget("reference_sealed", { tenant, id })),
    amount: order.amount,
    asset: order.asset,
    network: order.network,
    dueAt: endOf(order.due),
    at: listedNow,
    seenAt: listedNow,
    staffId,
  }));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx.insert(deposit).values(rows.slice(at, at + ROWS_AT_ONCE));
  if (news.length > 0) await publish(tx, { tenant, topic: "deposits" });
  return news;
}

async function recordExpected(tx: Tx, { tenant, id: actor }: Expecter, news: readonly Fresh[]): Promise<void> {
  const what = { tenant, actor, code: "deposits.expect", outcome: "DONE" } as const;
  await recordAll(
    tx,
    news.map(({ order: { amount, asset, network }, id }) => ({
      ...what,
      object: `deposit:${id}`,
      detail: { amount, asset, network },
    })),
  );
}

/** `same`: it was expected already. */
export async function expectOne(actor: Expecter, order: ExpectOrder): Promise<"saved" | "same"> {
  const store = await db();
  const asked = await askedSweeps(store, actor.tenant);
  return store.transaction(async (tx) => {
    const news = await saveExpected(tx, actor, [order]);
    await keepReference(tx, actor.tenant, order.reference, asked);
    await recordExpected(tx, actor, news);
    return news.length > 0 ? "saved" : "same";
  });
}

const HEADERS: ReadonlySet<string> = new Set(["reference", "referência", "referencia"]);

type Judged = { order: ExpectOrder } | { outcome: Exclude<ExpectReport["outcome"], "saved" | "same" | "held"> };

function judge(row: CsvRow, seen: Set<string>): Judged {
  if (!hasColumns(row, 2, 5)) return { outcome: "bad-columns" };
  const [named = "", typed = "", what = "", on = "", until = ""] = row.cells;
  const reference = ExpectedReference.safeParse(named);
  if (!reference.success) return { outcome: "bad-reference" };
  const read = readExpected(typed);
  if ("wrong" in read) return { outcome: read.wrong === "coins" ? "bad-amount" : "ambiguous-amount" };
  const { amount } = read;
  const asset = ExpectedAsset.safeParse(what);
  if (!asset.success) return { outcome: "bad-asset" };
  const network = ExpectedNetwork.safeParse(on);
  if (!network.success) return { outcome: "bad-network" };
  const due = ExpectedDay.safeParse(until);
  if (!due.success) return { outcome: "bad-day" };
  const order = { reference: reference.data, amount, asset: asset.data, network: network.data, due: due.data };
  const spelt = `${order.reference} ${spellingOf({ ...order, dueAt: endOf(order.due) })}`;
  if (seen.has(spelt)) return { outcome: "repeated" };
  seen.add(spelt);
  return { order };
}

/** Columns: reference, amount, asset, network, day. All rows or none: one that cannot be read holds back the others. */
export async function importExpected(
  actor: Expecter,
  { csv }: z.output<typeof DepositFile>,
): Promise<{ rows: ExpectReport[] }> {
  const [first, ...others] = readCsv(csv).rows;
  const isHeader = HEADERS.has((first?.cells[0] ?? "").toLowerCase());
  const given = first === undefined || isHeader ? others : [first, ...others];
  if (given.length === 0) throw invalidField("csv", "no-rows");
  const seen = new Set<string>();
  const judged = given.map((row) => ({ row, ...judge(row, seen) }));
  const orders = judged.flatMap((one) => ("order" in one ? [one.order] : []));
  const store = await db();
  const isWhole = orders.length === judged.length;
  const news = isWhole
    ? await store.transaction(async (tx) => {
        const saved = await saveExpected(tx, actor, orders);
        await recordExpected(tx, actor, saved);
        return saved;
      })
    : [];
  const isNew = new Set(news.map(({ order }) => order));
  if (isWhole) await triggerWatch(actor.tenant, "deposits");
  const outcomeOf = (one: Judged) => {
    if ("outcome" in one) return one.outcome;
    return isWhole ? (isNew.has(one.order) ? "saved" : "same") : "held";
  };
  return {
    rows: judged.map((one) => ({
      line: one.row.line,
      reference: one.row.cells[0] ?? "",
      outcome: outcomeOf(one),
    })),
  };
}
