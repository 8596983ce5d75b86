import type { PasskeyAnswer } from "./auth/passkeys";

/** By what somebody proves, within a session, that it is still they: by their second factor as soon as they have one. */
export type ProofWay = "totp" | "password";

/** What came of a proof; `none`: there is nothing yet that this person could prove it by. */
export type ProofOutcome = "done" | "wrong" | "none" | { waitMs: number };

/** A password or a code as it was typed, or what a passkey answered. */
export type ProofInput = string | PasskeyAnswer;
