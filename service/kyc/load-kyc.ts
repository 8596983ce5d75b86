import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Service } from "@/service/context";
import { notFound } from "@/service/error";
import type { Tx } from "@/service/store/db";
import { kycProcess, type kycWebview } from "./schema";
import type { KycProcess } from "./start-kyc";

/** Whether the text can be a process id at all; any other text names no process. */
export const isKycUuid = (text: string): boolean => z.guid().safeParse(text).success;

/** The process, locked until the transaction ends. Throws 404 when there is none. */
export async function lockKyc(tx: Tx, kycUuid: string): Promise<KycProcess> {
  const [process] = isKycUuid(kycUuid)
    ? await tx.select().from(kycProcess).where(eq(kycProcess.kycUuid, kycUuid)).for("update")
    : [];
  if (!process) throw notFound("The KYC process was not found");
  return process;
}

/** Where the holder, or a member of the company, shows documents. */
export const webviewUrl = ({ settings }: Service, { token }: Pick<typeof kycWebview.$inferSelect, "token">): string =>
  `${settings.publicUrl}/documentscopy/${token}`;
