import { and, desc, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { seal } from "@/lib/db/seal";
import { suspicion, suspicionStep } from "@/lib/db/tables/suspicions";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { Moving } from "./inputs";
import { storeToday } from "./records";
import { NEXT_STATES } from "./view";

/**
 * Takes a suspicion to its next state, or adds a note to the one it is in. The same press again changes nothing. Throws
 * not-found, conflict `suspicion-changed` when the last step is another than was seen, and `suspicion-step` for a state that
 * does not follow.
 */
export async function moveSuspicion(actor: Actor<"suspicions:handle">, order: Moving): Promise<null> {
  const { tenant, id: staffId } = actor;
  const { suspicionId, stepId: id, to: state, text, seen } = order;
  const isIt = and(eq(suspicion.tenant, tenant), eq(suspicion.id, suspicionId));
  return (await db()).transaction(async (tx) => {
    const [row] = await tx.select().from(suspicion).where(isIt).for("update");
    if (row === undefined) throw new AppError("not-found");
    const isStep = and(eq(suspicionStep.tenant, tenant), eq(suspicionStep.suspicionId, suspicionId));
    if ((await tx.$count(suspicionStep, and(isStep, eq(suspicionStep.id, id)))) > 0) return null;
    const [last] = await tx
      .select({ id: suspicionStep.id })
      .from(suspicionStep)
      .where(isStep)
      .orderBy(desc(suspicionStep.seq))
      .limit(1);
    if (last?.id !== seen) throw new AppError("conflict", { code: "suspicion-changed" });
    const isNote = state === row.state;
    if (!isNote && !NEXT_STATES[row.state].includes(state)) throw new AppError("conflict", { code: "suspicion-step" });
    const textSealed = seal(text, { column: "suspicion_step.text_sealed", row: [tenant, id] });
    await tx.insert(suspicionStep).values({ tenant, id, suspicionId, state, staffId, textSealed });
    const report = order.to === "reported" ? { reportNumber: order.reportNumber, reportedOn: order.reportedOn } : {};
    await tx
      .update(suspicion)
      .set({
        state,
        changedAt: sql`clock_timestamp()`,
        ...(isNote ? {} : { enteredOn: storeToday }),
        ...report,
      })
      .where(isIt);
    await publish(tx, { tenant, topic: "suspicions", object: suspicionId });
    await record(tx, {
      tenant,
      actor: staffId,
      code: "suspicion.move",
      outcome: "DONE",
      object: `suspicion:${suspicionId}`,
      detail: { suspicionState: state },
    });
    return null;
  });
}
