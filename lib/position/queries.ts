import { and, asc, between, eq, inArray, sql } from "drizzle-orm";
import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { type Download, query } from "@/lib/query";
import { account } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { type CsvColumn, csvDay, csvDecimal, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { unitsOf } from "@/lib/text/decimal";
import { hrefWith, PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { firstOfDays } from "@/lib/text/time";
import { addressesOf } from "@/lib/wallets/records";
import type { PositionFilter } from "./inputs";
import { positionSum } from "@/lib/db/tables/position";
import { amountIn, readChange, readFlow, readingsOn } from "./changes";
import { readGroupLine } from "./group-line";
import { type Position, readPosition, readRates } from "./read-position";
import { mergeSpellings, sameSum } from "./sum";
import {
  type GroupSeries,
  type DayMoment,
  FLOW_DAYS,
  LINE_DAYS,
  kindWord,
  type LinePoint,
  spanOf,
  type PositionGroup,
  type PositionSum,
  type PositionTotal,
  type SumChanges,
  type SumFlow,
} from "./view";
import { isInReais, type SumKey } from "@/lib/db/enums/position";

type SumDay = { key: SumKey; day: string };

export type { Position } from "./read-position";

/** A day's balances, compared with another day's. */
export const getPosition = query("wallets:read", (actor, given: Partial<PositionFilter> = {}) =>
  readPosition(actor, given),
);

const isSum = (tenant: string, { network, asset, token, kind, part }: SumKey) =>
  and(
    eq(positionSum.tenant, tenant),
    eq(positionSum.network, network),
    token === "" ? eq(positionSum.token, "") : eq(sql`lower(${positionSum.token})`, token.toLowerCase()),
    token === "" && isInReais(kind) ? eq(positionSum.asset, asset) : undefined,
    eq(positionSum.kind, kind),
    eq(positionSum.part, part),
  );

/** A sum over the 90 days until that one, oldest first, without days that have no reading. */
export const listLine = query("wallets:read", async ({ tenant }, { key, day }: SumDay): Promise<LinePoint[]> => {
  const store = await db();
  const rows = await store
    .select()
    .from(positionSum)
    .where(and(isSum(tenant, key), between(positionSum.day, firstOfDays(LINE_DAYS, day), day)))
    .orderBy(asc(positionSum.day));
  const wanted = sameSum(key);
  const byDay = new Map<string, PositionTotal[]>();
  for (const { oldestAt, ...row } of rows.filter((one) => sameSum(one) === wanted)) {
    const told = { ...row, oldestAt: oldestAt?.toISOString() ?? null };
    byDay.set(row.day, [...(byDay.get(row.day) ?? []), told]);
  }
  return [...byDay].flatMap(([on, told]) =>
    mergeSpellings(told).flatMap(({ amount, unread }) => (amount === null ? [] : [{ day: on, amount, unread }])),
  );
});

/** What a group was worth in reais over the 90 days until that one, at the rates of it. */
export const listGroupLine = query(
  "wallets:read",
  async ({ tenant }, { group, day }: { group: PositionGroup; day: string }): Promise<GroupSeries> => {
    const store = await db();
    const rates = await readRates(store, tenant, day);
    return readGroupLine(store, tenant, { group, day, from: firstOfDays(LINE_DAYS, day), rates });
  },
);

export type SumPart = { subject: string; name: string; href: string; amount: string | null; readAt: string | null };

type FigureRow = { subject: string; readAt: Date | null; amount: string | null };

export type SumParts = { rows: SumPart[]; page: number; totalPages: number; total: number };

async function namesOf(store: Db, tenant: string, subjects: readonly string[]): Promise<Map<string, string>> {
  const idsOf = (kind: string) =>
    subjects.flatMap((one) => (one.startsWith(`${kind}:`) ? [one.slice(kind.length + 1)] : []));
  const refs = idsOf("account");
  const accounts =
    refs.length === 0
      ? []
      : await store
          .select({ ref: account.ref, branch: account.branch, number: account.number })
          .from(account)
          .where(and(eq(account.tenant, tenant), inArray(account.ref, refs)));
  const addresses = await addressesOf(store, tenant, idsOf("wallet"));
  return new Map([
    ...accounts.map(({ ref, branch, number }) => [`account:${ref}`, `${branch} / ${number}`] as const),
    ...[...addresses].map(([id, address]) => [`wallet:${id}`, address] as const),
  ]);
}

function hrefOf(subject: string): string {
  const [kind = "", ...rest] = subject.split(":");
  return `/${kind}s/${encodeURIComponent(rest.join(":"))}`;
}

type PartsWanted = { key: SumKey; day: string; page: number };

type Sized = { units: bigint | null };

/** Unreadable ones first, then the largest. */
function byUnits({ units: one }: Sized, { units: other }: Sized): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  return Number(one < other) - Number(one > other);
}

/** What makes a sum up on a day. */
export const listParts = query("wallets:read", async ({ tenant }, wanted: PartsWanted): Promise<SumParts> => {
  const { key, day } = wanted;
  const store = await db();
  const rows = await readingsOn(store, tenant, { key, day });
  const parts = rows.flatMap(({ figures, ...one }): FigureRow[] => {
    const amount = amountIn(figures, key);
    return amount === undefined ? [] : [{ ...one, amount }];
  });
  const sorted = parts
    .map((one) => ({ ...one, units: one.amount === null ? null : unitsOf(one.amount) }))
    .toSorted(byUnits);
  const { page, totalPages, offset } = pageWindow(wanted.page, sorted.length);
  const shown = sorted.slice(offset, offset + PAGE_SIZE);
  const names = await namesOf(
    store,
    tenant,
    shown.map((one) => one.subject),
  );
  const listed = shown.map((one): SumPart => ({
    subject: one.subject,
    name: names.get(one.subject) ?? one.subject,
    href: hrefOf(one.subject),
    amount: one.amount,
    readAt: one.readAt?.toISOString() ?? null,
  }));
  return { rows: listed, page, totalPages, total: sorted.length };
});

const SHOWN_CHANGES = 50;

/** Which accounts and wallets made a sum differ between two days, and what moved them. */
export const listChanges = query(
  "wallets:read",
  async ({ tenant }, wanted: { key: SumKey; day: string; against: string }): Promise<SumChanges> => {
    const store = await db();
    const { parts, total } = await readChange(store, tenant, { ...wanted, most: SHOWN_CHANGES });
    const names = await namesOf(
      store,
      tenant,
      parts.map(({ subject }) => subject),
    );
    const rows = parts.map((one) => ({
      ...one,
      name: names.get(one.subject) ?? one.subject,
      href: hrefOf(one.subject),
    }));
    return { rows, total };
  },
);

/** What came in and went out of a sum's wallets on each of the days until that one. */
export const listFlow = query("wallets:read", async ({ tenant }, { key, day }: SumDay): Promise<SumFlow> =>
  readFlow(await db(), tenant, { key, day, from: firstOfDays(FLOW_DAYS, day) }),
);

type FileWords = { say: Awaited<ReturnType<typeof getTranslations<"position">>>; locale: Locale };

type FileRow = { position: Position; sum: PositionSum };

const decimalIn = (decimal: string | null, { locale }: FileWords) =>
  decimal === null ? null : csvDecimal(decimal, locale);

const dayIn = (day: string | null, { locale }: FileWords) => (day === null ? null : csvDay(day, locale));

const momentIn = (moment: DayMoment | null, { say, locale }: FileWords) =>
  moment === null ? null : say(`moments.${moment.as}`, { time: spanOf(moment, locale) });

const COLUMNS = [
  { name: "day", csv: ({ position }, words) => dayIn(position.day, words) },
  { name: "moment", csv: ({ position }, words) => momentIn(position.moment, words) },
  { name: "kind", csv: ({ sum, position }, { say }) => say(`kinds.${kindWord(sum.kind, position)}`) },
  { name: "network", csv: ({ sum }) => sum.network },
  { name: "asset", csv: ({ sum }) => providerText(sum.asset) },
  { name: "token", csv: ({ sum }) => providerText(sum.token) },
  { name: "part", csv: ({ sum }, { say }) => say(`parts.${sum.part}`) },
  { name: "amount", csv: ({ sum }, words) => decimalIn(sum.amount, words) },
  { name: "readings", csv: ({ sum }) => sum.readings },
  { name: "unread", csv: ({ sum }) => sum.unread },
  {
    name: "oldest",
    csv: ({ sum }, { locale }) => (sum.oldestAt === null ? null : csvMinute(sum.oldestAt, locale)),
  },
  { name: "against", csv: ({ position }, words) => dayIn(position.against, words) },
  { name: "againstMoment", csv: ({ position }, words) => momentIn(position.againstMoment, words) },
  { name: "before", csv: ({ sum }, words) => decimalIn(sum.before, words) },
  { name: "difference", csv: ({ sum }, words) => decimalIn(sum.difference, words) },
  { name: "rate", csv: ({ sum }, words) => decimalIn(sum.rate?.value ?? null, words) },
  { name: "rateDay", csv: ({ sum }, words) => dayIn(sum.rate?.day ?? null, words) },
  { name: "rateSource", csv: ({ sum: { rate } }) => (rate === null ? null : providerText(rate.source)) },
  { name: "value", csv: ({ sum }, words) => decimalIn(sum.value, words) },
] as const satisfies readonly CsvColumn<FileRow, FileWords>[];

async function* linesOf(position: Position, words: FileWords): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, (name) => words.say(`csv.${name}`));
  yield head;
  for (const sum of position.sums) yield line({ position, sum });
}

/** The sums of a day as CSV; audited before its first byte. */
export const exportPosition = query(
  "wallets:read",
  async (actor, given: Partial<PositionFilter>): Promise<Download> => {
    const [store, say, locale] = await Promise.all([db(), getTranslations("position"), getLocale()]);
    const position = await readPosition(actor, given);
    const { day, against } = position;
    const detail = { format: "csv", filter: hrefWith("", { day, against }) };
    await record(store, { tenant: actor.tenant, actor: actor.id, code: "position.export", outcome: "DONE", detail });
    return {
      fileName: csvName(say("csv.file"), locale, day ?? undefined),
      contentType: "text/csv; charset=utf-8",
      parts: linesOf(position, { say, locale }),
    };
  },
);
