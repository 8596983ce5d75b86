import { z } from "zod";
import { KYC_PROCESSES, KYC_STATUSES } from "@/lib/contract/kyc";
import type { Service } from "@/service/context";
import { cancelScheduled } from "@/service/jobs/schedule";
import { transaction } from "@/service/store/transaction";
import type { Tx } from "@/service/store/db";
import { changeKyc, type KycChange } from "./change-kyc";
import { lockKyc } from "./load-kyc";
import { passCheck } from "./pass-check";
import { KYC_CHECK, type KycProcess } from "./start-kyc";

/** Body of the control route: what the KYC provider decides. */
export const KycSteering = z.strictObject({
  status: z.enum(KYC_STATUSES),
  process: z.enum(KYC_PROCESSES).optional(),
  webviewUrl: z.url({ error: "must be a URL" }).nullable().optional(),
});
export type KycSteering = z.infer<typeof KycSteering>;

async function verdict(
  service: Service,
  tx: Tx,
  { row, steering }: { row: KycProcess; steering: KycSteering },
): Promise<KycChange> {
  const { status, process } = steering;
  if (process) return { status, process };
  return status === "APPROVED" ? passCheck(service, tx, row) : { status };
}

/**
 * Puts a process where the KYC provider is said to have put it. An approval that names no part of the process passes the
 * part it is at, so a background check is followed by document-scopy when that was asked for. Throws 404 for an unknown one.
 */
export async function steerKyc(service: Service, kycUUID: string, steering: KycSteering) {
  const { status, webviewUrl } = steering;
  return transaction(service.db, async (tx) => {
    const row = await lockKyc(tx, kycUUID);
    const { kycUuid } = row;
    if (status !== "PROCESSING") await cancelScheduled(tx, KYC_CHECK, kycUuid);
    const change = {
      ...(await verdict(service, tx, { row, steering })),
      ...(webviewUrl !== undefined && { webviewUrl }),
    };
    await changeKyc(service, tx, { kycUuid, change });
    return { kycUUID: kycUuid, ...change };
  });
}
