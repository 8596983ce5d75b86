import { and, desc, eq, inArray, like, max, sql } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { BankError } from "@/lib/bank/error";
import * as operations from "@/lib/bank/operations";
import type { StatementEntry } from "@/lib/contract/accounts";
import { maskDocument, maskWithin } from "@/lib/contract/document";
import { look } from "@/lib/privacy/look";
import { query } from "@/lib/query";
import { accountDocument } from "@/lib/store/document";
import { preparedOnce } from "@/lib/store/prepared";
import { account, auditEvent, onboarding } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";
import { readClosing } from "./closing";
import { readClosingTerms } from "./terms";
import { readTimeline } from "./timeline";
import { STATEMENT_PAGE_SIZE, StatementFilter } from "./rules";

const MOST_RECENT = 8;

type AccountRow = typeof account.$inferSelect;

export type AccountView = {
  ref: string;
  /** Masked. */
  document: string;
  kind: "PF" | "PJ";
  accountId: string;
  branch: string;
  number: string;
  onboardingRef: string | null;
};

const accountByRef = preparedOnce((store) =>
  store
    .select()
    .from(account)
    .where(and(eq(account.tenant, sql.placeholder("tenant")), eq(account.ref, sql.placeholder("ref"))))
    .prepare("account_by_ref"),
);

async function findAccount(tenant: string, ref: string): Promise<AccountRow | null> {
  if (!isUuid(ref)) return null;
  const [row] = await accountByRef(await db()).execute({ tenant, ref });
  return row ?? null;
}

/** What the provider needs to know to answer for an account: its id and, in clear for this one call, its holder. */
async function asked(actor: Actor, ref: string): Promise<{ accountId: string; documentNumber: string }> {
  const row = await findAccount(actor.tenant, ref);
  if (row === null) throw new BankError("not-found");
  return { accountId: row.accountId, documentNumber: accountDocument(row) };
}

/** The account behind a reference, and that this person looked at it is on record; null when there is none. */
export const getAccount = query("accounts:read", async (actor, ref: string): Promise<AccountView | null> => {
  const row = await findAccount(actor.tenant, ref);
  if (row === null) return null;
  await look(actor, `account:${ref}`);
  const [begun] = await (
    await db()
  )
    .select({ id: onboarding.id })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, actor.tenant), eq(onboarding.accountId, row.accountId)))
    .limit(1);
  const document = accountDocument(row);
  const { accountId, branch, number } = row;
  const kind = document.length === 11 ? "PF" : "PJ";
  return { ref, document: maskDocument(document), kind, accountId, branch, number, onboardingRef: begun?.id ?? null };
});

export type RecentAccount = { ref: string; document: string; branch: string; number: string; at: string };

/** The accounts this person looked up last, newest first. */
export const listRecentAccounts = query("accounts:read", async (actor): Promise<RecentAccount[]> => {
  const store = await db();
  const looks = await store
    .select({ object: auditEvent.object, at: max(auditEvent.at) })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.tenant, actor.tenant),
        eq(auditEvent.actor, actor.id),
        eq(auditEvent.code, "accounts.look-up"),
        like(auditEvent.object, "account:%"),
      ),
    )
    .groupBy(auditEvent.object)
    .orderBy(desc(max(auditEvent.at)))
    .limit(MOST_RECENT);
  const refs = looks.map(({ object }) => object?.slice("account:".length) ?? "");
  if (refs.length === 0) return [];
  const rows = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, actor.tenant), inArray(account.ref, refs)));
  return looks.flatMap(({ object, at }) => {
    const row = rows.find(({ ref }) => `account:${ref}` === object);
    if (row === undefined || at === null) return [];
    const { ref, branch, number } = row;
    return [{ ref, document: maskDocument(accountDocument(row)), branch, number, at: at.toISOString() }];
  });
});

/** How far the closure of an account has come; null when nobody has one under way, and for what is no account here. */
export const getClosing = query("accounts:read", readClosing);

/** What happened to an account, newest first; nothing for what is no account here. */
export const getTimeline = query("accounts:read", readTimeline);

/** What somebody who wants to close an account should see first, read from the provider just now. */
export const getClosingTerms = query("accounts:close", async (actor, ref: string) => {
  if (!isUuid(ref)) throw new BankError("not-found");
  return readClosingTerms(actor, ref);
});

/** Decimal strings in reais. */
export type BalanceView = { balance: string; blockedBalance: string; status: string; asOf: string };

export const getBalance = query("accounts:read", async (actor, ref: string): Promise<BalanceView> => {
  const { answer, asOf } = await bank.get(actor, operations.getBalance, {
    query: await asked(actor, ref),
    object: `account:${ref}`,
  });
  const { balance, blockedBalance } = answer.data;
  return { balance, blockedBalance, status: answer.status, asOf: asOf.toISOString() };
});

export type StatementRow = Pick<
  StatementEntry,
  "transactionId" | "type" | "amount" | "date" | "description" | "direction"
>;
export type Statement = {
  rows: StatementRow[];
  page: number;
  totalPages: number;
  asOf: string;
  from: string;
  to: string;
  pix: boolean;
};

/** One page of the statement as the provider gives it: newest first, whole civil days of São Paulo. */
export const getStatement = query(
  "accounts:read",
  async (actor, ref: string, given: Record<string, unknown> = {}): Promise<Statement> => {
    const { from, to, page, pix } = StatementFilter.parse(given);
    const { answer, asOf } = await bank.get(actor, operations.getHistory, {
      object: `account:${ref}`,
      query: {
        ...(await asked(actor, ref)),
        initialDate: from,
        endDate: to,
        limit: STATEMENT_PAGE_SIZE,
        page,
        onlyPixEntries: pix ? true : undefined,
      },
    });
    const { transactions, page: shownPage, totalPages } = answer.data;
    const rows = transactions.map(({ transactionId, type, amount, date, description, direction }) => ({
      transactionId,
      type,
      amount,
      date,
      description: maskWithin(description),
      direction,
    }));
    return { rows, page: shownPage ?? page, totalPages: totalPages ?? 1, asOf: asOf.toISOString(), from, to, pix };
  },
);
