"use server";

import { z } from "zod";
import { enrolmentAction, graveOwnAction, ownAction } from "@/lib/action";
import { CredentialId, NewPasskey } from "@/lib/auth/passkeys";
import { PASSWORD_MAX_LENGTH } from "@/lib/auth/password";
import {
  beginEnrolment,
  beginPasskey,
  changeOwnPassword,
  dropFactor,
  dropPasskey,
  registerPasskey,
  renewCodes,
} from "./own";

const Nothing = z.null();
const Password = z
  .string()
  .min(1)
  .max(4 * PASSWORD_MAX_LENGTH);

export const startEnrolment = graveOwnAction("totp:enrol", Nothing, beginEnrolment);

export const startRequiredEnrolment = enrolmentAction("totp:enrol", Nothing, beginEnrolment);

export const renewRecoveryCodes = graveOwnAction("recovery-codes:make", Nothing, renewCodes);

export const disableFactor = graveOwnAction("totp:disable", Nothing, dropFactor);

export const startPasskey = graveOwnAction("passkey:start", Nothing, beginPasskey);

/** Also asks for a recent proof: a challenge for proving oneself must not do for registering. */
export const addPasskey = graveOwnAction("passkey:add", NewPasskey, registerPasskey);

export const removePasskey = graveOwnAction("passkey:remove", CredentialId, dropPasskey);

export const changePassword = ownAction(
  "password:change",
  z.object({ current: Password, next: Password }),
  changeOwnPassword,
);
