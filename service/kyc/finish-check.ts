import type { Service } from "@/service/context";
import type { JobKind } from "@/service/jobs/job";
import { magicOutcome } from "@/service/magic-document";
import type { Tx } from "@/service/store/db";
import { changeKyc } from "./change-kyc";
import { lockKyc } from "./load-kyc";
import { passCheck } from "./pass-check";
import { KYC_CHECK } from "./start-kyc";

async function finish(service: Service, tx: Tx, kycUuid: string): Promise<void> {
  const process = await lockKyc(tx, kycUuid);
  if (process.status !== "PROCESSING") return;
  switch (magicOutcome(process.vatNumber)) {
    case "refuse":
      return changeKyc(service, tx, { kycUuid, change: { status: "REPROVED" } });
    case "ask":
      return changeKyc(service, tx, { kycUuid, change: { status: "PENDING" } });
    case "wait":
      return;
    case "approve":
    case "resubmit":
      return changeKyc(service, tx, { kycUuid, change: await passCheck(service, tx, process) });
  }
}

/** The simulated KYC provider's verdict on the check in progress (our assumption: magic documents). */
export const kycCheck: JobKind = { kind: KYC_CHECK, run: finish };
