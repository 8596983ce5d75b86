import { eq } from "drizzle-orm";
import { z } from "zod";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { conflict, notFound } from "@/service/error";
import { giveBackCryptoTransfer, releaseCryptoTransfer } from "@/service/crypto/transfer";
import { cancelScheduled, type JobKind } from "@/service/jobs/run-due";
import { transaction, type Tx } from "@/service/store/transaction";
import { giveBackTransfer, releaseTransfer } from "@/service/transfers/order";
import { type AntifraudCase, CASE_EXPIRY } from "@/service/antifraud/case";
import { antifraudCase } from "@/service/store/schema";

export const CaseDecision = z.strictObject({ decision: z.enum(["RELEASE", "REJECT", "EXPIRE"]) });
type CaseDecision = z.output<typeof CaseDecision>;

async function lockCase(tx: Tx, id: string): Promise<AntifraudCase> {
  const isId = z.uuid().safeParse(id).success;
  const [row] = isId ? await tx.select().from(antifraudCase).where(eq(antifraudCase.id, id)).for("update") : [];
  if (!row) throw notFound("There is no transaction with this antifraudId");
  return row;
}

async function release(service: Service, tx: Tx, { id, details }: AntifraudCase): Promise<void> {
  switch (details.kind) {
    case "transfer":
      return releaseTransfer(service, tx, { id, details });
    case "crypto-transfer":
      return releaseCryptoTransfer(service, tx, { id, details });
  }
}

async function giveBack(service: Service, tx: Tx, { id, details }: AntifraudCase): Promise<void> {
  switch (details.kind) {
    case "transfer":
      return giveBackTransfer(service, tx, { id, details });
    case "crypto-transfer":
      return giveBackCryptoTransfer(service, tx, { id, details });
  }
}

type End = "RELEASED" | "REJECTED" | "EXPIRED";

async function end(service: Service, tx: Tx, { held, status }: { held: AntifraudCase; status: End }): Promise<void> {
  await (status === "RELEASED" ? release : giveBack)(service, tx, held);
  const now = instant(service.clock);
  await tx
    .update(antifraudCase)
    .set({
      status,
      decidedAt: now,
      ...(status === "EXPIRED" && held.expiresAt !== null && now < held.expiresAt && { expiresAt: now }),
    })
    .where(eq(antifraudCase.id, held.id));
}

const hasExpired = ({ clock }: Service, { expiresAt }: AntifraudCase) =>
  expiresAt !== null && instant(clock) >= expiresAt;

const ENDS = { RELEASE: "RELEASED", REJECT: "REJECTED", EXPIRE: "EXPIRED" } as const satisfies Record<string, End>;

/** Assumption: control routes. EXPIRE brings the end of its 24 hours forward to now. 404, 409 once decided or expired; 422 when it cannot be carried out, and it stays held. */
export async function decideCase(service: Service, id: string, { decision }: CaseDecision) {
  const wanted = ENDS[decision];
  const status = await transaction(service.db, async (tx) => {
    const held = await lockCase(tx, id);
    if (held.status !== "HELD") throw conflict(`The transaction is ${held.status} and stays so`);
    const due: End = hasExpired(service, held) ? "EXPIRED" : wanted;
    await end(service, tx, { held, status: due });
    await cancelScheduled(tx, CASE_EXPIRY, id);
    return due;
  });
  if (status === "EXPIRED" && wanted !== "EXPIRED") throw conflict("The transaction is EXPIRED and stays so");
  return { antifraudId: id, status };
}

export const caseExpiry: JobKind = {
  kind: CASE_EXPIRY,
  run: async (service, tx, id) => {
    const held = await lockCase(tx, id);
    if (held.status === "HELD") await end(service, tx, { held, status: "EXPIRED" });
  },
};
