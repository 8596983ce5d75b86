import { eq } from "drizzle-orm";
import type { Service } from "@/service/context";
import { notFound } from "@/service/error";
import type { Reader } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { confirmOnboarding } from "./decide-onboarding";
import type { Onboarding } from "./onboarding";
import { onboarding } from "./schema";

async function behindPage(db: Reader, pageToken: string): Promise<Onboarding> {
  const isToken = /^[\w-]{1,128}$/.test(pageToken);
  const [row] = isToken
    ? await db.select().from(onboarding).where(eq(onboarding.pageToken, pageToken)).for("update")
    : [];
  if (!row) throw notFound("There is nothing at this path");
  return row;
}

/** The status of the onboarding that has this page. 404 when none has. */
export async function statusBehindPage({ db }: Service, pageToken: string): Promise<Onboarding["status"]> {
  return (await behindPage(db, pageToken)).status;
}

/**
 * The holder opens the provider's page: that passes the biometrics the provider has asked for (assumption: magic
 * documents). Gives the status from then on. 404 when no onboarding has such a page.
 */
export async function visitBiometrics(service: Service, pageToken: string): Promise<Onboarding["status"]> {
  return transaction(service.db, async (tx) => {
    const row = await behindPage(tx, pageToken);
    if (row.status !== "PROCESSING" || row.biometricUrl === null) return row.status;
    await confirmOnboarding(service, tx, row);
    return "CONFIRMED";
  });
}
