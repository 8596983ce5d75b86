import { and, desc, eq, ne, sql } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import type { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { db, type Tx } from "@/lib/db/connection";
import { csvRows } from "@/lib/text/csv";
import { RateDay, type RateFile, type RateOrder, RateSource } from "./inputs";
import { positionRate, positionSum } from "@/lib/db/tables/position";
import { type RateOutcome, type RateReport, readRate } from "./view";
import type { SumKey } from "@/lib/db/enums/position";

type Manager = Actor<"settings:manage">;
type Asset = Pick<SumKey, "network" | "asset" | "token">;

/** What may have a rate: the coins that any day's sums name. Held until the end, so that two do not save the same at once. */
async function holdAssets(tx: Tx, tenant: string): Promise<Asset[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`${tenant} position rates`}))`);
  const { network, asset, token, kind } = positionSum;
  return tx
    .selectDistinct({ network, asset, token })
    .from(positionSum)
    .where(and(eq(positionSum.tenant, tenant), ne(kind, "account"), ne(asset, "")));
}

/** What stands already is not written again. A rate is never changed: a later one stands before it. */
async function saveRate(tx: Tx, { tenant, id: staffId }: Manager, rate: RateOrder): Promise<"saved" | "same"> {
  const { network, asset, token, value, day, source } = rate;
  const isOfDay = and(
    eq(positionRate.tenant, tenant),
    eq(positionRate.network, network),
    eq(positionRate.asset, asset),
    eq(positionRate.token, token),
    eq(positionRate.day, day),
  );
  const isSame = sql<boolean>`${positionRate.value} = ${value}::numeric and ${positionRate.source} = ${source}`;
  const [standing] = await tx
    .select({ isSame })
    .from(positionRate)
    .where(isOfDay)
    .orderBy(desc(positionRate.createdAt))
    .limit(1);
  if (standing?.isSame === true) return "same";
  await tx.insert(positionRate).values({ tenant, ...rate, staffId, createdAt: sql`clock_timestamp()` });
  const detail = { network, asset, tokenAddress: token === "" ? null : token, rate: value, rateDay: day };
  await record(tx, { tenant, actor: staffId, code: "position.rate", outcome: "DONE", detail });
  return "saved";
}

/** Throws not-found for a coin that no sum names. */
export async function setRate(manager: Manager, order: RateOrder): Promise<null> {
  const { tenant } = manager;
  return (await db()).transaction(async (tx) => {
    const { network, asset, token } = order;
    const known = await holdAssets(tx, tenant);
    if (!known.some((one) => one.network === network && one.asset === asset && one.token === token))
      throw new AppError("not-found");
    await saveRate(tx, manager, order);
    await publish(tx, { tenant, topic: "position" });
    return null;
  });
}

const HEADERS: ReadonlySet<string> = new Set(["network", "rede"]);

/** Columns: network, asset, contract, reais for one, date, source. Each row says what became of it; a bad one stops no other. */
export async function importRates(
  manager: Manager,
  { csv }: z.output<typeof RateFile>,
): Promise<{ rows: RateReport[] }> {
  const { tenant } = manager;
  const [first, ...others] = csvRows(csv);
  if (first === undefined) throw new AppError("invalid");
  const given = HEADERS.has((first.cells[0] ?? "").toLowerCase()) ? others : [first, ...others];
  const locale = await getLocale();
  return (await db()).transaction(async (tx) => {
    const known = await holdAssets(tx, tenant);
    const done = new Set<string>();
    const saveRow = async (cells: readonly string[]): Promise<RateOutcome> => {
      const [network = "", asset = "", token = "", typed = "", date = "", from = ""] = cells;
      // Letters of a contract's address differ in case by who writes it down.
      const [found, ...more] = known.filter(
        (one) =>
          one.network === network.toUpperCase() &&
          one.asset === asset &&
          one.token.toLowerCase() === token.toLowerCase(),
      );
      if (found === undefined || more.length > 0) return "unknown-asset";
      const [value, day, source] = [readRate(typed, locale), RateDay.safeParse(date), RateSource.safeParse(from)];
      if (value === null) return "bad-rate";
      if (!day.success) return "bad-day";
      if (!source.success) return "bad-source";
      const key = JSON.stringify([found, day.data]);
      if (done.has(key)) return "repeated";
      done.add(key);
      return saveRate(tx, manager, { ...found, value, day: day.data, source: source.data });
    };
    const rows: RateReport[] = [];
    for (const { line, cells } of given) rows.push({ line, asset: cells[1] ?? "", outcome: await saveRow(cells) });
    await publish(tx, { tenant, topic: "position" });
    return { rows };
  });
}
