import { eq } from "drizzle-orm";
import type { Service } from "@/service/context";
import { secretText } from "@/service/random";
import type { Tx } from "@/service/store/db";
import type { KycChange } from "./change-kyc";
import { kycWebview } from "./schema";
import type { KycProcess } from "./start-kyc";

async function openWebviews({ random }: Service, tx: Tx, process: KycProcess): Promise<void> {
  const { kycUuid, kycType, members } = process;
  const holders = kycType === "PF" ? [process] : members;
  // A process that was put back to its background check gets new pages in the place of the old ones.
  await tx.delete(kycWebview).where(eq(kycWebview.kycUuid, kycUuid));
  await tx.insert(kycWebview).values(
    holders.map(({ vatNumber }, position) => {
      return { token: secretText(random), kycUuid, position, vatNumber };
    }),
  );
}

/**
 * What becomes of a process, locked by the caller, whose check has passed: it is approved, or waits for documents on the
 * web views that this opens (our assumption: the steps of document-scopy).
 */
export async function passCheck(service: Service, tx: Tx, process: KycProcess): Promise<KycChange> {
  if (!process.documentscopy || process.process === "kyc-documentscopy") return { status: "APPROVED" };
  await openWebviews(service, tx, process);
  return { process: "kyc-documentscopy", status: "PENDING" };
}
