import { and, eq, isNotNull, isNull, or } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { positionRound } from "@/lib/db/tables/position";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { civilDay } from "@/lib/text/time";
import { triggerWatch } from "@/lib/watch/watch";
import { POSITION_WATCH, type ReadAgain } from "./inputs";

/**
 * Every balance of today that was read before now is due again; false while it is being read already. `day`: that of
 * the page. Throws conflict `position-day-over`.
 */
export async function readAgain(
  { tenant, id: actor }: Actor<"position:rate">,
  { day }: ReadAgain,
): Promise<{ isBegun: boolean }> {
  const againAt = new Date();
  if (day !== civilDay(againAt)) throw new AppError("conflict", { code: "position-day-over" });
  const { finishedAt, againFinishedAt } = positionRound;
  const isIdle = and(isNotNull(finishedAt), or(isNull(positionRound.againAt), isNotNull(againFinishedAt)));
  const store = await db();
  const isBegun = await store.transaction(async (tx) => {
    const [begun] = await tx
      .update(positionRound)
      .set({ againAt, againFinishedAt: null, againTried: 0, againFailed: 0 })
      .where(and(eq(positionRound.tenant, tenant), eq(positionRound.day, day), isIdle))
      .returning({ calls: positionRound.total });
    if (begun === undefined) return false;
    await publish(tx, { tenant, topic: "position" });
    await record(tx, { tenant, actor, code: "position.read-again", outcome: "DONE", detail: begun });
    return true;
  });
  if (isBegun) await triggerWatch(tenant, POSITION_WATCH);
  return { isBegun };
}
