import { eq } from "drizzle-orm";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import type { Tx } from "@/service/store/db";
import { kycProcess } from "./schema";
import type { KycProcess } from "./start-kyc";

export type KycChange = Partial<Pick<KycProcess, "status" | "process" | "webviewUrl">>;

/** Writes the change of a process that the caller has locked. */
export async function changeKyc(
  { clock }: Service,
  tx: Tx,
  { kycUuid, change }: { kycUuid: string; change: KycChange },
): Promise<void> {
  await tx
    .update(kycProcess)
    .set({ ...change, updatedAt: instant(clock) })
    .where(eq(kycProcess.kycUuid, kycUuid));
}
