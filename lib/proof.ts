/** By what somebody proves, within a session, that it is still they: by their second factor as soon as they have one. */
export type ProofWay = "totp" | "password";

/** What came of a proof; `none`: there is nothing yet that this person could prove it by. */
export type ProofOutcome = "done" | "wrong" | "none" | { waitMs: number };
