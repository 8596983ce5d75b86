import { inArray } from "drizzle-orm";
import { type Service, answerOf } from "@/bench/service/program";
import { bankIntent, type IntentState } from "@/lib/bank/schema";
import { History } from "@/lib/contract/accounts";
import { openStore } from "@/lib/store/store";
import type { Account } from "@/bench/service/population";
import { say } from "@/scripts/program.mjs";
import { bound, printBounds } from "./bound";

/** What the store says of each intent, and how often the service paid it. */
export type Fate = { intentId: string; state: IntentState | null; payments: number };

/** Transfers that were ordered from one account by consoles of this environment. */
type Ordered = {
  service: Service;
  from: Account;
  ordered: readonly string[];
  environment: Record<string, string>;
};

/** Payments by intent: each transfer carries its intent as its description. */
async function paymentsOf({ service, from }: Ordered): Promise<Map<string, number>> {
  const paid = new Map<string, number>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = new URLSearchParams({
      accountId: from.accountId,
      documentNumber: from.documentNumber,
      initialDate: "2020-01-01",
      endDate: "2099-12-31",
      limit: "500",
      page: String(page),
    });
    const answer = await fetch(`${service.origin}/v1/bank-accounts/history?${query}`, { headers: service.headers });
    const { data } = History.parse(await answerOf(answer));
    pages = data.totalPages ?? 1;
    for (const { description } of data.transactions) paid.set(description, (paid.get(description) ?? 0) + 1);
  }
  return paid;
}

async function statesOf({ environment, ordered }: Ordered): Promise<Map<string, IntentState>> {
  const store = await openStore({
    databaseUrl: environment["DATABASE_URL"] || null,
    dataDir: environment["DATA_DIR"] ?? "",
  });
  const rows = await store.db
    .select({ id: bankIntent.id, state: bankIntent.state })
    .from(bankIntent)
    .where(inArray(bankIntent.id, [...ordered]));
  await store.close();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** What became of every transfer, on both sides. */
export async function fatesOf(ordered: Ordered): Promise<readonly Fate[]> {
  const payments = await paymentsOf(ordered);
  const states = await statesOf(ordered);
  return ordered.ordered.map((intentId) => ({
    intentId,
    state: states.get(intentId) ?? null,
    payments: payments.get(intentId) ?? 0,
  }));
}

/** Prints what became of the transfers; true when no promise is broken. */
export function reportFates(fates: readonly Fate[]): boolean {
  const count = (isSuch: (fate: Fate) => boolean) => fates.filter(isSuch).length;
  const of = (state: IntentState | null) => count((fate) => fate.state === state);
  say(`  of ${fates.length} transfers: ${of("DONE")} done, ${of("REFUSED")} refused, ${of(null)} never on record`);
  return printBounds(
    [
      { what: "intents paid more than once", measured: count(({ payments }) => payments > 1) },
      {
        what: "intents shown as done and not paid once",
        measured: count(({ state, payments }) => state === "DONE" && payments !== 1),
      },
      {
        what: "intents paid and not shown as done",
        measured: count(({ state, payments }) => state !== "DONE" && payments > 0),
      },
      { what: "intents still being sent", measured: of("SENDING") },
      { what: "intents undecided", measured: of("UNKNOWN") + of("HELD") },
    ].map(({ what, measured }) => bound(what, measured, { exactly: 0 })),
  );
}
