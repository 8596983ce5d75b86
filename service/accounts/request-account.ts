import { sql } from "drizzle-orm";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { conflict } from "@/service/error";
import { schedule } from "@/service/jobs/schedule";
import { secretText, uuid } from "@/service/random";
import { transaction } from "@/service/store/transaction";
import { emit } from "@/service/webhooks/emit";
import { type AccountRequest, holderOf } from "./holder";
import { describeOnboarding } from "./onboarding";
import { onboarding } from "./schema";

/** The planned work that lets the simulated provider decide an onboarding. */
export const ONBOARDING_CHECK = "onboarding-check";

/**
 * Takes a request for an account and lets the provider check it; gives the onboarding id (interface: Bank accounts ›
 * create). 409 when the document has an account or a request in progress.
 */
export async function requestAccount(call: Call, request: AccountRequest): Promise<string> {
  const { clock, random, settings, tenant } = call;
  const requested = holderOf(request);
  return transaction(call.db, async (tx) => {
    const [row] = await tx
      .insert(onboarding)
      .values({
        ...requested,
        id: uuid(random),
        clientId: tenant.clientId,
        status: "PROCESSING",
        traceId: uuid(random),
        pageToken: secretText(random),
        createdAt: instant(clock),
      })
      .onConflictDoNothing({
        target: [onboarding.clientId, onboarding.documentNumber],
        where: sql`${onboarding.endedAt} is null`,
      })
      .returning();
    if (!row) throw conflict("The document already has a banking account or a request in progress");
    await emit(call, tx, { event: "onboarding-create", payload: describeOnboarding(row, null) });
    if (settings.providerDelayMs !== "manual")
      await schedule(call, tx, { kind: ONBOARDING_CHECK, subject: row.id, delayMs: settings.providerDelayMs });
    return row.id;
  });
}
