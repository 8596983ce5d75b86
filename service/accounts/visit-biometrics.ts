import { eq } from "drizzle-orm";
import type { Service } from "@/service/context";
import { transaction } from "@/service/store/transaction";
import { confirmOnboarding } from "./decide-onboarding";
import type { Onboarding } from "./onboarding";
import { onboarding } from "./schema";

/**
 * The holder opens the provider's page: that passes the biometrics the provider has asked for (assumption: magic
 * documents). Gives the status that the page tells, or null when no onboarding has such a page.
 */
export async function visitBiometrics(service: Service, pageToken: string): Promise<Onboarding["status"] | null> {
  return transaction(service.db, async (tx) => {
    const [row] = await tx.select().from(onboarding).where(eq(onboarding.pageToken, pageToken)).for("update");
    if (!row) return null;
    if (row.status !== "PROCESSING" || row.biometricUrl === null) return row.status;
    await confirmOnboarding(service, tx, row);
    return "CONFIRMED";
  });
}
