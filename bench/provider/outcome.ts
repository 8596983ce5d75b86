import { inArray } from "drizzle-orm";
import { type Account, statementOf } from "@/bench/service/population";
import type { Service } from "@/bench/service/program";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { openStore } from "@/lib/db/connection";
import { say } from "@/scripts/program.mjs";
import { bound, printBounds } from "./bound";

/** What the store says of each intent, and how often the service paid it. */
export type Fate = { state: IntentState | null; payments: number };

/** Transfers that were ordered from one account by consoles of this environment. */
type Ordered = {
  service: Service;
  from: Account;
  ordered: readonly string[];
  environment: Record<string, string>;
};

async function statesOf({ environment, ordered }: Ordered): Promise<Map<string, IntentState>> {
  const store = await openStore({
    databaseUrl: environment["DATABASE_URL"] || null,
    dataDir: environment["DATA_DIR"] ?? "",
  });
  const rows = await store.db
    .select({ id: providerIntent.id, state: providerIntent.state })
    .from(providerIntent)
    .where(inArray(providerIntent.id, [...ordered]));
  await store.close();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** What became of every transfer, on both sides: each carries its intent as its description. */
export async function fatesOf(ordered: Ordered): Promise<readonly Fate[]> {
  const entries = await statementOf(ordered.service.read, ordered.from);
  const states = await statesOf(ordered);
  return ordered.ordered.map((intentId) => ({
    state: states.get(intentId) ?? null,
    payments: entries.filter(({ description }) => description === intentId).length,
  }));
}

const none = (what: string, measured: number) => bound(what, measured, { exactly: 0 });

/** Prints what became of the transfers; true when no promise is broken. */
export function reportFates(fates: readonly Fate[]): boolean {
  const count = (isSuch: (fate: Fate) => boolean) => fates.filter(isSuch).length;
  const of = (state: IntentState | null) => count((fate) => fate.state === state);
  say(`  of ${fates.length} transfers: ${of("DONE")} done, ${of("REFUSED")} refused, ${of(null)} never on record`);
  return printBounds([
    none(
      "intents paid more than once",
      count(({ payments }) => payments > 1),
    ),
    none(
      "intents shown as done and not paid once",
      count(({ state, payments }) => state === "DONE" && payments !== 1),
    ),
    none(
      "intents paid and not shown as done",
      count(({ state, payments }) => state !== "DONE" && payments > 0),
    ),
    none("intents undecided", of("SENDING") + of("UNKNOWN") + of("HELD")),
  ]);
}
