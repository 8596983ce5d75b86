import { and, eq, sql } from "drizzle-orm";
import { recordIncident } from "@/lib/audit/incident";
import { type Actor, watchActor } from "@/lib/auth/grant";
import { BankError, isProviderTrouble } from "@/lib/bank/error";
import { intents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/intent-schema";
import { ofIntent } from "@/lib/bank/lost-answer";
import { publish } from "@/lib/live/publish";
import { log } from "@/lib/log";
import { account } from "@/lib/store/schema";
import { UnsealError } from "@/lib/store/seal";
import { type Db, db } from "@/lib/store/store";
import type { Watch } from "@/lib/watch";
import { accountClosing } from "./close-kind";
import { accountClosure } from "./schema";
import { type AccountRow, readStanding } from "./standing";

/** An account that shows open so long after its closure was sent was not closed by it: no call takes that long. */
const REFUTED_AFTER = sql`interval '5 minutes'`;
/** Older ones stay unknown, and are no longer looked for. */
const LOOKED_FOR = sql`interval '30 days'`;
const MOST_LOOKS = 5;

const actorOf = (tenant: string) => watchActor("accounts", tenant, "accounts:close");

/** Closures whose sender died are no longer being sent: asks nobody. */
export const settleClosures = (tenant: string): Promise<void> => intents.settle(actorOf(tenant), [accountClosing]);

type Lost = { intentId: string; row: AccountRow; isLate: boolean };

function findLost(store: Db, tenant: string): Promise<Lost[]> {
  const isLate = sql<boolean>`clock_timestamp() - ${bankIntent.firstSentAt} > ${REFUTED_AFTER}`;
  return (
    store
      .select({ intentId: accountClosure.intentId, row: account, isLate })
      .from(accountClosure)
      .innerJoin(bankIntent, ofIntent(accountClosure))
      .innerJoin(account, eq(account.ref, accountClosure.accountRef))
      .where(
        and(
          eq(accountClosure.tenant, tenant),
          eq(bankIntent.state, "UNKNOWN"),
          sql`${accountClosure.createdAt} > clock_timestamp() - ${LOOKED_FOR}`,
        ),
      )
      // Who was looked at longest ago comes first.
      .orderBy(sql`${accountClosure.seenOpenAt} nulls first`)
      .limit(MOST_LOOKS)
  );
}

async function noteOpen(store: Db, tenant: string, { intentId, row }: Lost): Promise<void> {
  await store.transaction(async (tx) => {
    await tx
      .update(accountClosure)
      .set({ seenOpenAt: sql`clock_timestamp()` })
      .where(and(eq(accountClosure.tenant, tenant), eq(accountClosure.intentId, intentId)));
    await publish(tx, { tenant, topic: "transfers", object: `account:${row.ref}` });
  });
}

/** Reads the account of a closure whose answer was lost: closed is what it was sent for, open after so long is not. */
async function lookFor(store: Db, actor: Actor, lost: Lost): Promise<void> {
  const { intentId, row, isLate } = lost;
  const standing = await readStanding({ actor, row });
  if (standing === "CLOSED") await intents.confirm(actor, accountClosing, intentId);
  if (standing !== "OPEN") return;
  await noteOpen(store, actor.tenant, lost);
  if (isLate) await intents.refute(actor, accountClosing, { intentId, code: "closing-not-seen" });
}

/** Finds out what became of closures whose sender died or whose answer was lost. */
export const accountsWatch: Watch = {
  name: "accounts",
  async sweep(tenant) {
    await settleClosures(tenant);
    const actor = actorOf(tenant);
    const store = await db();
    for (const lost of await findLost(store, tenant)) {
      const [looked] = await Promise.allSettled([lookFor(store, actor, lost)]);
      if (looked.status === "fulfilled") continue;
      const { reason } = looked;
      if (reason instanceof UnsealError) {
        const { intentId, row } = lost;
        await recordIncident(store, { tenant, by: actor.id, object: `account:${row.ref}`, intentId, cause: reason });
        continue;
      }
      if (!(reason instanceof BankError) || isProviderTrouble(reason.kind)) throw reason;
      log.warn(
        { watch: "accounts", kind: reason.kind, requestId: reason.details.requestId },
        "an account was not read",
      );
    }
  },
};
