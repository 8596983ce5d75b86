import { and, asc, count, desc, eq, inArray, like, max, type SQL, sql } from "drizzle-orm";
import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { readListWholeAt } from "@/lib/onboarding/records";
import type { Download } from "@/lib/query";
import { shownAccountDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { type Db, db } from "@/lib/db/connection";
import { type CsvColumn, csvDecimal, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { hrefWith, PAGE_SIZE, type Page, pageWindow } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { AccountFilter } from "./inputs";
import type { AccountsView } from "./view";
import { ACCOUNT_STANDINGS, type AccountStanding } from "@/lib/db/enums/accounts";
import { freshness } from "@/lib/db/watch-state";

type AccountRow = typeof account.$inferSelect;

export type AccountListRow = {
  ref: string;
  /** Masked; null while the provider names nobody. */
  holder: string | null;
  document: string;
  kind: "PF" | "PJ";
  branch: string;
  number: string;
  standing: AccountStanding;
  /** The provider's word; null until it gives one. */
  statusWord: string | null;
  toldAt: string | null;
  createdAt: string | null;
  /** Decimal strings in reais, as last read for a person; null when never read or not an amount. */
  balance: string | null;
  blockedBalance: string | null;
  balanceAt: string | null;
};

export type AccountList = Page<AccountListRow> & {
  counts: Record<AccountsView, number>;
  /** When the provider's list was last read completely; null if never. */
  wholeAt: string | null;
};

function toRow(row: AccountRow): AccountListRow {
  const { ref, holder, kind, branch, number, standing, statusWord, balance, blockedBalance } = row;
  return {
    ref,
    holder,
    document: shownAccountDocument(row).mask,
    kind,
    branch,
    number,
    standing,
    statusWord,
    toldAt: row.toldAt?.toISOString() ?? null,
    createdAt: row.createdAt?.toISOString() ?? null,
    balance,
    blockedBalance,
    balanceAt: row.balanceAt?.toISOString() ?? null,
  };
}

const STANDING_OF: Readonly<Record<AccountsView, AccountStanding | null>> = {
  all: null,
  open: "OPEN",
  blocked: "BLOCKED",
  closed: "CLOSED",
  untold: "UNKNOWN",
};

const narrowing = (tenant: string, { kind }: AccountFilter): SQL | undefined =>
  and(eq(account.tenant, tenant), kind && eq(account.kind, kind));

function inView(view: AccountsView): SQL | undefined {
  const standing = STANDING_OF[view];
  return standing === null ? undefined : eq(account.standing, standing);
}

function orderOf({ sort, dir }: AccountFilter): SQL[] {
  const sortColumn = { opened: account.createdAt, number: account.number, balance: account.balance }[sort];
  const inOrder = dir === "asc" ? asc : desc;
  return [sql`${inOrder(sortColumn)} nulls last`, inOrder(account.ref)];
}

async function countsIn(store: Db, narrowed: SQL | undefined): Promise<AccountList["counts"]> {
  const counted = await store
    .select({ standing: account.standing, n: count() })
    .from(account)
    .where(narrowed)
    .groupBy(account.standing);
  const of = (wanted: readonly AccountStanding[]) =>
    counted.filter(({ standing }) => wanted.includes(standing)).reduce((sum, { n }) => sum + n, 0);
  return {
    all: of(ACCOUNT_STANDINGS),
    open: of(["OPEN"]),
    blocked: of(["BLOCKED"]),
    closed: of(["CLOSED"]),
    untold: of(["UNKNOWN"]),
  };
}

/** The stored part of the provider's list, marked when it may be incomplete. */
export async function readAccounts(
  { tenant }: Actor<"accounts:read">,
  given: Partial<AccountFilter>,
): Promise<AccountList> {
  const filter = AccountFilter.parse(given);
  const store = await db();
  const narrowed = narrowing(tenant, filter);
  const [counts, wholeAt, fresh] = await Promise.all([
    countsIn(store, narrowed),
    readListWholeAt(tenant),
    freshness(tenant, "onboarding"),
  ]);
  const total = counts[filter.view];
  const { page, totalPages, offset } = pageWindow(filter.page, total);
  const rows = await store
    .select()
    .from(account)
    .where(and(narrowed, inView(filter.view)))
    .orderBy(...orderOf(filter))
    .limit(PAGE_SIZE)
    .offset(offset);
  const readSoFar = wholeAt === null ? total : null;
  return { ...fresh, rows: rows.map(toRow), page, totalPages, total, counts, wholeAt, readSoFar };
}

const MAX_RECENT = 8;
const LOOKED_THROUGH = 400;

export type RecentAccount = {
  ref: string;
  document: string;
  branch: string;
  number: string;
  standing: AccountStanding;
  at: string;
};

export async function readRecentAccounts(actor: Actor<"accounts:read">): Promise<RecentAccount[]> {
  const store = await db();
  const latest = store
    .select({ object: auditEvent.object, at: auditEvent.at })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.tenant, actor.tenant),
        eq(auditEvent.actor, actor.id),
        inArray(auditEvent.code, ["accounts.look-up", "customer.view"]),
        like(auditEvent.object, "account:%"),
      ),
    )
    .orderBy(desc(auditEvent.seq))
    .limit(LOOKED_THROUGH)
    .as("latest");
  const accesses = await store
    .select({ object: latest.object, at: max(latest.at) })
    .from(latest)
    .groupBy(latest.object)
    .orderBy(desc(max(latest.at)))
    .limit(MAX_RECENT);
  const refs = accesses.map(({ object }) => object?.slice("account:".length) ?? "");
  if (refs.length === 0) return [];
  const rows = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, actor.tenant), inArray(account.ref, refs)));
  return accesses.flatMap(({ object, at }) => {
    const row = rows.find(({ ref }) => `account:${ref}` === object);
    if (row === undefined || at === null) return [];
    const { ref, branch, number, standing } = row;
    return [{ ref, document: shownAccountDocument(row).mask, branch, number, standing, at: at.toISOString() }];
  });
}

