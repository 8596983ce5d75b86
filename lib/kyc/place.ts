import { and, eq } from "drizzle-orm";
import type { Place } from "@/lib/casework/place";
import { publish } from "@/lib/live/publish";
import { kycCase } from "@/lib/store/schema";
import { noteEvents } from "./events";

/** A case as notes and files are put to it. */
export const caseAt = (tenant: string, kycUUID: string): Place => ({
  object: `kyc:${kycUUID}`,
  isThere: async (tx) => (await tx.$count(kycCase, and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)))) > 0,
  tell: async (tx, { kind, by: actor, ...detail }) => {
    await noteEvents(tx, [{ tenant, kycUUID, kind, actor, detail }]);
    await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  },
});
