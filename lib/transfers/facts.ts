import { and, eq, inArray } from "drizzle-orm";
import { type Fact, shownText } from "@/lib/approvals/snapshot";
import type { ApprovalReason } from "@/lib/approvals/view";
import type { Tx } from "@/lib/db/connection";
import { account } from "@/lib/db/tables/customers";
import type { Essence } from "./inputs";
import { isFirstUse } from "./payees";

export const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

/** Accounts by branch and number, as people know them; by the provider's id when not looked up yet. */
export async function accountNames(store: Tx, tenant: string, ids: readonly string[]) {
  const { accountId, ref, branch, number, holder } = account;
  const rows = await store
    .select({ accountId, ref, branch, number, holder })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(accountId, [...ids])));
  return (id: string) => {
    const row = rows.find((found) => found.accountId === id);
    return row === undefined
      ? { name: id, href: null, holder: null }
      : { name: `${row.branch} / ${row.number}`, href: `/accounts/${row.ref}`, holder: row.holder };
  };
}

/** An account and its holder, if the provider named one. */
export const accountFacts = (
  side: "from" | "to",
  { name, holder }: { name: string; holder: string | null },
): Fact[] => [fact(side, shownText(name)), ...(holder === null ? [] : [fact(`${side}Holder`, shownText(holder))])];

export const repeatFact = (isRepeat: boolean): Fact[] => (isRepeat ? [fact("repeat", shownText(""))] : []);

export async function whyFacts(tx: Tx, tenant: string, essence: Essence, why: ApprovalReason): Promise<Fact[]> {
  const isFirst = await isFirstUse(tx, tenant, essence);
  return [...(isFirst ? [fact("firstUse", shownText(""))] : []), fact("why", { as: "why", ...why })];
}
