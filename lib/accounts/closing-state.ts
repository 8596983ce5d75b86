import { and, eq, inArray } from "drizzle-orm";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Db } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { account } from "@/lib/db/tables/customers";
import { providerIntent } from "@/lib/db/tables/provider";
import { closeAccount } from "@/lib/provider/operations";
import type { ClosingState } from "./view";

/** Of these accounts, by the provider's id: those closed, and those whose closing is requested, sent or unconfirmed. */
export async function readClosingStates(
  store: Db,
  tenant: string,
  accountIds: readonly string[],
): Promise<Map<string, ClosingState>> {
  const rows = await store
    .select({ ref: account.ref, accountId: account.accountId, standing: account.standing })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.accountId, [...accountIds])));
  const objects = rows.map(({ ref }) => `account:${ref}`);
  const asked = await store
    .select({ object: approval.object })
    .from(approval)
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, "account.close"),
        inArray(approval.object, objects),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    );
  const sent = await store
    .select({ object: providerIntent.object })
    .from(providerIntent)
    .where(
      and(
        eq(providerIntent.tenant, tenant),
        eq(providerIntent.operation, closeAccount.path),
        inArray(providerIntent.object, objects),
        inArray(providerIntent.state, ["SENDING", "UNKNOWN"]),
      ),
    );
  const closing = new Set([...asked, ...sent].map(({ object }) => object));
  return new Map(
    rows.flatMap(({ ref, accountId, standing }): [string, ClosingState][] => {
      if (standing === "CLOSED") return [[accountId, "CLOSED"]];
      return closing.has(`account:${ref}`) ? [[accountId, "CLOSING"]] : [];
    }),
  );
}
