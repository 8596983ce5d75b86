import { record } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { seal } from "@/lib/db/seal";
import { kycCase } from "@/lib/db/tables/kyc";
import { suspicion, suspicionStep } from "@/lib/db/tables/suspicions";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { and, eq } from "drizzle-orm";
import type { Raising } from "./inputs";
import { storeToday } from "./records";

/**
 * Opens a suspicion about a case. The case, its timeline, its evidence and the record of what people do tell nothing of it.
 * The same press again changes nothing. Throws not-found, and conflict `suspicion-open` while another one is open about the case.
 */
export async function raiseSuspicion(actor: Actor<"suspicions:handle">, order: Raising): Promise<{ id: string }> {
  const { tenant, id: staffId } = actor;
  const { suspicionId: id, kycUUID, occurredOn, text } = order;
  return (await db()).transaction(async (tx) => {
    const [subject] = await tx
      .select({ document: kycCase.vatNumber })
      .from(kycCase)
      .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
    if (subject === undefined) throw new AppError("not-found", { code: "kyc-case" });
    const { document } = subject;
    const [stored] = await tx
      .insert(suspicion)
      .values({ tenant, id, kycUUID, document, occurredOn, state: "suspected", enteredOn: storeToday, staffId })
      .onConflictDoNothing()
      .returning({ id: suspicion.id });
    if (stored === undefined) {
      if ((await tx.$count(suspicion, and(eq(suspicion.tenant, tenant), eq(suspicion.id, id)))) > 0) return { id };
      throw new AppError("conflict", { code: "suspicion-open" });
    }
    const textSealed = seal(text, { column: "suspicion_step.text_sealed", row: [tenant, id] });
    await tx.insert(suspicionStep).values({ tenant, id, suspicionId: id, state: "suspected", staffId, textSealed });
    await publish(tx, { tenant, topic: "suspicions", object: id });
    await record(tx, {
      tenant,
      actor: staffId,
      code: "suspicion.raise",
      outcome: "DONE",
      object: `suspicion:${id}`,
      detail: { suspicionState: "suspected" },
    });
    return { id };
  });
}
