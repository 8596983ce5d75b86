import { sql } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { db } from "@/lib/store/store";
import { onboardingReading } from "./schema";

// Renderings less than five minutes apart are one reading, as a look is.
const isAnotherReading = sql`${onboardingReading.seenAt} < now() - interval '5 minutes'`;

/** Notes that this person reads it, and tells when their reading before this one ended; null when this is the first. */
export async function noteReading({ tenant, id: staffId }: Actor, onboardingId: string): Promise<Date | null> {
  const store = await db();
  const [reading] = await store
    .insert(onboardingReading)
    .values({ tenant, onboardingId, staffId, seenAt: sql`now()` })
    .onConflictDoUpdate({
      target: [onboardingReading.tenant, onboardingReading.onboardingId, onboardingReading.staffId],
      set: {
        previousAt: sql`case when ${isAnotherReading} then ${onboardingReading.seenAt} else ${onboardingReading.previousAt} end`,
        seenAt: sql`now()`,
      },
    })
    .returning({ previousAt: onboardingReading.previousAt });
  return reading?.previousAt ?? null;
}
