import { and, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { type ApprovalReason, reaches } from "@/lib/approvals/view";
import type { Db, Tx } from "@/lib/db/connection";
import { lookupHashes } from "@/lib/db/seal";
import { providerIntent } from "@/lib/db/tables/provider";
import { transfer } from "@/lib/db/tables/transfers";
import type { Policy } from "@/lib/permission/writes";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { TIME_ZONE } from "@/lib/text/time";
import type { Essence } from "./inputs";
import { isFirstUse } from "./payees";

type Leaving = { essence: Essence; makerId: string; intentId: string | null };

const TODAY = sql`(date_trunc('day', now() at time zone ${TIME_ZONE}) at time zone ${TIME_ZONE})`;

const sumOf = (whose: SQL) =>
  sql<string>`(coalesce(sum(${transfer.amount}::numeric) filter (where ${whose}), 0))::numeric(20, 2)::text`;
const numberOf = (whose: SQL) => sql<number>`(count(*) filter (where ${whose}))::int`;

/** The day's transfers without approval: from the paying account, by the maker, to the payee, at the tenant; reais. */
async function leftAlone(store: Db | Tx, tenant: string, { essence, makerId, intentId }: Leaving) {
  const of = {
    account: sql`${eq(transfer.accountId, essence.accountId)}`,
    person: sql`${eq(transfer.staffId, makerId)}`,
    payee: sql`${inArray(transfer.payeeHash, lookupHashes(essence.payee))}`,
    tenant: sql`true`,
  };
  const [left] = await store
    .select({
      account: sumOf(of.account),
      person: sumOf(of.person),
      payee: sumOf(of.payee),
      tenant: sumOf(of.tenant),
      accountCount: numberOf(of.account),
      personCount: numberOf(of.person),
      payeeCount: numberOf(of.payee),
      tenantCount: numberOf(of.tenant),
    })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(
      and(
        eq(transfer.tenant, tenant),
        gte(transfer.createdAt, TODAY),
        ne(providerIntent.state, "REFUSED"),
        isNull(transfer.approvalId),
        intentId === null ? undefined : ne(transfer.intentId, intentId),
      ),
    );
  if (left === undefined) throw new Error("an aggregate without a row");
  return left;
}

/** Paid on an earlier day and not returned: a payment of today makes no payee known. */
async function wasPaidEarlier(store: Db | Tx, tenant: string, essence: Essence): Promise<boolean> {
  if (await isFirstUse(store, tenant, essence)) return false;
  const earlier = await store
    .select({ id: transfer.intentId })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(
      and(
        eq(transfer.tenant, tenant),
        inArray(transfer.payeeHash, lookupHashes(essence.payee)),
        lt(transfer.createdAt, TODAY),
        isNull(transfer.returnedAt),
        eq(providerIntent.state, "DONE"),
      ),
    )
    .limit(1);
  return earlier.length > 0;
}

const cents = (reais: string) => BigInt(reais.replace(".", ""));

const isBeyond = (count: number, limit: number | null) => limit !== null && count + 1 > limit;

/** The first term of the policy that requires a second person; null when none does. */
export async function approvalReasonOf(
  store: Db | Tx,
  tenant: string,
  leaving: Leaving,
  policy: Policy,
): Promise<ApprovalReason | null> {
  const { rule, amount: from, personSum, personCount, payeeSum, payeeCount, tenantSum, firstSum } = policy;
  const { amount } = leaving.essence;
  const own = { sum: amount, count: 1 };
  if (rule === "always") return { by: "always", ...own, limit: null };
  if (rule !== "above") return null;
  if (reaches(amount, from)) return { by: "amount", ...own, limit: from };
  const left = await leftAlone(store, tenant, leaving);
  const isReached = (sum: string, limit: string | null) => limit !== null && cents(sum) + cents(amount) >= cents(limit);
  const ofPerson = { sum: left.person, count: left.personCount };
  const ofPayee = { sum: left.payee, count: left.payeeCount };
  const ofAccount = { sum: left.account, count: left.accountCount };
  if (isReached(left.account, from)) return { by: "account-sum", ...ofAccount, limit: from };
  if (isReached(left.person, personSum)) return { by: "person-sum", ...ofPerson, limit: personSum };
  if (isBeyond(left.personCount, personCount)) return { by: "person-count", ...ofPerson, limit: String(personCount) };
  if (isReached(left.payee, payeeSum)) return { by: "payee-sum", ...ofPayee, limit: payeeSum };
  if (isBeyond(left.payeeCount, payeeCount)) return { by: "payee-count", ...ofPayee, limit: String(payeeCount) };
  const ofTenant = { sum: left.tenant, count: left.tenantCount };
  if (isReached(left.tenant, tenantSum)) return { by: "tenant-sum", ...ofTenant, limit: tenantSum };
  const isFirst = isReached(left.payee, firstSum) && !(await wasPaidEarlier(store, tenant, leaving.essence));
  return isFirst ? { by: "first-sum", ...ofPayee, limit: firstSum } : null;
}
