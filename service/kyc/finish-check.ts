import type { Service } from "@/service/context";
import type { JobKind } from "@/service/jobs/job";
import { magicOutcome } from "@/service/magic-document";
import { secretText } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { changeKyc, type KycChange } from "./change-kyc";
import { lockKyc } from "./load-kyc";
import { kycWebview } from "./schema";
import { KYC_CHECK, type KycProcess } from "./start-kyc";

async function openWebviews({ random }: Service, tx: Tx, process: KycProcess): Promise<void> {
  const holders = process.kycType === "PF" ? [process] : process.members;
  await tx.insert(kycWebview).values(
    holders.map(({ vatNumber }, position) => {
      return { token: secretText(random), kycUuid: process.kycUuid, position, vatNumber };
    }),
  );
}

async function pass(service: Service, tx: Tx, process: KycProcess): Promise<KycChange> {
  if (!process.documentscopy || process.process === "kyc-documentscopy") return { status: "APPROVED" };
  await openWebviews(service, tx, process);
  return { process: "kyc-documentscopy", status: "PENDING" };
}

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
      return changeKyc(service, tx, { kycUuid, change: await pass(service, tx, process) });
  }
}

/** The simulated KYC provider's verdict on the check in progress (our assumption: magic documents). */
export const kycCheck: JobKind = { kind: KYC_CHECK, run: finish };
