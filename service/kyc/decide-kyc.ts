import type { ManualDecision } from "@/lib/contract/kyc";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { forbidden } from "@/service/error";
import { cancelScheduled } from "@/service/jobs/schedule";
import { transaction } from "@/service/store/transaction";
import { changeKyc } from "./change-kyc";
import { lockKyc } from "./load-kyc";
import { kycDecision } from "./schema";
import { KYC_CHECK } from "./start-kyc";

/**
 * A person decides, whatever the state (interface: KYC › POST /v1/kyc/manual-decision). Throws 404 for an unknown
 * process and 403 for one of another tenant.
 */
export async function decideKyc(call: Call, { kycUUID, decision, reason }: ManualDecision): Promise<void> {
  await transaction(call.db, async (tx) => {
    const { clientId, kycUuid } = await lockKyc(tx, kycUUID);
    if (clientId !== call.tenant.clientId) throw forbidden("The KYC process belongs to another client");
    await cancelScheduled(tx, KYC_CHECK, kycUuid);
    await changeKyc(call, tx, { kycUuid, change: { status: decision } });
    await tx.insert(kycDecision).values({ kycUuid, decision, reason, decidedAt: instant(call.clock) });
  });
}
