import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { noteOnOnboarding } from "@/lib/onboarding/follow";
import { givenOnboarding } from "@/lib/privacy/testing";
import { onboarding } from "@/lib/store/schema";
import { actorOf } from "@/lib/testing";
import type { Act, Stage } from "./acts-testing";

const CPF = "52998224725";

const taking =
  (use: "shown" | "copied"): Act =>
  async ({ db, seat, person }) => {
    const id = await givenOnboarding(db, CPF);
    await db.update(onboarding).set({ biometricUrl: "https://biometrics.example/1" }).where(eq(onboarding.id, id));
    return { by: await seat(person), input: { id, use } };
  };

/** Two attempts of one document, the second of them the newer one. */
async function givenAttempts({ db }: Stage): Promise<[older: string, newer: string]> {
  const older = await givenOnboarding(db, CPF);
  const begun = { status: "ERROR" as const, firstSeenAt: new Date(0) };
  await db.update(onboarding).set(begun).where(eq(onboarding.id, older));
  return [older, await givenOnboarding(db, CPF)];
}

/** What people do with an onboarding. */
export const ONBOARDING_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "onboarding.addOnboardingNote": {
    "a note about an onboarding": async ({ db, seat, person }) => ({
      by: await seat(person),
      input: { id: await givenOnboarding(db, CPF), noteId: randomUUID(), text: "Titular avisado" },
    }),
  },
  "onboarding.checkOnboarding": {
    "asking about an onboarding": async ({ db, parties, seat, person }) => ({
      by: await seat(person),
      input: { id: await givenOnboarding(db, parties[0].documentNumber) },
    }),
  },
  "onboarding.followOnboarding": {
    "following an onboarding": async ({ parties, seat, person }) => ({
      by: await seat(person),
      input: { query: parties[0].onBoardingId, intentId: randomUUID() },
    }),
  },
  "onboarding.joinAttempts": {
    "linking two attempts": async (stage) => {
      const [older, id] = await givenAttempts(stage);
      return { by: await stage.seat(stage.person), input: { id, older } };
    },
  },
  "onboarding.partAttempts": {
    "parting two attempts": async (stage) => {
      const [previousId, id] = await givenAttempts(stage);
      await stage.db.update(onboarding).set({ previousId }).where(eq(onboarding.id, id));
      return { by: await stage.seat(stage.person), input: { id } };
    },
  },
  "onboarding.retractOnboardingNote": {
    "taking such a note back": async ({ db, seat, person }) => {
      const [id, noteId] = [await givenOnboarding(db, CPF), randomUUID()];
      await noteOnOnboarding(actorOf("support", person, "onboarding:follow"), { id, noteId, text: "Engano" });
      return { by: await seat(person), input: { id, noteId } };
    },
  },
  "onboarding.takeBiometricLink": {
    "showing the biometric link": taking("shown"),
    "copying the biometric link": taking("copied"),
  },
};