const BATCH_ROWS = 500;

/** A snapshot of the matching accounts in screen order; updates don't reorder an export. */
async function* batches(store: Db, tenant: string, filter: AccountFilter): AsyncGenerator<AccountListRow[]> {
  const fitting = await store
    .select({ ref: account.ref })
    .from(account)
    .where(and(narrowing(tenant, filter), inView(filter.view)))
    .orderBy(...orderOf(filter));
  const refs = fitting.map(({ ref }) => ref);
  for (let at = 0; at < refs.length; at += BATCH_ROWS) {
    const some = refs.slice(at, at + BATCH_ROWS);
    const rows = await store
      .select()
      .from(account)
      .where(and(eq(account.tenant, tenant), inArray(account.ref, some)));
    const byRef = new Map(rows.map((row) => [row.ref, row]));
    yield some.flatMap((ref) => byRef.get(ref) ?? []).map(toRow);
  }
}

type FileWords = {
  say: Awaited<ReturnType<typeof getTranslations<"accounts">>>;
  standing: Awaited<ReturnType<typeof getTranslations<"standings">>>;
  locale: Locale;
};

const decimalIn = (decimal: string | null, { locale }: FileWords) =>
  decimal === null ? null : csvDecimal(decimal, locale);

const timeIn = (at: string | null, { locale }: FileWords) => (at === null ? null : csvMinute(at, locale));

const COLUMNS = [
  { name: "holder", csv: ({ holder }) => providerText(holder ?? "") },
  { name: "document", csv: ({ document }) => document },
  { name: "kind", csv: ({ kind }, { say }) => say(`kind.${kind}`) },
  { name: "branch", csv: ({ branch }) => providerText(branch) },
  { name: "number", csv: ({ number }) => providerText(number) },
  {
    name: "status",
    csv: ({ standing: of, statusWord }, { standing }) =>
      providerText(of === "UNKNOWN" ? (statusWord ?? standing("UNKNOWN")) : standing(of)),
  },
  { name: "opened", csv: ({ createdAt }, words) => timeIn(createdAt, words) },
  { name: "balance", csv: ({ balance }, words) => decimalIn(balance, words) },
  { name: "blocked", csv: ({ blockedBalance }, words) => decimalIn(blockedBalance, words) },
  { name: "balanceAt", csv: ({ balanceAt }, words) => timeIn(balanceAt, words) },
] as const satisfies readonly CsvColumn<AccountListRow, FileWords>[];

export type AccountFileColumn = (typeof COLUMNS)[number]["name"];

type Export = { tenant: string; filter: AccountFilter; words: FileWords };

async function* linesOf(store: Db, { tenant, filter, words }: Export): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, (name) => words.say(`csv.${name}`));
  yield head;
  for await (const rows of batches(store, tenant, filter)) yield rows.map(line).join("");
}

/** The filtered list as CSV, holders masked; audited before its first byte. */
export async function exportAccountList(
  { tenant, id }: Actor<"statement:export">,
  given: Partial<AccountFilter>,
): Promise<Download> {
  const filter = AccountFilter.parse(given);
  const [store, say, standing, locale] = await Promise.all([
    db(),
    getTranslations("accounts"),
    getTranslations("standings"),
    getLocale(),
  ]);
  const { page: _, ...narrowed } = filter;
  const detail = { format: "csv", filter: hrefWith("", narrowed) };
  await record(store, { tenant, actor: id, code: "accounts.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, { tenant, filter, words: { say, standing, locale } }),
  };
}
