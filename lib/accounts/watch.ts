import { and, eq, or, sql } from "drizzle-orm";
import { recordIncident } from "@/lib/audit/incident";
import { type Actor, watchActor } from "@/lib/permission/grant";
import { isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { intents } from "@/lib/provider/intents/intent";
import { isAcceptedSql, ofIntent, wasSaid } from "@/lib/provider/intents/intent-record";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { publish } from "@/lib/db/publish";
import { log } from "@/lib/log/log";
import { account } from "@/lib/db/tables/customers";
import { UnsealError } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import type { Watch } from "@/lib/watch/watch";
import { closeAccount } from "./close";
import { readDueStatements } from "./read-due";
import { accountClosure } from "@/lib/db/tables/accounts";
import { type AccountRow, readStanding } from "./standing";

/** No call takes this long, so an account that still shows open was not closed. */
const REFUTED_AFTER = sql`interval '5 minutes'`;
/** Older ones stay unknown until a person settles them, and are no longer checked. */
const LOOKED_FOR = sql`interval '30 days'`;
/** How often, and how long, a settled closing is still compared with the provider. */
const COMPARED_EVERY = sql`interval '1 hour'`;
const COMPARED_FOR = sql`interval '7 days'`;
const MAX_LOOKS = 5;

const actorOf = (tenant: string) => watchActor("accounts", tenant, "accounts:close");

type Lost = { intentId: string; row: AccountRow; state: IntentState; isLate: boolean };

function findLost(store: Db, tenant: string): Promise<Lost[]> {
  // A closing accepted in an unknown word may take effect later.
  const isLate = sql<boolean>`clock_timestamp() - ${providerIntent.firstSentAt} > ${REFUTED_AFTER} and not ${isAcceptedSql}`;
  return (
    store
      .select({ intentId: accountClosure.intentId, row: account, state: providerIntent.state, isLate })
      .from(accountClosure)
      .innerJoin(providerIntent, ofIntent(accountClosure))
      .innerJoin(account, eq(account.ref, accountClosure.accountRef))
      .where(
        and(
          eq(accountClosure.tenant, tenant),
          or(
            and(
              eq(providerIntent.state, "UNKNOWN"),
              sql`${accountClosure.createdAt} > clock_timestamp() - ${LOOKED_FOR}`,
            ),
            and(
              wasSaid,
              sql`${providerIntent.finishedAt} > clock_timestamp() - ${COMPARED_FOR}`,
              sql`coalesce(${accountClosure.lookedAt} < clock_timestamp() - ${COMPARED_EVERY}, true)`,
            ),
          ),
        ),
      )
      // Least recently checked first.
      .orderBy(sql`${accountClosure.lookedAt} nulls first`)
      .limit(MAX_LOOKS)
  );
}

const isIt = (tenant: string, { intentId }: Lost) =>
  and(eq(accountClosure.tenant, tenant), eq(accountClosure.intentId, intentId));

async function noteOpen(store: Db, tenant: string, lost: Lost): Promise<void> {
  const { row } = lost;
  await store.transaction(async (tx) => {
    await tx
      .update(accountClosure)
      .set({ seenOpenAt: sql`clock_timestamp()` })
      .where(isIt(tenant, lost));
    await publish(tx, { tenant, topic: "transfers", object: `account:${row.ref}` });
  });
}

/** Reads the account of an unanswered closing: closed means done, still open after so long means not. */
async function lookFor(store: Db, actor: Actor, lost: Lost): Promise<void> {
  const { intentId, row, state, isLate } = lost;
  await store
    .update(accountClosure)
    .set({ lookedAt: sql`clock_timestamp()` })
    .where(isIt(actor.tenant, lost));
  const standing = await readStanding({ actor, row });
  if (state !== "UNKNOWN") {
    const said = state === "DONE" ? "CLOSED" : "OPEN";
    const isOtherwise = (standing === "CLOSED" || standing === "OPEN") && standing !== said;
    if (isOtherwise) await intents.contradict(actor, closeAccount.intent, intentId);
    return;
  }
  if (standing === "CLOSED") await intents.confirm(actor, closeAccount.intent, intentId);
  if (standing !== "OPEN") return;
  await noteOpen(store, actor.tenant, lost);
  if (isLate) await intents.refute(actor, closeAccount.intent, { intentId, code: "closing-not-seen" });
}

export const accountsWatch: Watch = {
  name: "accounts",
  async sweep(tenant) {
    const actor = actorOf(tenant);
    const store = await db();
    for (const lost of await findLost(store, tenant)) {
      try {
        await lookFor(store, actor, lost);
      } catch (error) {
        if (error instanceof UnsealError) {
          const { intentId, row } = lost;
          await recordIncident(store, { tenant, by: actor.id, object: `account:${row.ref}`, intentId, cause: error });
          continue;
        }
        if (!(error instanceof AppError) || isProviderTrouble(error.kind)) throw error;
        log.warn(
          { watch: "accounts", kind: error.kind, requestId: error.details.requestId },
          "an account was not read",
        );
      }
    }
  },
};

/** Each account's entries once a night, and on its event. */
export const entriesWatch: Watch = {
  name: "entries",
  topic: "movements",
  sweep: (tenant) => readDueStatements(watchActor("entries", tenant, "accounts:read")),
};
