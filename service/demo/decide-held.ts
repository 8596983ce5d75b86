import { and, asc, eq, lte } from "drizzle-orm";
import { decideCase } from "@/service/antifraud/decide";
import { antifraudCase } from "@/service/antifraud/schema";
import type { Call } from "@/service/context";
import type { Dice } from "./dice";

/** Long enough for people to see it waiting. */
const LOOKED_AT_AFTER_MS = 20 * 60_000;

/** The antifraud analyst gets round to the transaction that has waited longest, and mostly lets it go. */
export async function decideHeld(call: Call, dice: Dice): Promise<void> {
  const isWaiting = and(
    eq(antifraudCase.clientId, call.tenant.clientId),
    eq(antifraudCase.status, "HELD"),
    lte(antifraudCase.createdAt, new Date(call.clock.now() - LOOKED_AT_AFTER_MS)),
  );
  const [oldest] = await call.db.select().from(antifraudCase).where(isWaiting).orderBy(asc(antifraudCase.createdAt));
  if (oldest) await decideCase(call, oldest.id, { decision: dice.chance(0.8) ? "RELEASE" : "REJECT" });
}
