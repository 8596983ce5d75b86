"use server";

import { z } from "zod";
import { enrolmentAction, ownStepUpAction, ownAction, publicAction, stepUpAction } from "@/lib/action";
import { changeAddressList as changeList } from "./address-list";
import { AddressListForm } from "./inputs";
import { db } from "@/lib/db/connection";
import { askAtStep, readStep } from "@/lib/auth/entry";
import { stepUp } from "@/lib/auth/factor";
import {
  beginEnrolment,
  beginPasskey,
  changeOwnPassword,
  dropFactor,
  dropPasskey,
  registerPasskey,
  renewCodes,
} from "./own-factors";
import { askForPasskey, CredentialId, NewPasskey, PasskeyAnswer } from "@/lib/auth/passkeys";
import { PASSWORD_MAX_LENGTH } from "@/lib/auth/password";
import { carrySession } from "@/lib/auth/session";
import { endOthers, endOwn } from "@/lib/auth/sessions";
import type { ProofResult } from "@/lib/auth/view";

const Nothing = z.null();
const Password = z
  .string()
  .min(1)
  .max(4 * PASSWORD_MAX_LENGTH);

export const changeAddressList = stepUpAction("settings:manage", AddressListForm, changeList);

export const startEnrolment = ownStepUpAction("totp:enrol", Nothing, beginEnrolment);

export const startRequiredEnrolment = enrolmentAction("totp:enrol", Nothing, beginEnrolment);

export const renewRecoveryCodes = ownStepUpAction("recovery-codes:make", Nothing, renewCodes);

export const disableFactor = ownStepUpAction("totp:disable", Nothing, dropFactor);

export const startPasskey = ownStepUpAction("passkey:start", Nothing, beginPasskey);

/** Step-up, so that a challenge made for a proof cannot register a passkey. */
export const addPasskey = ownStepUpAction("passkey:add", NewPasskey, registerPasskey);

export const removePasskey = ownStepUpAction("passkey:remove", CredentialId, dropPasskey);

export const changePassword = ownAction(
  "password:change",
  z.object({ current: Password, next: Password }),
  changeOwnPassword,
);

export const proveSelf = ownAction(
  "session:step-up",
  z.union([z.string().min(1).max(1_000), PasskeyAnswer]),
  async (session, given): Promise<ProofResult> => {
    const proof = await stepUp(session, given);
    if (typeof proof === "string" || "waitMs" in proof) return proof;
    await carrySession(proof.sessionId);
    return "done";
  },
);

export const askPasskey = ownAction("passkey:ask", z.null(), async (session) => askForPasskey(await db(), session));

export const askPasskeyAtStep = publicAction("passkey:ask-at-step", z.null(), async () => {
  const step = await readStep();
  return step === null ? null : askAtStep(step);
});

export const endOwnSession = ownAction("session:end", z.uuid(), endOwn);

export const endOtherSessions = ownAction("session:end", z.null(), endOthers);
