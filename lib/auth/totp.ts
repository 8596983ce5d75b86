import { generateSecret, generateURI, verifySync } from "otplib";
import { encode } from "uqr";
import type { Enrolment } from "@/lib/enrolment";

const STEP_SECONDS = 30;
const ISSUER = "Retaguarda";
/** In modules, as the standard of QR codes wants: in the dark theme all around it is dark. */
const QUIET_ZONE = 4;

/** 160 random bits in base32, as authenticator apps take them. */
export const newSecret = (): string => generateSecret();

/** What people paste: "123 456" is 123456. */
export const plainCode = (typed: string): string => typed.replaceAll(/\s/g, "");

/**
 * The time step (RFC 6238) this code is of, when it is the secret's and of a step after `afterStep`; null otherwise. A
 * clock may be one step ahead or behind.
 */
export function stepOfCode(secret: string, typed: string, { at, afterStep }: { at: Date; afterStep: number }) {
  const token = plainCode(typed);
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(at.getTime() / 1000);
  const checked = verifySync({ secret, token, epoch, epochTolerance: STEP_SECONDS });
  return checked.valid && "timeStep" in checked && checked.timeStep > afterStep ? checked.timeStep : null;
}

export function enrolmentOf(secret: string, email: string): Enrolment {
  const uri = generateURI({ issuer: ISSUER, label: email, secret });
  const { size, data } = encode(uri, { ecc: "M", border: QUIET_ZONE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { secret, size, path: dark.join("") };
}
