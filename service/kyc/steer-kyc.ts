import { z } from "zod";
import { KYC_PROCESSES, KYC_STATUSES } from "@/lib/contract/kyc";
import type { Service } from "@/service/context";
import { cancelScheduled } from "@/service/jobs/schedule";
import { transaction } from "@/service/store/transaction";
import { changeKyc } from "./change-kyc";
import { lockKyc } from "./load-kyc";
import { KYC_CHECK } from "./start-kyc";

/** Body of the control route: what the KYC provider decides. */
export const KycSteering = z.strictObject({
  status: z.enum(KYC_STATUSES),
  process: z.enum(KYC_PROCESSES).optional(),
  webviewUrl: z.url({ error: "must be a URL" }).nullable().optional(),
});
export type KycSteering = z.infer<typeof KycSteering>;

/** Puts a process where the KYC provider is said to have put it. Throws 404 for an unknown one. */
export async function steerKyc(service: Service, kycUUID: string, { status, process, webviewUrl }: KycSteering) {
  return transaction(service.db, async (tx) => {
    const { kycUuid } = await lockKyc(tx, kycUUID);
    if (status !== "PROCESSING") await cancelScheduled(tx, KYC_CHECK, kycUuid);
    const change = { status, ...(process && { process }), ...(webviewUrl !== undefined && { webviewUrl }) };
    await changeKyc(service, tx, { kycUuid, change });
    return { kycUUID: kycUuid, ...change };
  });
}
