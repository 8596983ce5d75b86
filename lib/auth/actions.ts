"use server";

import { z } from "zod";
import { ownAction, publicAction } from "@/lib/action";
import type { ProofOutcome } from "./view";
import { db } from "@/lib/store/store";
import { endOthers, endOwn } from "./sessions";
import { askForPasskey, PasskeyAnswer } from "./passkeys";
import { carrySession } from "./session";
import { askAtStep } from "./entry";
import { readStep } from "./entry";
import { stepUp } from "./step-up";

export const proveSelf = ownAction(
  "session:step-up",
  z.union([z.string().min(1).max(1_000), PasskeyAnswer]),
  async (session, given): Promise<ProofOutcome> => {
    const proof = await stepUp(session, given);
    if (typeof proof === "string" || "waitMs" in proof) return proof;
    await carrySession(proof.sessionId);
    return "done";
  },
);

/** What a passkey is to sign to prove that this session's person is there; null for who has none. */
export const askPasskey = ownAction("passkey:ask", z.null(), async (session) => askForPasskey(await db(), session));

/** The same on the way in, for who is half way. */
export const askPasskeyAtStep = publicAction("passkey:ask-at-step", z.null(), async () => {
  const step = await readStep();
  return step === null ? null : askAtStep(step);
});

export const endOwnSession = ownAction("session:end", z.uuid(), endOwn);

export const endOtherSessions = ownAction("session:end", z.null(), endOthers);
