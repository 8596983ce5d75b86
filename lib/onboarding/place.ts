import { and, eq } from "drizzle-orm";
import type { Place } from "@/lib/casework/place";
import { publish } from "@/lib/live/publish";
import { onboarding } from "@/lib/store/schema";
import { isUuid } from "@/lib/uuid";
import { noteEvents } from "./events";

/** An onboarding as notes are put to it. */
export const onboardingAt = (tenant: string, id: string): Place => ({
  object: `onboarding:${id}`,
  isThere: async (tx) =>
    isUuid(id) && (await tx.$count(onboarding, and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)))) > 0,
  // Nobody of ours decides an onboarding.
  isHeld: async () => false,
  tell: async (tx, { kind, by: actor, ...detail }) => {
    await noteEvents(tx, [{ tenant, onboardingId: id, kind, actor, detail }]);
    await publish(tx, { tenant, topic: "onboarding", object: id });
  },
});
