import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { z } from "zod";
import { assetKey, idKey } from "@/lib/contract/identity";
import { typedNetwork } from "@/lib/contract/network-names";
import { recordAll } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError, invalidField } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { type Judged, saveJudged } from "@/lib/db/slices";
import type { Locale } from "@/lib/text/format";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { pastedAddress } from "@/lib/wallets/inputs";
import { pasted } from "@/lib/contract/fold";
import { type CsvRow, hasColumns, readCsv } from "@/lib/text/csv";
import { RateDay, type RateFile, type RateOrder, RateSource } from "./inputs";
import { positionRate, positionSum } from "@/lib/db/tables/position";
import { type BadRate, type RateReport, readRate } from "./view";
import { isInReais, POSITION_KINDS, type SumKey } from "@/lib/db/enums/position";

type Rater = Actor<"position:rate">;
type Asset = Pick<SumKey, "network" | "asset" | "token">;

async function readAssets(store: Db, tenant: string): Promise<Asset[]> {
  const { network, asset, token, kind } = positionSum;
  return store
    .selectDistinct({ network, asset, token })
    .from(positionSum)
    .where(and(eq(positionSum.tenant, tenant), notInArray(kind, POSITION_KINDS.filter(isInReais)), ne(asset, "")));
}

const Standing = z.object({ rows: z.array(z.object({ nth: z.int() })) });

async function readStanding(tx: Tx, tenant: string, rates: readonly RateOrder[]): Promise<Set<number>> {
  const given = rates.map(
    ({ network, asset, token, day, value, source }, nth) =>
      sql`(${nth}::int, ${network}, ${asset}, ${token}, ${day}::date, ${value}::numeric, ${source})`,
  );
  const found = await tx.execute(sql`
    select given.nth from (values ${sql.join(given, sql`, `)}) as given (nth, network, asset, token, day, value, source)
    join lateral (
      select value, source from ${positionRate}
      where tenant = ${tenant} and (network, asset, token, day) = (given.network, given.asset, given.token, given.day)
      order by created_at desc limit 1
    ) as standing on (standing.value, standing.source) = (given.value, given.source)`);
  return new Set(Standing.parse(found).rows.map(({ nth }) => nth));
}

/** An unchanged rate is not stored again. A rate is never changed: a later one replaces it. */
async function saveRates(
  tx: Tx,
  { tenant, id: staffId }: Rater,
  rates: readonly RateOrder[],
): Promise<("saved" | "same")[]> {
  // Held until the end, so that two requests do not save the same rate together.
  await holdLock(tx, `${tenant} position rates`);
  const standing = await readStanding(tx, tenant, rates);
  const news = rates.filter((_, nth) => !standing.has(nth));
  if (news.length > 0) {
    const createdAt = sql`clock_timestamp()`;
    await tx.insert(positionRate).values(news.map((rate) => ({ ...rate, tenant, staffId, createdAt })));
    await publish(tx, { tenant, topic: "position" });
    const what = { tenant, actor: staffId, code: "position.rate", outcome: "DONE" } as const;
    await recordAll(
      tx,
      news.map(({ network, asset, token, value: rate, day: rateDay }) => ({
        ...what,
        detail: { network, asset, tokenAddress: token === "" ? null : token, rate, rateDay },
      })),
    );
  }
  return rates.map((_, nth) => (standing.has(nth) ? "same" : "saved"));
}

/** Throws not-found for a coin that no sum names. */
export async function setRate(rater: Rater, order: RateOrder): Promise<null> {
  const store = await db();
  const { network, asset, token } = order;
  const known = await readAssets(store, rater.tenant);
  const isIt = assetKey(network, { asset, tokenAddress: token });
  if (!known.some((one) => assetKey(one.network, { asset: one.asset, tokenAddress: one.token }) === isIt))
    throw new AppError("not-found");
  await store.transaction((tx) => saveRates(tx, rater, [order]));
  return null;
}

const HEADERS: ReadonlySet<string> = new Set(["network", "rede"]);

type Judging = { known: readonly Asset[]; locale: Locale; seen: Set<string> };

const idOf = ({ network, asset, token }: Asset) => JSON.stringify([network, asset, token]);
const plain = (name: string) => idKey(name).toLowerCase();

function judge({ known, locale, seen }: Judging, row: CsvRow): Judged<RateOrder, BadRate> {
  if (!hasColumns(row, 5, 6)) return { outcome: "bad-columns" };
  const [network = "", asset = "", named = "", typed = "", date = "", from = ""] = row.cells.map(pasted);
  const token = pastedAddress(named);
  const typedKey = assetKey(typedNetwork(network) ?? network.toUpperCase(), { asset, tokenAddress: token });
  const isIt = (one: Asset) => assetKey(one.network, { asset: one.asset, tokenAddress: one.token }) === typedKey;
  const found = known.filter(isIt).toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))[0];
  if (found === undefined || (token !== "" && plain(found.asset) !== plain(asset))) return { outcome: "unknown-asset" };
  const value = readRate(typed, locale);
  if (value === null) return { outcome: "bad-rate" };
  if (value === "ambiguous") return { outcome: "ambiguous-rate" };
  const day = RateDay.safeParse(date);
  if (!day.success) return { outcome: "bad-day" };
  const source = RateSource.safeParse(from);
  if (!source.success) return { outcome: "bad-source" };
  const key = JSON.stringify([found, day.data]);
  if (seen.has(key)) return { outcome: "repeated" };
  seen.add(key);
  return { order: { ...found, value, day: day.data, source: source.data } };
}

/** Columns: network, asset, contract, reais for one, date, source. Each row says what became of it; a bad one stops no other. */
export async function importRates(rater: Rater, { csv }: z.output<typeof RateFile>): Promise<{ rows: RateReport[] }> {
  const [first, ...others] = readCsv(csv).rows;
  const isHeader = HEADERS.has((first?.cells[0] ?? "").toLowerCase());
  const given = first === undefined || isHeader ? others : [first, ...others];
  if (given.length === 0) throw invalidField("csv", "no-rows");
  const store = await db();
  const judging = {
    known: await readAssets(store, rater.tenant),
    locale: await getLocale(),
    seen: new Set<string>(),
  };
  const judged = given.map((row) => judge(judging, row));
  const outcomes = await saveJudged(store, judged, (tx, slice) => saveRates(tx, rater, slice));
  return {
    rows: given.map(({ line, cells }, at) => ({ line, asset: cells[1] ?? "", outcome: outcomes[at] ?? "unsaved" })),
  };
}
