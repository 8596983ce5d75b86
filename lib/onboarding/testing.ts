import { asc, eq } from "drizzle-orm";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { onboarding } from "@/lib/store/schema";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import { personRequest } from "@/service/accounts/testing";
import { refreshOnboarding } from "./records";
import { onboardingEvent } from "./schema";

const CPF = completeCpf("310000201");

export type OnboardingFixture = Awaited<ReturnType<typeof givenOnboardingFixture>>;

/** A desk with somebody of support, before a provider whose onboardings go as they are steered. */
export async function givenOnboardingFixture() {
  givenEnv();
  const db = await givenStore();
  const staffId = await givenStaff(db, "support");
  const service = await givenService();
  service.clock.set(Date.now());
  const reader = actorOf("support", staffId, "onboarding:read");
  return {
    db,
    service,
    reader,
    ana: actorOf("support", staffId, "onboarding:follow"),
    /** Asks the provider for an account; returns its id of the onboarding. */
    request: async (document = CPF): Promise<string> => {
      const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(document) });
      return AccountRequested.parse(body).data.body.onBoardingId;
    },
    steer: (id: string, body: Record<string, unknown>) => service.control("POST", `/sandbox/onboardings/${id}`, body),
    /** What the provider says now is kept; returns our id. */
    recordAccess: async (asked: string): Promise<string> => (await refreshOnboarding(reader, asked)).id,
    rowOf: async (id: string) => (await db.select().from(onboarding).where(eq(onboarding.id, id)))[0],
    eventsOf: async (id: string) =>
      db
        .select({ kind: onboardingEvent.kind, detail: onboardingEvent.detail })
        .from(onboardingEvent)
        .where(eq(onboardingEvent.onboardingId, id))
        .orderBy(asc(onboardingEvent.id)),
  };
}
