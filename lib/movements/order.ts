import { and, asc, eq, inArray } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { triggerWatch } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { account } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { dropChunks } from "./chunks";
import type { Locale } from "@/lib/text/format";
import type { MovementOrder, MovementStart } from "./inputs";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import type { MovementPlan } from "./view";
import type { MovementFormat } from "@/lib/db/enums/movements";

type Exporter = Actor<"statement:export">;
type Chosen = { ref: string; label: string };

/** Of each account: its first page, and the one that shows there is no other; OFX says its balance, too. */
const CALLS_OF: Readonly<Record<MovementFormat, number>> = { csv: 2, ofx: 3 };
/** What is left to the watches while people work. */
const IDLE_SHARE = 10 / 27;
const BATCH_ROWS = 500;

const plain = (typed: string) => typed.replaceAll(/\s/g, "").toLowerCase();

/** As the provider prints it, with or without its branch; or an id. */
const namesOf = ({
  ref,
  accountId,
  branch,
  number,
}: Pick<typeof account.$inferSelect, "ref" | "accountId" | "branch" | "number">) =>
  [ref, accountId, number, `${branch}/${number}`].map(plain);

async function choose(store: Db, tenant: string, typed: string): Promise<{ chosen: Chosen[]; unknown: string[] }> {
  const { ref, accountId, branch, number } = account;
  const rows = await store
    .select({ ref, accountId, branch, number })
    .from(account)
    .where(eq(account.tenant, tenant))
    .orderBy(asc(account.branch), asc(account.number), asc(account.ref));
  const wanted = new Map(
    typed
      .split(/[\n,;]/)
      .map((one) => [plain(one), one.trim()] as const)
      .filter(([name]) => name !== ""),
  );
  const fitting = wanted.size === 0 ? rows : rows.filter((row) => namesOf(row).some((name) => wanted.has(name)));
  const known = new Set(fitting.flatMap(namesOf));
  return {
    chosen: fitting.map((row) => ({ ref: row.ref, label: `${row.branch} / ${row.number}` })),
    unknown: [...wanted].flatMap(([name, shown]) => (known.has(name) ? [] : [shown])),
  };
}

function costOf(accounts: number, format: MovementFormat): Pick<MovementPlan, "calls" | "minutes"> {
  const calls = accounts * CALLS_OF[format];
  return { calls, minutes: Math.max(1, Math.round(calls / (env().callsPerMinute * IDLE_SHARE))) };
}

/** What a file costs at the least: long statements have more pages. */
export async function planMovementFile({ tenant }: Exporter, order: MovementOrder): Promise<MovementPlan> {
  const { chosen, unknown } = await choose(await db(), tenant, order.accounts);
  return { accounts: chosen.length, ...costOf(chosen.length, order.format), unknown };
}

/** Idempotent by its id. `spoken`: by default the reader's. Throws not-found where an account fits nothing, or none is left. */
export async function startMovementFile(
  { tenant, id: staffId }: Exporter,
  order: MovementStart,
  spoken?: Locale,
): Promise<null> {
  const { id, from, to, format } = order;
  const store = await db();
  const { chosen, unknown } = await choose(store, tenant, order.accounts);
  if (unknown.length > 0 || chosen.length === 0) throw new AppError("not-found");
  const { calls: plannedCalls, minutes: plannedMinutes } = costOf(chosen.length, format);
  const scope = order.accounts.trim() === "" ? "all" : "chosen";
  const locale = spoken ?? (await getLocale());
  await store.transaction(async (tx) => {
    const wanted = { tenant, id, staffId, format, fromDay: from, toDay: to, scope, locale } as const;
    const [begun] = await tx
      .insert(movementExport)
      .values({ ...wanted, plannedCalls, plannedMinutes })
      .onConflictDoNothing()
      .returning({ id: movementExport.id });
    if (begun === undefined) return;
    const sources = chosen.map((one, at) => ({
      tenant,
      exportId: id,
      position: at + 1,
      kind: "account" as const,
      ...one,
    }));
    for (let at = 0; at < sources.length; at += BATCH_ROWS)
      await tx.insert(movementSource).values(sources.slice(at, at + BATCH_ROWS));
    await publish(tx, { tenant, topic: "movements", object: id });
    const detail = { exportId: id, format, from, to, scope, sources: sources.length };
    await record(tx, { tenant, actor: staffId, code: "movements.start", outcome: "DONE", detail });
  });
  await triggerWatch(tenant, "movements");
  return null;
}

/** Whoever may export may stop it; what was read goes. Throws not-found once it ended. */
export async function stopMovementFile({ tenant, id: actor }: Exporter, { id }: { id: string }): Promise<null> {
  const store = await db();
  await store.transaction(async (tx) => {
    const isOpen = inArray(movementExport.state, ["WAITING", "RUNNING"]);
    const [stopped] = await tx
      .update(movementExport)
      .set({ state: "STOPPED", finishedAt: await storeNow(tx) })
      .where(and(eq(movementExport.tenant, tenant), eq(movementExport.id, id), isOpen))
      .returning({ id: movementExport.id });
    if (stopped === undefined) throw new AppError("not-found");
    await publish(tx, { tenant, topic: "movements", object: id });
    await record(tx, { tenant, actor, code: "movements.stop", outcome: "DONE", detail: { exportId: id } });
  });
  await dropChunks({ tenant, exportId: id });
  return null;
}
