"use server";

import { z } from "zod";
import { ownAction } from "@/lib/action";
import type { ProofOutcome } from "@/lib/proof";
import { endOthers, endOwn } from "./own-sessions";
import { carrySession } from "./session";
import { stepUp } from "./step-up";

export const proveSelf = ownAction(
  "session:step-up",
  z.string().min(1).max(1_000),
  async (session, typed): Promise<ProofOutcome> => {
    const proof = await stepUp(session, typed);
    if (typeof proof === "string" || "waitMs" in proof) return proof;
    await carrySession(proof.sessionId);
    return "done";
  },
);

export const endOwnSession = ownAction("session:end", z.uuid(), endOwn);

export const endOtherSessions = ownAction("session:end", z.null(), endOthers);
