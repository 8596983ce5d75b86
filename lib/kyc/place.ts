import { and, eq } from "drizzle-orm";
import type { Place } from "@/lib/casework/place";
import { publish } from "@/lib/live/publish";
import { kycCase } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { noteEvents } from "./events";
import { kycDecision } from "./schema";

/** Whether our people ever decided the case, whatever came of it: its dossier names what was put to it. */
export const isDecided = async (store: Db | Tx, tenant: string, kycUUID: string): Promise<boolean> =>
  (await store.$count(kycDecision, and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))) > 0;

/** A case as notes and files are put to it. */
export const caseAt = (tenant: string, kycUUID: string): Place => ({
  object: `kyc:${kycUUID}`,
  isThere: async (tx) => (await tx.$count(kycCase, and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)))) > 0,
  isHeld: (tx) => isDecided(tx, tenant, kycUUID),
  tell: async (tx, { kind, by: actor, ...detail }) => {
    await noteEvents(tx, [{ tenant, kycUUID, kind, actor, detail }]);
    await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  },
});
