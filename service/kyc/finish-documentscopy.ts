import { and, eq, isNull } from "drizzle-orm";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { notFound } from "@/service/error";
import { schedule } from "@/service/jobs/schedule";
import { transaction } from "@/service/store/transaction";
import { changeKyc } from "./change-kyc";
import { lockKyc } from "./load-kyc";
import { kycWebview } from "./schema";
import { KYC_CHECK } from "./start-kyc";

/** Whether the page is still waited for. Throws 404 when there is no such page. */
export async function isDocumentscopyOpen({ db }: Service, token: string): Promise<boolean> {
  const [page] = await db.select().from(kycWebview).where(eq(kycWebview.token, token));
  if (!page) throw notFound("There is nothing at this path");
  return page.finishedAt === null;
}

/**
 * The holder of the page has shown documents; after the last one the provider checks them (our assumption: the steps of
 * document-scopy). Once the case is decided it has no effect. Throws 404 when there is no such page.
 */
export async function finishDocumentscopy(service: Service, token: string): Promise<void> {
  const { clock, db, settings } = service;
  await transaction(db, async (tx) => {
    const [page] = await tx.select().from(kycWebview).where(eq(kycWebview.token, token));
    if (!page) throw notFound("There is nothing at this path");
    const { kycUuid, process, status } = await lockKyc(tx, page.kycUuid);
    const isWaiting = and(eq(kycWebview.kycUuid, kycUuid), isNull(kycWebview.finishedAt));
    await tx
      .update(kycWebview)
      .set({ finishedAt: instant(clock) })
      .where(and(eq(kycWebview.token, token), isWaiting));
    const [waiting] = await tx.select().from(kycWebview).where(isWaiting).limit(1);
    if (waiting || process !== "kyc-documentscopy" || status !== "PENDING") return;
    await changeKyc(service, tx, { kycUuid, change: { status: "PROCESSING" } });
    if (settings.providerDelayMs !== "manual")
      await schedule(service, tx, { kind: KYC_CHECK, subject: kycUuid, delayMs: settings.providerDelayMs });
  });
}
